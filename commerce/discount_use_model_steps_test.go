package commerce

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

func (w *useWorld) attach(c *modelledCart, v Visitor) {
	code := w.someCode()
	same := func(other modelledCode) bool { return other.text == code.text }
	limit, at := w.shop.Policy.MaxDiscountCodes, slices.IndexFunc(c.codes, same)
	cmd := AttachCode{Code: []string{strings.ToLower(code.text), code.text, " " + code.text}[w.r.IntN(3)]}
	switch unknown := slices.IndexFunc(c.codes, func(other modelledCode) bool { return other.discount < 0 }); {
	case limit == 1:
		c.codes = []modelledCode{code}
	case at >= 0:
	case len(c.codes) < limit:
		c.codes = append(c.codes, code)
	case unknown >= 0:
		c.codes[unknown] = code
	default:
		if _, _, r := w.run(c.Cart, cmd, w.input(v, w.node())); r == nil || r.Message != CodeLimitReached.Message {
			w.t.Fatalf("a code too many: %v", r)
		}
		w.seen["code limit"]++
		return
	}
	w.keep(c, cmd, w.input(v, w.node()))
	w.recount(c, v)
	var e Evaluation
	node := w.node()
	e.Evaluate(c.Cart, node, v, w.now)
	if got, want := w.shown(e.Discounts), w.picked(w.picks(c, w.shownFails(v, node))); got != want {
		w.t.Fatalf("a cart with %+v shows %s, want %s", c.codes, got, want)
	}
}

func (w *useWorld) detach(c *modelledCart, v Visitor) {
	if len(c.codes) == 0 {
		return
	}
	at := w.r.IntN(len(c.codes))
	w.keep(c, DetachCode{Code: &c.codes[at].text}, w.input(v, w.node()))
	c.codes = slices.Delete(slices.Clone(c.codes), at, at+1)
	w.seen["detached"]++
}

// claim folds another cart of the account into a cart; its codes stay behind.
func (w *useWorld) claim(c *modelledCart, v Visitor) {
	if !v.Known {
		return
	}
	in := w.input(v, w.node())
	for _, other := range w.carts {
		if other != c && other.Customer == (Binding{ID: v.CustomerID}) {
			in.Others = append(in.Others, other.Cart)
		}
	}
	if w.r.IntN(3) == 0 { // a first commit counts nothing
		first := *in
		first.Others, first.Folding = nil, true
		w.keep(c, ClaimCart{}, &first)
	}
	for _, folded := range w.keep(c, ClaimCart{}, in).Claim.Folded {
		w.carts = slices.DeleteFunc(w.carts, func(other *modelledCart) bool { return other.ID == folded.ID })
		w.open(NewCart(testID(0x100+w.id()), w.now), nil)
		w.seen["claimed"]++
	}
	w.recount(c, v)
}

// copy makes a cart of an order: the codes of a second try come along, uncounted.
func (w *useWorld) copy(v Visitor) {
	sale := w.someSale(func(s *modelledSale) bool { return s.order != nil && s.order.Status == OrderCancelled })
	if sale == nil {
		return
	}
	next, _, r := CopyOfOrder(sale.order).Make(testID(0x100+w.id()), w.input(v, w.node()))
	if r != nil {
		w.t.Fatal(r)
	}
	var codes []modelledCode
	for _, p := range sale.picks {
		if p.code != nil && len(codes) < w.shop.Policy.MaxDiscountCodes {
			codes = append(codes, modelledCode{text: p.code.text, discount: p.discount, batch: p.code.batch, serial: p.code.serial})
		}
	}
	w.open(next, codes)
	w.seen["copied"]++
}

// buyer is a random visitor's account, if any, with the address of the body and the one that counts.
func (w *useWorld) buyer(c *modelledCart, v Visitor) (account uuid.UUID, sent, email string) {
	if v.Known {
		account = v.CustomerID
	}
	if c.Email == "" || w.r.IntN(2) == 0 {
		sent = useEmails[w.r.IntN(2)]
		return account, sent, sent
	}
	return account, "", c.Email
}

// sells returns the discounts that a sale of a cart has, beside those that the cart shows, and whether one of its
// codes is lost to a limit that the cart could not show.
func (w *useWorld) sells(c *modelledCart, v Visitor, node *Store, account, address uuid.UUID) (shown, sold []pick, lost bool) {
	shownFails, full := w.shownFails(v, node), w.full(account, address)
	shown = w.picks(c, shownFails)
	sold = w.picks(c, func(d *Discount, code *modelledCode) bool {
		all, other := full(d, code)
		return all || other || shownFails(d, code)
	})
	for _, p := range shown {
		all, other := full(&w.shop.Discounts[p.discount], p.code)
		lost = lost || other && !all
		of := func(q pick) bool { return q.discount == p.discount }
		switch at := slices.IndexFunc(sold, of); {
		case at >= 0 && sold[at].code != p.code:
			w.seen["another code in place of a full one"]++
		case at < 0 && w.shop.Discounts[p.discount].Exclusive && len(sold) > 0:
			w.seen["others in place of an exclusive one"]++
		case at < 0 && len(sold) > 0:
			w.seen["one full, another not"]++
		}
	}
	return shown, sold, lost
}

