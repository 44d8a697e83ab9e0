package faultsuite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

// Sales is a run of sellers while nodes, Redis and the network fail. A seller sells an order, by a
// cart or a quote, and says what becomes of it: it is paid, shipped, cancelled, or left unpaid until it
// ends by itself. Some do two of these at once, on different nodes. In the end every order, the stock,
// the uses of the code and the events are compared with the answers.
type Sales struct {
	repeater
	SalesPlan
	course
	cluster  *cluster.Cluster
	receiver *receiver

	sales    []*sale
	promised []use          // by quotes
	expected map[string]int // events
	shown    string         // figures for the report
	used     string
	exempt   int      // orders
	charges  []charge // so far; read when they are over
}

// SalesPlan is the plan of one run.
type SalesPlan struct {
	Binary string
	Seed   uint64
	// The run has this number of orders and of faults of the table.
	Orders, Faults int
	Table          []Fault
	// Calm is the pause between two faults.
	Calm time.Duration
	// Ends: orders that are left unpaid end within the run.
	Ends bool
	// Uses are the limits of the codes.
	Uses model.SalesUses
	// Nodes is the number of nodes; 0 means three.
	Nodes int
}

const (
	sellers    = 24
	salesNodes = 3
)

// sale is one order with what its seller knows of it.
type sale struct {
	ID        string
	Number    int
	product   string
	quantity  int
	ends      bool // it ends by itself unless it is paid
	late      bool // it is paid at about the moment of its end
	due       time.Time
	total     int
	quote     bool
	buyer     buyer
	country   string // of the tax
	judged    span   // of the request that froze its taxes
	uses      []use
	status    string
	payment   string
	reference string
	carrier   string
	reason    string
	restocked bool
	line      string // its id
	pieces
}

// pieces are what became of an order in parts: its pieces, and what was refunded of its total, in cents.
type pieces struct{ shipped, cancelled, returned, back, refunded int }

// ships reports whether the order requires shipping.
func (o *sale) ships() bool { return o.product == model.SalesShipped }

// state is the sale's state in the form of the audit.
func (o *sale) state() string {
	return fmt.Sprintf("%s, payment %s %q, carrier %q, cancelled for %q, restocked %v, %d shipped, %d cancelled, %d returned, %d refunded", o.status, o.payment,
		o.reference, o.carrier, o.reason, o.restocked, o.shipped, o.pieces.cancelled, o.returned, o.refunded)
}

// RunSales lets sellers sell on three nodes, with faults.
func RunSales(t testing.TB, plan SalesPlan) *Sales {
	t.Helper()
	s := newSales(t, plan, cmp.Or(plan.Nodes, salesNodes))
	s.late = s.tooLate
	var all sync.WaitGroup
	for i := range sellers {
		all.Go(func() {
			for dice := rand.New(rand.NewPCG(plan.Seed, uint64(1+i))); s.begin(); {
				s.sell(dice, &all)
			}
		})
	}
	var charging sync.WaitGroup
	over := make(chan struct{})
	charging.Go(func() { s.changeCharges(over) })
	s.disturb()
	all.Wait()
	close(over)
	charging.Wait()
	s.audit(t)
	return s
}

// newSales starts the nodes and the receiver.
func newSales(t testing.TB, plan SalesPlan, nodes int) *Sales {
	t.Helper()
	s := &Sales{SalesPlan: plan, receiver: receive(t), expected: map[string]int{}}
	s.late = func(first time.Time) bool { return time.Since(first) > calmRetries }
	s.cluster = cluster.Start(t, cluster.Config{
		Binary: plan.Binary, Nodes: nodes, Seed: plan.Seed, Flags: append([]string{"--webhook-allow-private", "--webhook-timeout", "1s"}, marketFlags...),
		Documents: [][]byte{model.SalesDocument(s.receiver.URL, plan.Uses)},
	})
	s.connect(s.cluster)
	t.Cleanup(s.hangUp)
	s.course = newCourse(s.cluster, plan.Seed, plan.Orders, plan.Faults, plan.Table, plan.Calm)
	return s
}

// fates are what becomes of orders, each as often as it stands here. Those of unpaid orders need an end
// within the run.
var fates = []func(*Sales, *rand.Rand, *sale){
	(*Sales).leaveUnpaid, (*Sales).payLate,
	(*Sales).payTwice, (*Sales).payTwice, (*Sales).cancelAgainstShipment, (*Sales).cancelAgainstShipment,
	(*Sales).cancelTwice, (*Sales).goThrough, (*Sales).payBack, (*Sales).inParts, (*Sales).inParts,
}

