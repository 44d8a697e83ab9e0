package commerce

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// Random sales, quotes, cancels and ends of some customers with several codes each, and imports that move the
// limits, against a slow model: a counter has the sales that are left with its discount, its customer or its
// code, and a sale has each discount of its codes whose counters all have room.
func TestCountersMatchTheModel(t *testing.T) {
	r := dice.New(t)
	seen := map[string]int{}
	rare := func() (rare []string) {
		for _, what := range useSights {
			if seen[what] < 5 {
				rare = append(rare, what)
			}
		}
		return rare
	}
	for round := 0; round < 30 || round < 1000 && rare() != nil; round++ {
		w := newUseWorld(t, r, seen)
		for range 150 {
			w.step()
			w.wantCounts()
		}
	}
	if rare := rare(); rare != nil {
		t.Errorf("hardly seen: %q of %v", rare, seen)
	}
}

// useSights are what a run of the model must have seen.
var useSights = []string{
	"sold", "changed", "sold at its own total", "sold without an automatic one", "quoted", "accepted", "cancelled", "ended", "cancelled by the shopper",
	"paid", "kept of a quote", "copied", "claimed", "bound", "detached", "code limit", "full all", "full customer", "full code", "one full, another not",
	"another code in place of a full one", "others in place of an exclusive one", "a count that was out of date",
}

// useWorld is a shop with carts, the counters that the sales' uses have moved, and the model.
type useWorld struct {
	t    *testing.T
	r    *rand.Rand
	seen map[string]int
	shop *Store
	now  time.Time
	next int
	// counters are as the store has them.
	counters map[Use]int64
	carts    []*modelledCart
	sales    []*modelledSale
}

// modelledCart is an active cart with the model of its codes.
type modelledCart struct {
	*Cart
	codes []modelledCode
}

// modelledCode is a code of a cart, with what was counted when it was attached or bound last.
type modelledCode struct {
	text     string
	discount int // −1: of none
	batch    int // −1: the discount's own code
	serial   uint32
	account  uuid.UUID
	counted  int64
	used     int64
}

// modelledSale is an order or a quote with the uses that it counts.
type modelledSale struct {
	order *Order
	quote *Quote
	// account is zero for a guest.
	account, guest uuid.UUID
	picks          []pick
	returned       bool
}

// pick is a discount that applies. byCustomer is true if it counted by customers.
type pick struct {
	discount   int
	code       *modelledCode // nil: automatic
	byCustomer bool
}

var (
	useVisitors = []Visitor{guest, ada, {Known: true, CustomerID: testID(0xb0b)}}
	useEmails   = []string{"ada@example.com", "bob@example.com"}
)

func newUseWorld(t *testing.T, r *rand.Rand, seen map[string]int) *useWorld {
	w := &useWorld{t: t, r: r, seen: seen, shop: testShop(), now: noon, counters: map[Use]int64{}}
	w.shop.Products = []*Product{{ID: tile, Name: "Tile", Active: true, Tax: taxed(21e9), Prices: Prices{Base: price(100_000)}}}
	w.shop.ShippingMethods = []ShippingMethod{{ID: parcel, Name: "Parcel", Price: 695, Tax: taxed(21e9)}}
	w.shop.Policy.MaxDiscountCodes, w.shop.PaymentTime = []int{1, 3, 4, 5}[r.IntN(4)], time.Hour
	for n, codes := range []string{"", "all", "mine", "both", "own,1,2", ",1", "only"} {
		own, batches, _ := strings.Cut(codes, ",")
		d := Discount{ID: testID(0xd0 + n), Active: true, Code: own, Exclusive: own == "only", Value: DiscountValue{Fixed: true, Amount: 1 << n}}
		for number := range strings.Split(batches, ",") {
			if batches != "" {
				d.CodeBatches = append(d.CodeBatches, CodeBatch{Number: number, Prefix: fmt.Sprint("B", n, number), Secret: make([]byte, 24), Active: true})
			}
		}
		w.shop.Discounts = append(w.shop.Discounts, d)
	}
	w.moveLimits()
	for range 5 {
		w.open(NewCart(testID(0x100+w.id()), w.now), nil)
	}
	return w
}

