package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cartd/bench"
)

// peer is a small stand-in for another system: it answers the requests of a flash sale as that system does.
type peer struct {
	mu          sync.Mutex
	units, uses int
	ids         int
	carts       map[string]*peerCart
	orders      []*peerCart
	emails      map[string]bool
}

type peerCart struct {
	id, order   string
	code, paid  bool // paid: a payment is prepared
	completions int
	total       string
}

// soldOutBy sells out by a built-in adapter and wants every shopper to have a sure answer.
func soldOutBy(t *testing.T, adapter string, serve func(*peer, *http.ServeMux)) {
	t.Helper()
	p := &peer{units: 20, uses: 8, carts: map[string]*peerCart{}, emails: map[string]bool{}}
	mux := http.NewServeMux()
	serve(p, mux)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	a, err := bench.LoadAdapter(adapter)
	if err != nil {
		t.Fatal(err)
	}
	r := sellBy(t, salePlan(server.URL, a))
	f := r.Flash
	got := fmt.Sprint(f.Sold, f.SoldOut, f.Unsure, f.Orders, f.UnitsSold, f.UnitsGone, f.UsesCounted, r.Failed, f.Faults)
	if want := "20 40 0 20 20 20 8 0 []"; got != want {
		t.Errorf("sold, sold out, unsure, orders, units, gone, uses, failed, faults\n got: %s\nwant: %s\n%v", got, want, r.Errors)
	}
}

// newCart makes a cart.
func (p *peer) newCart() *peerCart {
	p.ids++
	c := &peerCart{id: "cart_" + strconv.Itoa(p.ids)}
	p.carts[c.id] = c
	return c
}

// sell makes an order of a cart.
func (p *peer) sell(c *peerCart) {
	p.units--
	if c.total = "14.95"; c.code {
		c.total = "13.95"
		p.uses--
	}
	c.order = "order_" + c.id
	p.orders = append(p.orders, c)
}

// Medusa answers 409 to a completion that another request is at, 400 to one whose code is used up, and refuses an
// e-mail that another shopper has.
func TestFlashSaleOfMedusa(t *testing.T) {
	soldOutBy(t, "medusa", func(p *peer, mux *http.ServeMux) {
		none := map[string]any{"type": "not_allowed", "code": "insufficient_inventory", "message": "Some variant does not have the required inventory"}
		cart := func(r *http.Request) *peerCart { return p.carts[r.PathValue("cart")] }
		mux.HandleFunc("POST /store/carts", func(w http.ResponseWriter, _ *http.Request) {
			reply(w, http.StatusOK, map[string]any{"cart": map[string]any{"id": p.newCart().id}})
		})
		mux.HandleFunc("POST /store/carts/{cart}/line-items", func(w http.ResponseWriter, _ *http.Request) {
			if p.units == 0 {
				reply(w, http.StatusBadRequest, none)
			}
		})
		mux.HandleFunc("POST /store/carts/{cart}/promotions", func(_ http.ResponseWriter, r *http.Request) { cart(r).code = true })
		mux.HandleFunc("DELETE /store/carts/{cart}/promotions", func(_ http.ResponseWriter, r *http.Request) {
			cart(r).code, cart(r).paid = false, false // the total changes, so the payment is dropped
		})
		mux.HandleFunc("POST /store/carts/{cart}", func(w http.ResponseWriter, r *http.Request) {
			body := bodyOf(r)
			email, _, _ := strings.Cut(strings.SplitAfter(body, `"email":"`)[1], `"`)
			if p.emails[email] {
				reply(w, http.StatusBadRequest, map[string]any{"type": "not_allowed"})
			}
			p.emails[email] = true
		})
		mux.HandleFunc("POST /store/carts/{cart}/shipping-methods", func(http.ResponseWriter, *http.Request) {})
		mux.HandleFunc("POST /store/payment-collections", func(w http.ResponseWriter, r *http.Request) {
			id, _, _ := strings.Cut(strings.SplitAfter(bodyOf(r), `"cart_id":"`)[1], `"`)
			reply(w, http.StatusOK, map[string]any{"payment_collection": map[string]any{"id": id}})
		})
		mux.HandleFunc("POST /store/payment-collections/{cart}/payment-sessions", func(_ http.ResponseWriter, r *http.Request) { cart(r).paid = true })
		mux.HandleFunc("POST /store/carts/{cart}/complete", func(w http.ResponseWriter, r *http.Request) {
			c := cart(r)
			c.completions++
			switch {
			case c.completions == 1:
				reply(w, http.StatusConflict, map[string]any{"type": "conflict", "code": "invalid_state_error"})
			case !c.paid:
				reply(w, http.StatusBadRequest, map[string]any{"type": "invalid_data", "message": "Payment sessions are required to complete cart"})
			case c.code && p.uses == 0:
				reply(w, http.StatusBadRequest, map[string]any{"type": "not_allowed", "message": "Promotion usage exceeds the limit."})
			case p.units == 0:
				reply(w, http.StatusBadRequest, none)
			default:
				p.sell(c)
				reply(w, http.StatusOK, map[string]any{"type": "order", "order": c.medusaOrder()})
			}
		})
		mux.HandleFunc("GET /store/orders/{order}", func(w http.ResponseWriter, r *http.Request) {
			reply(w, http.StatusOK, map[string]any{"order": p.carts[strings.TrimPrefix(r.PathValue("order"), "order_")].medusaOrder()})
		})
		mux.HandleFunc("GET /admin/orders", func(w http.ResponseWriter, r *http.Request) {
			skip, _ := strconv.Atoi(r.FormValue("offset"))
			rows := []any{}
			for _, c := range p.orders[min(skip, len(p.orders)):] {
				rows = append(rows, c.medusaOrder())
			}
			reply(w, http.StatusOK, map[string]any{"orders": rows})
		})
		mux.HandleFunc("GET /admin/inventory-items", func(w http.ResponseWriter, _ *http.Request) {
			reply(w, http.StatusOK, map[string]any{"inventory_items": []any{map[string]any{"id": "iitem", "reserved_quantity": len(p.orders)}}})
		})
	})
}