const unpaidFates = 2

// sell makes an order and follows it.
func (s *Sales) sell(dice *rand.Rand, all *sync.WaitGroup) {
	n := dice.IntN(len(fates))
	o := s.place(dice, n < unpaidFates)
	if o == nil {
		return // repeat has noted it
	}
	s.sold(o)
	if n >= unpaidFates {
		fates[n](s, dice, o)
		return
	}
	own := rand.New(rand.NewPCG(s.Seed, uint64(100_000+o.Number))) // it waits; the seller goes on
	all.Go(func() { fates[n](s, own, o) })
}

// sold notes an order.
func (s *Sales) sold(o *sale) {
	s.mu.Lock()
	s.sales = append(s.sales, o)
	s.mu.Unlock()
	s.expect(o, "order.placed")
	s.expectStock(o, "order", -o.quantity)
}

// place sells a cart, or its quote; nil if there was no answer.
func (s *Sales) place(dice *rand.Rand, ends bool) *sale {
	o := &sale{product: model.SalesProducts[dice.IntN(len(model.SalesProducts))], quantity: 1 + dice.IntN(3), ends: ends, status: "placed", payment: "due"}
	minutes := `"payment_minutes":` + fmt.Sprint(model.SalesMinutes)
	if ends {
		minutes = `"payment_minutes":1`
	}
	o.buyer, o.quote = someBuyer(dice), dice.IntN(4) == 0
	kept := someCountry(dice)
	o.country = kept
	if o.ships() {
		if !o.quote && dice.IntN(2) == 0 {
			o.country = someCountry(dice) // the address counts, of a quote the country that it was made for
		}
		minutes += "," + model.SalesDelivery(o.country)
	}
	cart := s.ask(dice, "/v1/api/commerce/carts", "", http.StatusCreated)
	var made struct{ Data struct{ ID string } }
	if json.Unmarshal(cart.body, &made) != nil || made.Data.ID == "" {
		return nil
	}
	path := "/v1/api/commerce/carts/" + made.Data.ID
	s.ask(dice, path+"/lines", fmt.Sprintf(`{"product_id":%q,"quantity":%d}`, o.product, o.quantity), http.StatusCreated)
	s.repeat(dice, model.SalesKey, path+"/checkout", model.Request{Method: http.MethodPatch, Body: `{"country":"` + kept + `"}`}, someKey(dice), http.StatusOK)
	if code := s.someCode(dice); code != "" {
		token := o.buyer.account.Token
		if dice.IntN(2) == 0 {
			token = "" // the limit is found in the sale
		}
		s.askAs(dice, token, path+"/discount", `{"code":"`+code+`"}`, http.StatusOK)
	}
	email := fmt.Sprintf(`"email":%q`, o.buyer.email)
	var sold struct {
		Data, Order struct {
			ID        string
			Number    int
			Totals    struct{ Total struct{ Amount int } }
			Discounts []soldDiscount
			Lines     []struct{ ID string }
			Payment   struct {
				DueAt time.Time `json:"due_at"`
			}
		}
	}
	var answer answer
	o.judged.began = time.Now()
	if o.quote {
		token := s.quote(dice, path, email, o.buyer)
		o.judged.ended = time.Now()
		answer = s.ask(dice, "/v1/api/sales/quotes/by-token/"+token+"/accept", "{"+minutes+"}", http.StatusCreated)
		_ = json.Unmarshal(answer.body, &sold) // if it fails, the order has no id
		sold.Data = sold.Order
	} else {
		answer = s.again(dice, o.buyer.account.Token, path+"/checkout", email+","+minutes)
		o.judged.ended = time.Now()
		_ = json.Unmarshal(answer.body, &sold) // if it fails, the order has no id
	}
	if sold.Data.ID == "" {
		return nil
	}
	o.ID, o.Number, o.total, o.uses = sold.Data.ID, sold.Data.Number, sold.Data.Totals.Total.Amount, usesOf(o.buyer, sold.Data.Discounts)
	o.due, o.line = sold.Data.Payment.DueAt, sold.Data.Lines[0].ID
	return o
}

func someCountry(dice *rand.Rand) string { return model.Countries[dice.IntN(len(model.Countries))] }

