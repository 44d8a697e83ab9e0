package commerce

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

// modelGroup is the goods and the delivery of one rate, with their amount, their tax and the amount that was
// refunded. members are the indexes of its lines; −1 is the delivery.
type modelGroup struct {
	rate                  Percent
	amount, tax, refunded Amount
	members               []int
}

// refundModel computes refunds by the rules of docs/api/orders.md#in-parts.
type refundModel struct {
	groups []*modelGroup
	// share is the share of each line and of the delivery (−1), whole the quantity of a line, pieces what was refunded of it.
	share    map[int]Amount
	whole    map[int]Quantity
	pieces   map[int]Quantity
	delivery bool
}

func newRefundModel(o *Order, delivery Percent) *refundModel {
	m := &refundModel{share: map[int]Amount{}, whole: map[int]Quantity{}, pieces: map[int]Quantity{}}
	home := func(i int) Percent { return o.Lines[i].TaxRate }
	rows := o.Totals.Breakdown
	if o.Tax.Exemption != NotExempt {
		home = func(i int) Percent { return o.Lines[i].Tax }
		rows = modelHomeRows(o, delivery)
	}
	for _, row := range rows {
		g := &modelGroup{rate: row.Rate, amount: row.Base + row.Tax, tax: row.Tax}
		var totals []Amount
		for i := range o.Lines {
			if m.whole[i] = o.Lines[i].Quantity; home(i) == row.Rate {
				g.members, totals = append(g.members, i), append(totals, o.Lines[i].Total)
			}
		}
		if o.Shipping != nil && delivery == row.Rate {
			g.members, totals = append(g.members, -1), append(totals, o.Shipping.Price)
		}
		for i, share := range modelSpread(g.amount, totals) {
			m.share[g.members[i]] = share
		}
		m.groups = append(m.groups, g)
	}
	return m
}

// modelHomeRows are what an exempt order comes to by home rates: the home tax is off where prices include it.
func modelHomeRows(o *Order, delivery Percent) (rows []TaxRow) {
	sums := map[Percent]Amount{}
	for i := range o.Lines {
		sums[o.Lines[i].Tax] += o.Lines[i].Total
	}
	if o.Shipping != nil {
		sums[delivery] += o.Shipping.Price
	}
	for rate, sum := range sums {
		if o.Tax.Included {
			sum -= portion(sum, rate.decimal(), rate.decimal().Add(hundred))
		}
		rows = append(rows, TaxRow{Rate: rate, Base: sum})
	}
	slices.SortFunc(rows, func(a, b TaxRow) int { return cmp.Compare(b.Rate, a.Rate) })
	return rows
}

// modelSpread divides an amount by largest remainder, the earlier first.
func modelSpread(amount Amount, weights []Amount) []Amount {
	parts, rests, sum := make([]Amount, len(weights)), make([]decimal.Decimal, len(weights)), decimal.Zero
	for _, w := range weights {
		sum = sum.Add(w.decimal())
	}
	if sum.IsZero() {
		return parts
	}
	missing := amount
	for i, w := range weights {
		q, rest := amount.decimal().Mul(w.decimal()).QuoRem(sum, 0)
		parts[i], rests[i] = Amount(q.IntPart()), rest
		missing -= parts[i]
	}
	for ; missing > 0; missing-- {
		most := 0
		for i := range rests {
			if rests[i].GreaterThan(rests[most]) {
				most = i
			}
		}
		parts[most]++
		rests[most] = decimal.NewFromInt(-1)
	}
	return parts
}

// portion is a × part / of, rounded half up.
func portion(a Amount, part, of decimal.Decimal) Amount {
	if of.IsZero() {
		return 0
	}
	q, rest := a.decimal().Mul(part).QuoRem(of, 0)
	if rest.Mul(decimal.NewFromInt(2)).GreaterThanOrEqual(of) {
		q = q.Add(decimal.NewFromInt(1))
	}
	return Amount(q.IntPart())
}