func (w *useWorld) id() int { w.next++; return w.next }

// moveLimits gives the discounts other limits, or none.
func (w *useWorld) moveLimits() {
	some := func(most int64) *int64 {
		n := 1 + w.r.Int64N(most)
		return &n
	}
	for i := range w.shop.Discounts {
		d := &w.shop.Discounts[i]
		d.UsageLimit, d.CustomerLimit = nil, nil
		if w.r.IntN(2) == 0 {
			d.UsageLimit = some(8)
		}
		if i > 0 && w.r.IntN(2) == 0 {
			d.CustomerLimit = some(4)
		}
		for b := range d.CodeBatches {
			d.CodeBatches[b].Uses = *some(2)
		}
	}
	w.shop.Index()
}

// open puts a new cart in place of a former one.
func (w *useWorld) open(c *Cart, codes []modelledCode) {
	if len(c.Lines) == 0 {
		next, _, r := ChangeCart(c, AddLine{LineID: testID(0x1000 + w.id()), ProductID: tile, Quantity: One}, w.input(guest, w.shop))
		if c = next; r != nil {
			w.t.Fatal(r)
		}
	}
	if w.carts = append(w.carts, &modelledCart{c, codes}); len(w.carts) > 6 {
		w.carts = w.carts[1:]
	}
}

func (w *useWorld) input(v Visitor, s *Store) *Input {
	return &Input{Store: s, Visitor: v, Now: w.now, Next: 2, Came: w.now}
}

// count is the slow count of a use: of all sales that are left.
func (w *useWorld) count(use Use) (n int64) {
	for _, sale := range w.sales {
		for _, p := range sale.picks {
			counts := use.Counter == CountAll || use.Counter == CountCode && p.code != nil && use.Field == p.code.field(w.shop) ||
				use.Counter == CountCustomer && p.byCustomer && use.Field != uuid.Nil.String() &&
					(use.Field == sale.account.String() || use.Field == sale.guest.String())
			if !sale.returned && w.shop.Discounts[p.discount].ID == use.Discount && counts {
				n++
			}
		}
	}
	return n
}

// wantCounts compares all counters with the sales that are left.
func (w *useWorld) wantCounts() {
	w.t.Helper()
	for use, got := range w.counters {
		if want := w.count(use); got != want {
			w.t.Fatalf("%+v is %d, want %d", use, got, want)
		}
	}
	for i := range w.shop.Discounts {
		if all := (Use{Discount: w.shop.Discounts[i].ID}); w.counters[all] != w.count(all) {
			w.t.Fatalf("discount %d has %d uses, want %d", i, w.counters[all], w.count(all))
		}
	}
}

// field is that of a code of a batch in its counter; empty for any other code.
func (c *modelledCode) field(s *Store) string {
	if c.batch < 0 {
		return ""
	}
	return fmt.Sprint(s.Discounts[c.discount].CodeBatches[c.batch].Number, ":", c.serial)
}

// run carries out a command as the engine and the store do: it reads the counts that the command asks for, and
// counts the uses of a sale, all or none.
func (w *useWorld) run(c *Cart, cmd cartCommand, in *Input) (*Cart, Effects, *Refusal) {
	w.t.Helper()
	for range 20 {
		if r := cmd.Locate(c); r != nil {
			return nil, Effects{}, r
		}
		next, effects, r := ChangeCart(c, cmd, in)
		switch {
		case r != nil:
			return nil, effects, r
		case effects.Uncounted != nil:
			if in.Shortage = nil; in.Counts == nil {
				in.Counts = &UseCounts{}
			}
			for _, use := range effects.Uncounted.Uses {
				in.Counts.Uses, in.Counts.Counts = append(in.Counts.Uses, use), append(in.Counts.Counts, w.counters[counterOf(use)])
			}
			continue
		case effects.Sale == nil:
			return next, effects, nil
		}
		short := &Shortage{}
		for _, use := range effects.Sale.Uses {
			if use.Limit > 0 && w.counters[counterOf(use)] >= use.Limit {
				short.Used = append(short.Used, use)
				w.seen["full "+use.Counter.String()]++
			}
		}
		if len(short.Used) == 0 {
			for _, use := range effects.Sale.Uses {
				w.counters[counterOf(use)]++
			}
			return next, effects, nil
		}
		short.Join(in.Shortage)
		in.Shortage = short
	}
	w.t.Fatalf("%+v is judged again and again", cmd)
	return nil, Effects{}, nil
}