func (w *useWorld) checkOut(c *modelledCart, v Visitor) {
	account, sent, email := w.buyer(c, v)
	node, stale := w.node(), w.r.IntN(4) == 0
	if stale { // a visit ahead of the news that a discount is used up
		node = w.shop.WithUsage(func(d *Discount) int64 { return max(0, w.counters[Use{Discount: d.ID}]-2) })
	}
	shown, sold, lost := w.sells(c, v, node, account, w.shop.GuestID(email))
	cmd := &Checkout{OrderID: testID(0x4000 + w.id()), CheckoutForm: CheckoutForm{Email: sent, CheckoutFields: CheckoutFields{AskedDelivery: AskedDelivery{
		Method: AskedID{Sent: true, ID: parcel}, Shipping: AskedAddress{Sent: true, Address: Address{Name: "Buyer"}},
	}}}}
	total := w.total(c, sold)
	changed := lost
	if !stale && w.r.IntN(2) == 0 {
		cmd.ExpectedTotal = price([]Amount{total, w.total(c, shown), total + 1}[w.r.IntN(3)])
		changed = *cmd.ExpectedTotal != total
	}
	next, effects, r := w.run(c.Cart, cmd, w.input(v, node))
	switch {
	case changed:
		if shortly(r) != "CART_CHANGED" || !stale && *r.CurrentTotal != total {
			w.t.Fatalf("a cart with %+v: %v, want CART_CHANGED at %d", c.codes, r, total)
		}
		w.seen["changed"]++
		return
	case r != nil:
		w.t.Fatalf("a cart with %+v: %v", c.codes, r)
	}
	order := effects.Sale.Order
	order.Number = int64(w.id())
	if order.Totals.Total != total || next.Status != CartConverted {
		w.t.Fatalf("a cart with %+v: sold at %d, want %d", c.codes, order.Totals.Total, total)
	}
	if w.sold(c, effects, &modelledSale{order: order, account: account, guest: w.shop.GuestID(email), picks: sold}); stale && len(shown) != len(sold) {
		w.seen["a count that was out of date"]++
	}
	if cmd.ExpectedTotal != nil && w.picked(shown) != w.picked(sold) {
		w.seen["sold at its own total"]++
	}
	if len(sold) > 0 && sold[0].discount != 0 && !w.shop.Discounts[sold[0].discount].Exclusive {
		w.seen["sold without an automatic one"]++
	}
	w.seen["sold"]++
}

// sold keeps a sale, whose uses must be those of the model, and puts a new cart in place of the sold one.
func (w *useWorld) sold(c *modelledCart, effects Effects, sale *modelledSale) {
	w.t.Helper()
	var want []Use
	for _, p := range sale.picks {
		d := w.shop.Discounts[p.discount].ID
		want = append(want, Use{Discount: d})
		if p.code != nil && p.code.batch >= 0 {
			want = append(want, Use{Discount: d, Counter: CountCode, Field: p.code.field(w.shop)})
		}
		if p.byCustomer && sale.account != uuid.Nil {
			want = append(want, Use{Discount: d, Counter: CountCustomer, Field: sale.account.String()})
		}
		if p.byCustomer {
			want = append(want, Use{Discount: d, Counter: CountCustomer, Field: sale.guest.String()})
		}
	}
	var got []Use
	for _, use := range effects.Sale.Uses {
		got = append(got, counterOf(use))
	}
	if !slices.Equal(got, want) {
		w.t.Fatalf("a cart with %+v: uses %+v, want %+v", c.codes, got, want)
	}
	w.sales = append(w.sales, sale)
	w.carts = slices.DeleteFunc(w.carts, func(other *modelledCart) bool { return other == c })
	w.open(NewCart(testID(0x100+w.id()), w.now), nil)
}

func (w *useWorld) quote(c *modelledCart, v Visitor) {
	account, sent, email := w.buyer(c, v)
	_, sold, _ := w.sells(c, v, w.node(), account, w.shop.GuestID(email))
	next, effects, r := w.run(c.Cart, &RequestQuote{QuoteID: testID(0x6000 + w.id()), QuoteForm: QuoteForm{Email: sent}}, w.input(v, w.node()))
	if r != nil || next.Status != CartConverted {
		w.t.Fatalf("a cart with %+v: %v", c.codes, r)
	}
	w.sold(c, effects, &modelledSale{quote: effects.Sale.Quote, account: account, guest: w.shop.GuestID(email), picks: sold})
	w.seen["quoted"]++
}

// changeSale pays, cancels or ends a sale, or accepts a quote. Uses return with the first cancel of an order that
// is no quote's.
func (w *useWorld) changeSale() {
	s := w.someSale(func(*modelledSale) bool { return true })
	if s == nil {
		return
	}
	in := w.input(guest, w.node())
	if s.order == nil {
		_, effects, r := ChangeQuote(s.quote, accept(), in)
		if r != nil || len(effects.Sale.Uses) > 0 {
			w.t.Fatalf("an accept: %v, uses %+v", r, effects.Sale.Uses)
		}
		s.order = effects.Sale.Order
		w.seen["accepted"]++
		return
	}
	var next *Order
	var effects Effects
	var r *Refusal
	before, way := s.order.Status, w.r.IntN(4)
	name := []string{"cancelled", "cancelled by the shopper", "ended", "paid"}[way]
	switch way {
	case 0:
		next, effects, r = ChangeOrder(s.order, CancelOrder{Restock: true}, in)
	case 1:
		next, effects, r = ChangeOrder(s.order, CancelByShopper{}, in)
	case 2:
		next, effects, _ = EndUnpaid(s.order, w.shop, w.now.Add(2*time.Hour))
	case 3:
		next, effects, r = ChangeOrder(s.order, payment(s.order, "p1"), in)
	}
	if r != nil || next == nil {
		return // its status does not allow it
	}
	if effects.Return != nil {
		for _, use := range effects.Return.Uses {
			w.counters[counterOf(use)]--
		}
	}
	if s.order = next; next.Status != OrderCancelled || before == OrderCancelled {
		w.seen[name]++
		return
	}
	if s.returned = s.quote == nil; !s.returned {
		name = "kept of a quote"
	}
	w.seen[name]++
}