// computed is what pieces and the delivery come to, by group.
func (m *refundModel) computed(c *RefundPart, o *Order) []Amount {
	all := make([]Amount, len(m.groups))
	for i, g := range m.groups {
		for _, member := range g.members {
			if member < 0 && c.shipping() {
				all[i] += m.share[-1]
			}
			for _, l := range c.Lines {
				if member >= 0 && o.Lines[member].ID == l.LineID {
					r, q := m.pieces[member], m.whole[member].decimal()
					all[i] += portion(m.share[member], (r+l.Quantity).decimal(), q) - portion(m.share[member], r.decimal(), q)
				}
			}
		}
		all[i] = min(all[i], g.amount-g.refunded)
	}
	return all
}

// left is what is left of each group.
func (m *refundModel) left() (all []Amount) {
	for _, g := range m.groups {
		all = append(all, g.amount-g.refunded)
	}
	return all
}

// take takes amounts off the groups, and returns the rows.
func (m *refundModel) take(taken []Amount) (rows []TaxRow) {
	for i, g := range m.groups {
		if d := taken[i]; d > 0 {
			tax := portion(g.tax, (g.refunded+d).decimal(), g.amount.decimal()) - portion(g.tax, g.refunded.decimal(), g.amount.decimal())
			g.refunded += d
			rows = append(rows, TaxRow{g.rate, d - tax, tax})
		}
	}
	return rows
}

// someRefund is a refund of some pieces that are left, of the delivery, or of an amount off the whole.
func someRefund(r *rand.Rand, m *refundModel, o *Order, n int) RefundPart {
	c := RefundPart{AskedPart: AskedPart{PartID: testID(n), Reference: fmt.Sprint(n)}}
	if r.IntN(3) == 0 {
		amount := 1 + Amount(upTo(r, int64(max(0, sumOf(m.left())-1))))
		c.Amount = &amount
		return c
	}
	for i := range o.Lines {
		if left := m.whole[i] - m.pieces[i]; left > 0 && r.IntN(3) == 0 {
			q := left
			if r.IntN(2) == 0 {
				q = 1 + Quantity(r.Int64N(int64(left)))
			}
			c.Lines = append(c.Lines, SentLine{LineID: o.Lines[i].ID, Quantity: q})
		}
	}
	if yes := true; o.Shipping != nil && !m.delivery && (r.IntN(3) == 0 || c.Lines == nil) {
		c.Shipping = &yes
	}
	if computed := sumOf(m.computed(&c, o)); r.IntN(4) == 0 && computed > 0 {
		amount := 1 + Amount(upTo(r, int64(computed-1)))
		c.Amount = &amount
	}
	return c
}

// someOrder is a paid order at random, and the rate of its delivery.
func someOrder(r *rand.Rand) (*Order, Percent) {
	s, c := someDiscounts(r)
	for i := range c.Lines {
		c.Lines[i].Unit = UnitMetre
	}
	for _, p := range s.Products {
		p.Unit = UnitMetre
	}
	s.Index()
	var e Evaluation
	e.Evaluate(c, s, guest, noon)
	goods, method := e.goods(s), someMethod(r)
	o := &Order{ID: orderID, Payment: Payment{PaidAt: noon}}
	tax := Taxation{Included: s.PricesIncludeTax}
	if r.IntN(3) == 0 {
		tax.Country = Country{'C', 'H'}
		tax.Exemption = Exemption(r.IntN(2))
	}
	var by *delivery
	var rate Percent
	if method != nil {
		rate = method.Tax.Home()
		by = &delivery{ShippingMethod: method, price: method.Price, rate: rate}
	}
	for i := range goods.Lines {
		l := &goods.Lines[i]
		l.Tax, l.TaxRate = l.TaxRate, tax.Charged(l.TaxRate)
	}
	o.fill(&goods, by, tax)
	return o, rate
}