func bodyOf(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	return string(body)
}

func (c *peerCart) medusaOrder() map[string]any {
	total, _ := strconv.ParseFloat(c.total, 64)
	return map[string]any{"id": c.order, "total": total, "items": []any{map[string]any{"id": "item", "variant_id": "variant_EDIT", "quantity": 1}}}
}

// Vendure takes a code that is used up off the order when it is paid, and says so; the next payment is of the full
// total. A used-up code and an order without stock are answers of status 200.
func TestFlashSaleOfVendure(t *testing.T) {
	soldOutBy(t, "vendure", func(p *peer, mux *http.ServeMux) {
		mux.HandleFunc("POST /shop-api", func(w http.ResponseWriter, r *http.Request) {
			query := bodyOf(r)
			name, _, _ := strings.Cut(strings.SplitAfter(query, "mutation{")[1], "(")
			answer := func(members map[string]any) {
				reply(w, http.StatusOK, map[string]any{"data": map[string]any{name: members}})
			}
			is := func(kind string) { answer(map[string]any{"__typename": kind}) }
			if name == "addItemToOrder" {
				if p.units == 0 {
					is("InsufficientStockError")
					return
				}
				w.Header().Set("Vendure-Auth-Token", p.newCart().id)
				is("Order")
				return
			}
			c := p.carts[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
			switch {
			case c == nil:
				is("NoActiveOrderError")
			case name == "applyCouponCode" && p.uses == 0:
				is("CouponCodeLimitError")
			case name == "applyCouponCode":
				c.code = true
				is("Order")
			case name == "transitionOrderToState" && p.units == 0:
				is("OrderStateTransitionError")
			case name == "transitionOrderToState":
				c.paid = true
				is("Order")
			case name == "addPaymentToOrder" && !c.paid:
				is("OrderPaymentStateError")
			case name == "addPaymentToOrder" && c.code && p.uses == 0:
				c.code = false
				is("CouponRemovedDuringCheckoutError")
			case name == "addPaymentToOrder" && p.units == 0:
				is("OrderStateTransitionError")
			case name == "addPaymentToOrder":
				p.sell(c)
				answer(c.vendureOrder())
			default:
				is("Order")
			}
		})
		mux.HandleFunc("POST /admin-api", func(w http.ResponseWriter, r *http.Request) {
			query := bodyOf(r)
			var data map[string]any
			switch {
			case r.Header.Get("Authorization") != "Bearer office":
			case strings.Contains(query, "{order("):
				id, _, _ := strings.Cut(strings.SplitAfter(query, `id:\"`)[1], `\"`)
				data = map[string]any{"order": p.carts[strings.TrimPrefix(id, "order_")].vendureOrder()}
			case strings.Contains(query, "{orders("):
				rows, skip := []any{}, 0
				_, _ = fmt.Sscanf(strings.SplitAfter(query, "skip:")[1], "%d", &skip)
				for _, c := range p.orders[min(skip, len(p.orders)):] {
					rows = append(rows, c.vendureOrder())
				}
				data = map[string]any{"orders": map[string]any{"items": rows}}
			default:
				data = map[string]any{"productVariant": map[string]any{"stockLevels": []any{map[string]any{"id": "1", "stockAllocated": len(p.orders)}}}}
			}
			reply(w, http.StatusOK, map[string]any{"data": data})
		})
	})
}

func (c *peerCart) vendureOrder() map[string]any {
	total, _ := strconv.Atoi(strings.ReplaceAll(c.total, ".", ""))
	return map[string]any{"__typename": "Order", "id": c.order, "totalWithTax": total, "lines": []any{map[string]any{"id": "1", "quantity": 1}}}
}