func counterOf(use Use) Use {
	return Use{Discount: use.Discount, Counter: use.Counter, Field: use.Field}
}

// picks are the discounts that apply to a cart of the model: each by its first code that does not fail, or the
// exclusive one alone.
func (w *useWorld) picks(c *modelledCart, fails func(d *Discount, code *modelledCode) bool) (all []pick) {
	for n := range w.shop.Discounts {
		d := &w.shop.Discounts[n]
		if n == 0 && !fails(d, nil) {
			all = append(all, pick{n, nil, false})
		}
		for i := range c.codes {
			if code := &c.codes[i]; code.discount == n && !fails(d, code) {
				all = append(all, pick{n, code, d.CustomerLimit != nil})
				break
			}
		}
	}
	if last := len(all) - 1; last >= 0 && w.shop.Discounts[all[last].discount].Exclusive {
		return all[last:]
	}
	return all
}

// shownFails says for a visitor which codes a cart shows as used up, by the common counts that a node knows.
func (w *useWorld) shownFails(v Visitor, s *Store) func(*Discount, *modelledCode) bool {
	return func(d *Discount, code *modelledCode) bool {
		if d.UsageLimit != nil && s.Discount(d.ID).Used >= *d.UsageLimit {
			return true
		}
		if code == nil {
			return false
		}
		byAccount := v.Known && code.account == v.CustomerID && d.CustomerLimit != nil && code.counted >= *d.CustomerLimit
		return byAccount || code.batch >= 0 && code.used >= d.CodeBatches[code.batch].Uses
	}
}

// full says which counters have no room for a sale to an account and an address.
func (w *useWorld) full(account, address uuid.UUID) func(d *Discount, code *modelledCode) (all, other bool) {
	return func(d *Discount, code *modelledCode) (all, other bool) {
		all = d.UsageLimit != nil && w.count(Use{Discount: d.ID}) >= *d.UsageLimit
		for _, customer := range []uuid.UUID{account, address} {
			field := customer.String()
			other = other || d.CustomerLimit != nil && code != nil && w.count(Use{Discount: d.ID, Counter: CountCustomer, Field: field}) >= *d.CustomerLimit
		}
		if code != nil && code.batch >= 0 {
			own := Use{Discount: d.ID, Counter: CountCode, Field: code.field(w.shop)}
			other = other || w.count(own) >= d.CodeBatches[code.batch].Uses
		}
		return all, other
	}
}

// total is what an order of a cart costs.
func (w *useWorld) total(c *modelledCart, picks []pick) Amount {
	total := Amount(695)
	for i := range c.Lines {
		total += Amount(c.Lines[i].Quantity/One) * 100_000
	}
	for _, p := range picks {
		total -= 1 << p.discount
	}
	return total
}