// quote requests a quote of a cart, and returns its token.
func (s *Sales) quote(dice *rand.Rand, path, email string, b buyer) string {
	var asked struct {
		Data struct {
			Token     string
			Discounts []soldDiscount
		}
	}
	_ = json.Unmarshal(s.again(dice, b.account.Token, path+"/quote-request", email).body, &asked) // if it fails, the accept shows it
	s.mu.Lock()
	defer s.mu.Unlock()
	s.promised = append(s.promised, usesOf(b, asked.Data.Discounts)...)
	return asked.Data.Token
}

// again asks until the cart has not changed meanwhile, each time with the total that the answer has shown:
// the code's last use may go.
func (s *Sales) again(dice *rand.Rand, token, path, fields string) answer {
	for expected := ""; ; {
		a := s.askAs(dice, token, path, "{"+fields+expected+"}", http.StatusCreated, http.StatusConflict)
		if a.status != http.StatusConflict || !strings.Contains(string(a.body), `"CART_CHANGED"`) {
			return a
		}
		var changed struct {
			Total int `json:"current_total"`
		}
		_ = json.Unmarshal(a.body, &changed) // without it the next answer is a refusal
		expected = fmt.Sprintf(`,"expected_total_amount":%d`, changed.Total)
	}
}

// ask sends a request of the shop under an Idempotency-Key.
func (s *Sales) ask(dice *rand.Rand, path, body string, wanted ...int) answer {
	return s.askAs(dice, "", path, body, wanted...)
}

// askAs is ask with a customer token; empty for a guest.
func (s *Sales) askAs(dice *rand.Rand, token, path, body string, wanted ...int) answer {
	return s.repeat(dice, model.SalesKey, path, model.Request{Method: http.MethodPost, Body: body, Token: token}, someKey(dice), wanted...)
}

func someKey(dice *rand.Rand) string { return fmt.Sprintf("sale-%016x", dice.Uint64()) }

// change sends a change of an order, half of them with an Idempotency-Key: each may be repeated
// without one.
func (s *Sales) change(dice *rand.Rand, o *sale, route, body string, wanted ...int) answer {
	once := ""
	if dice.IntN(2) == 0 {
		once = someKey(dice)
	}
	return s.repeat(dice, model.OfficeKey, "/v1/api/orders/"+o.ID+"/"+route, model.Request{Method: http.MethodPost, Body: body}, once, wanted...)
}

// both makes two changes at once. It returns whether each was done; won is false if not exactly one
// was, which is noted, or if there was no answer.
func (s *Sales) both(dice *rand.Rand, o *sale, check string, first, second [2]string, code string) (done [2]bool, won bool) {
	var answers [2]answer
	var all sync.WaitGroup
	for i, c := range [2][2]string{first, second} {
		own := rand.New(rand.NewPCG(dice.Uint64(), uint64(i)))
		all.Go(func() { answers[i] = s.change(own, o, c[0], c[1], http.StatusOK, http.StatusConflict) })
	}
	all.Wait()
	for i, a := range answers {
		if a.status == 0 {
			return done, false
		}
		done[i] = a.status == http.StatusOK
		if !done[i] && !strings.Contains(string(a.body), code) {
			s.violate(check, "order %s: %s", o.ID, a.body)
		}
	}
	if done[0] == done[1] {
		s.violate(check, "order %s: %d %s and %d %s", o.ID, answers[0].status, answers[0].body, answers[1].status, answers[1].body)
		return done, false
	}
	return done, true
}

// expect counts an event of an order that must come.
func (s *Sales) expect(o *sale, event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected[event+" "+o.ID]++
}

func (s *Sales) expectStock(o *sale, reason string, quantity int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected[stockEvent(o.product, reason, quantity)]++
}

// cancelled notes that an order was cancelled, with all its pieces that were left.
func (s *Sales) cancelled(o *sale, reason string, restock bool) {
	left := o.quantity - o.pieces.cancelled
	o.status, o.reason, o.restocked, o.pieces.cancelled = "cancelled", reason, restock, o.quantity
	s.expect(o, "order.cancelled")
	if restock {
		o.back += left
		s.expectStock(o, "cancel", left)
	}
}

// shippedAll notes a shipment of all that was left.
func (s *Sales) shippedAll(o *sale, carrier string) {
	if o.carrier = carrier; o.ships() {
		o.shipped = o.quantity - o.pieces.cancelled
	}
	s.expect(o, "order.shipped")
}

// paid notes that an order was paid.
func (s *Sales) paid(o *sale, reference string) {
	o.payment, o.reference = "paid", reference
	s.expect(o, "order.paid")
}