// However an order is cut, its refunds are those of the model; none is negative, and together they are the
// order's breakdown to the cent.
func cutOrders(t *testing.T, orders int) {
	r := dice.New(t)
	cuts, met := 0, map[string]int{}
	for range orders {
		o, rate := someOrder(r)
		m := newRefundModel(o, rate)
		shares, shipping := o.Shares()
		for i := range o.Lines {
			if share := m.share[i]; shares != nil && shares[i] != share || shares == nil && share != o.Lines[i].Total || shipping != m.share[-1] {
				t.Fatalf("line %d of %+v has the share %v, %v; want %v, %v", i, o.Totals, shares, shipping, share, m.share[-1])
			}
		}
		for n := 1; o.PaymentStatus() != PaymentIsRefunded && n < 40; n++ {
			var command Command[*Order] = RefundOrder{AskedPart{PartID: testID(n), Reference: fmt.Sprint(n)}}
			taken := m.left()
			if r.IntN(12) > 0 && n < 39 {
				c := someRefund(r, m, o, n)
				computed := sumOf(m.computed(&c, o))
				if c.Lines == nil && !c.shipping() {
					if c.Amount == nil {
						continue
					}
					taken = modelSpread(*c.Amount, m.left())
					met["off the whole"]++
				} else if taken = m.computed(&c, o); c.Amount != nil {
					taken = modelSpread(*c.Amount, taken)
					met["smaller"]++
				}
				if command = c; computed == 0 && (c.Lines != nil || c.shipping()) || c.Amount != nil && *c.Amount > sumOf(m.left()) {
					if _, _, refusal := ChangeOrder(o, c, &Input{}); refusal == nil || refusal.Code != RefundTooLarge.Code {
						t.Fatalf("%+v of %+v: %v", c, o.Totals, refusal)
					}
					met["too large"]++
					continue
				}
				for _, l := range c.Lines {
					m.pieces[slices.IndexFunc(o.Lines, func(of OrderLine) bool { return of.ID == l.LineID })] += l.Quantity
				}
				m.delivery = m.delivery || c.shipping()
			}
			want := m.take(taken)
			next, _, refusal := ChangeOrder(o, command, &Input{Now: noon})
			if refusal != nil {
				t.Fatalf("%+v of %+v: %s", command, o.Totals, shortly(refusal))
			}
			p := next.Parts[len(next.Parts)-1]
			if !slices.Equal(p.Taxes, want) || p.Amount != sumOf(taken) {
				t.Fatalf("%+v of %+v, after %+v:\n got %+v\nwant %+v", command, o.Totals, o.Parts, p, want)
			}
			o, cuts = next, cuts+1
		}
		wantBreakdown(t, o)
	}
	t.Logf("%d refunds, %v", cuts, met)
	if met["off the whole"] < orders/4 || met["smaller"] < orders/8 {
		t.Errorf("met only %v", met)
	}
}

// wantBreakdown wants that all refunds together are the order's breakdown.
func wantBreakdown(t *testing.T, o *Order) {
	t.Helper()
	sums := map[Percent]TaxRow{}
	for _, p := range o.Parts {
		for _, row := range p.Taxes {
			if row.Base < 0 || row.Tax < 0 {
				t.Fatalf("a negative refund: %+v of %+v", p, o.Totals)
			}
			sum := sums[row.Rate]
			sums[row.Rate] = TaxRow{row.Rate, sum.Base + row.Base, sum.Tax + row.Tax}
		}
	}
	if o.Tax.Exemption != NotExempt {
		var shown TaxRow
		for _, p := range o.Parts {
			for _, row := range p.ShownTaxes(&o.Tax) {
				shown.Base, shown.Tax = shown.Base+row.Base, shown.Tax+row.Tax
			}
		}
		sums = map[Percent]TaxRow{0: shown}
	}
	for _, row := range o.Totals.Breakdown {
		if got := sums[row.Rate]; got != row && row.Base+row.Tax > 0 {
			t.Fatalf("the refunds of %+v are %+v, want %+v", o.Parts, got, row)
		}
	}
}

func TestOrdersAreCutAtRandom(t *testing.T) { cutOrders(t, 400) }