func (w *useWorld) step() {
	w.now = w.now.Add(time.Second)
	c := w.carts[w.r.IntN(len(w.carts))]
	v := useVisitors[w.r.IntN(len(useVisitors))]
	if bound := c.Customer; bound.Bound() && !bound.Guest {
		v = Visitor{Known: true, CustomerID: bound.ID} // nobody else has access
	}
	switch w.r.IntN(18) {
	case 0, 1, 2, 3, 4, 5, 6:
		for range 1 + w.r.IntN(3) {
			w.attach(c, v)
		}
	case 7:
		w.detach(c, v)
	case 8:
		email := useEmails[w.r.IntN(2)]
		w.keep(c, PatchCart{Email: &email}, w.input(v, w.node()))
		if v.Known {
			w.recount(c, v)
			w.seen["bound"]++
		}
	case 9:
		w.claim(c, v)
	case 10:
		w.quote(c, v)
	case 11:
		w.copy(v)
	case 12:
		if w.r.IntN(4) == 0 {
			w.moveLimits()
		}
	case 13, 14, 15:
		w.changeSale()
	default:
		w.checkOut(c, v)
	}
}

// node is the shop as a node knows it, with the common counts.
func (w *useWorld) node() *Store {
	return w.shop.WithUsage(func(d *Discount) int64 { return w.counters[Use{Discount: d.ID}] })
}

// keep carries out a command that must succeed.
func (w *useWorld) keep(c *modelledCart, cmd cartCommand, in *Input) Effects {
	w.t.Helper()
	next, effects, r := w.run(c.Cart, cmd, in)
	if r != nil {
		w.t.Fatalf("%+v: %v", cmd, r)
	}
	c.Cart = next
	return effects
}

// recount keeps with the codes what has been used, as an attach, a PATCH that binds and a claim do.
func (w *useWorld) recount(c *modelledCart, v Visitor) {
	for i := range c.codes {
		code := &c.codes[i]
		code.used = 0
		if v.Known {
			code.account, code.counted = uuid.Nil, 0
		}
		if code.discount < 0 {
			continue
		}
		d := &w.shop.Discounts[code.discount]
		if code.batch >= 0 {
			code.used = w.count(Use{Discount: d.ID, Counter: CountCode, Field: code.field(w.shop)})
		}
		if v.Known && d.CustomerLimit != nil {
			code.account = v.CustomerID
			code.counted = w.count(Use{Discount: d.ID, Counter: CountCustomer, Field: v.CustomerID.String()})
		}
	}
}

// someCode is one of a few codes, or of none, often one that a cart has.
func (w *useWorld) someCode() modelledCode {
	if codes := w.carts[w.r.IntN(len(w.carts))].codes; len(codes) > 0 && w.r.IntN(2) == 0 {
		had := codes[w.r.IntN(len(codes))]
		return modelledCode{text: had.text, discount: had.discount, batch: had.batch, serial: had.serial}
	}
	n := []int{0, 1, 2, 3, 4, 4, 4, 4, 5, 6}[w.r.IntN(10)]
	d := &w.shop.Discounts[n]
	code := modelledCode{text: d.Code, discount: n, batch: -1}
	switch {
	case n == 0:
		code.text, code.discount = "none", -1
	case len(d.CodeBatches) > 0 && (d.Code == "" || w.r.IntN(3) > 0):
		code.batch, code.serial = w.r.IntN(len(d.CodeBatches)), w.r.Uint32N(2)
		code.text = slowCode(d.ID, &d.CodeBatches[code.batch], code.serial)
	}
	return code
}

func (w *useWorld) someSale(of func(*modelledSale) bool) *modelledSale {
	var some []*modelledSale
	for _, s := range w.sales {
		if of(s) {
			some = append(some, s)
		}
	}
	if some == nil {
		return nil
	}
	return some[w.r.IntN(len(some))]
}

// shown and picked are discounts in a short form that both sides have.
func (w *useWorld) shown(all []AppliedDiscount) (text string) {
	for i := range all {
		text += all[i].Discount.ID.String()[34:]
		if of := all[i].BatchCode; of.Batch != nil {
			text += " " + of.field()
		}
		text += ", "
	}
	return text
}

func (w *useWorld) picked(all []pick) (text string) {
	for _, p := range all {
		text += w.shop.Discounts[p.discount].ID.String()[34:]
		if p.code != nil && p.code.batch >= 0 {
			text += " " + p.code.field(w.shop)
		}
		text += ", "
	}
	return text
}
