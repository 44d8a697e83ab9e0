package commerce

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

// Whole carts match a slow model, in decimals, of the store document's rules, and their sums add
// up.
func TestDiscountsMatchTheModel(t *testing.T) { compareDiscounts(t, 4_000) }

func compareDiscounts(t *testing.T, n int) {
	t.Helper()
	r := dice.New(t)
	var e Evaluation // reused: nothing of the last cart may remain
	applied, several, exclusive, errors := 0, 0, 0, map[string]int{}
	for range n {
		s, c := someDiscounts(r)
		visitor := []Visitor{guest, trade}[r.IntN(2)]
		e.Evaluate(c, s, visitor, noon)
		got := discounted{lines: e.LineTotals, errs: e.CodeErrors}
		for _, d := range e.Discounts {
			got.discounts = append(got.discounts, fmt.Sprint(d.Discount.Name, " ", d.Amount))
			if d.Discount.Exclusive {
				exclusive++
			}
		}
		if want := modelDiscounts(c, s, visitor.pricing(noon)); got.String() != want.String() {
			t.Fatalf("lines %+v\ndiscounts %+v\ncode %v\n got %v\nwant %v", c.Lines, s.Discounts, c.Codes, got, want)
		}
		if broken, is := e.Broken(); is {
			t.Fatalf("%s does not hold: %+v", broken, e)
		}
		applied += len(e.Discounts)
		for _, err := range e.CodeErrors {
			errors[err]++
		}
		if len(e.CodeErrors) > 1 {
			several++
		}
	}
	for _, err := range []string{"", CodeInvalid, CodeExpired, CodeUsageLimit, CodeNotEligible, CodeMinOrder} {
		if errors[err] < n/400 {
			t.Errorf("only %d carts with the code error %q", errors[err], err)
		}
	}
	if applied < n/4 || several < n/4 || exclusive < n/100 {
		t.Errorf("only %d discounts applied, %d of them exclusive, and %d carts with several codes", applied, exclusive, several)
	}
}

// discounted is the result of discounts on a cart.
type discounted struct {
	lines     []Amount
	discounts []string
	errs      []string
	off       decimal.Decimal // of the model: all that they take off
}

func (d discounted) String() string { return fmt.Sprintf("%v %v %q", d.lines, d.discounts, d.errs) }

// model is the cart in decimals, with the rest of each line.
type model struct {
	cart   *Cart
	shop   *Store
	left   []decimal.Decimal
	before decimal.Decimal
}

func sum(amounts []decimal.Decimal) decimal.Decimal {
	return decimal.Sum(decimal.Zero, amounts...)
}

// modelDiscounts makes a cart for each alternative, and takes the first of those that take off most.
func modelDiscounts(c *Cart, s *Store, ctx Pricing) discounted {
	others := modelAlternative(c, s, ctx, func(d *Discount) bool { return !d.Exclusive })
	best, alternatives := others, []discounted{others}
	for i := range s.Discounts {
		if !s.Discounts[i].Exclusive {
			continue
		}
		alone := modelAlternative(c, s, ctx, func(d *Discount) bool { return d == &s.Discounts[i] || d.Kind == DiscountShipping })
		if alternatives = append(alternatives, alone); alone.off.GreaterThan(best.off) {
			best = alone
		}
	}
	errs := slices.Clone(best.errs)
	for i := range errs {
		for _, other := range alternatives { // a code of the other ones
			switch {
			case errs[i] != "no part":
			case other.errs[i] == "" && best.off.IsPositive():
				errs[i] = CodeNotEligible
			default:
				errs[i] = other.errs[i]
			}
		}
	}
	best.errs = errs
	return best
}

// modelAlternative applies some discounts. The error of a code of another discount is "no part".
func modelAlternative(c *Cart, s *Store, ctx Pricing, takesPart func(*Discount) bool) (out discounted) {
	m := model{cart: c, shop: s}
	for i := range c.Lines {
		m.left = append(m.left, c.Lines[i].UnitPrice.decimal().Mul(c.Lines[i].Quantity.decimal()).Round(0))
	}
	m.before = sum(m.left)
	for range c.Codes {
		out.errs = append(out.errs, CodeInvalid)
	}
	for _, kind := range []DiscountKind{DiscountBogo, DiscountProducts, DiscountOrder, DiscountShipping} {
		for i := range s.Discounts {
			d := &s.Discounts[i]
			if d.Kind != kind {
				continue
			}
			off := m.off(d)
			refused, applies := m.refuses(d, off, ctx), d.Code == ""
			for i := range c.Codes {
				if d.Code == "" || !strings.EqualFold(strings.TrimSpace(d.Code), strings.TrimSpace(c.Codes[i].Code)) {
					continue
				}
				switch out.errs[i] = refused; {
				case d.Active && !takesPart(d):
					out.errs[i] = "no part"
				case applies && refused == "":
					out.errs[i] = CodeNotEligible // an earlier code has applied it
				}
				applies = true
			}
			if !applies || refused != "" || !takesPart(d) {
				continue
			}
			for i := range m.left {
				m.left[i] = m.left[i].Sub(off[i])
			}
			if amount := sum(off); !amount.IsZero() || kind == DiscountShipping && (d.Code != "" || len(m.left) > 0) {
				out.discounts = append(out.discounts, fmt.Sprint(d.Name, " ", amount))
			}
		}
	}
	out.off = m.before.Sub(sum(m.left))
	for _, left := range m.left {
		out.lines = append(out.lines, Amount(left.IntPart()))
	}
	return out
}

func (m *model) refuses(d *Discount, off []decimal.Decimal, ctx Pricing) string {
	nothing := sum(off).IsZero() && (d.Kind == DiscountProducts || d.Kind == DiscountBogo)
	for _, reason := range []struct {
		holds bool
		name  string
	}{
		{!d.Active, CodeInvalid},
		{d.StartsAt.After(noon) || !d.EndsAt.IsZero() && !d.EndsAt.After(noon), CodeExpired},
		{d.UsageLimit != nil && d.Used >= *d.UsageLimit, CodeUsageLimit},
		{len(d.GroupIDs) > 0 && !slices.Contains(d.GroupIDs, ctx.GroupID) || nothing, CodeNotEligible},
		{d.MinOrder != nil && m.before.LessThan(d.MinOrder.decimal()), CodeMinOrder},
	} {
		if reason.holds {
			return reason.name
		}
	}
	return ""
}

// off is the discount's amount off each line.
func (m *model) off(d *Discount) []decimal.Decimal {
	off := make([]decimal.Decimal, len(m.left))
	part := d.Value.Percent.decimal().Shift(-2)
	switch d.Kind {
	case DiscountProducts:
		for i := range off {
			if !m.has(d.ProductRange, m.cart.Lines[i].ProductID) {
				continue
			}
			off[i] = m.left[i].Mul(part).Round(0)
			if d.Value.Fixed {
				off[i] = decimal.Min(m.left[i], d.Value.Amount.decimal().Mul(m.cart.Lines[i].Quantity.decimal().Floor()))
			}
		}
	case DiscountOrder:
		amount := sum(m.left).Mul(part).Round(0)
		if d.Value.Fixed {
			amount = decimal.Min(sum(m.left), d.Value.Amount.decimal())
		}
		m.spread(off, amount)
	case DiscountBogo:
		m.bogo(off, d)
	}
	return off
}

// has walks up from each category of a product.
func (m *model) has(r ProductRange, id uuid.UUID) bool {
	in := len(r.ProductIDs)+len(r.CategoryIDs) == 0 || slices.Contains(r.ProductIDs, id)
	for _, p := range m.shop.Products {
		if p.ID != id {
			continue
		}
		for _, category := range p.CategoryIDs {
			for category != uuid.Nil {
				in = in || slices.Contains(r.CategoryIDs, category)
				at := slices.IndexFunc(m.shop.Categories, func(c Category) bool { return c.ID == category })
				category = m.shop.Categories[at].ParentID
			}
		}
	}
	return in && !slices.Contains(r.ExcludedIDs, id)
}

func (m *model) spread(off []decimal.Decimal, amount decimal.Decimal) {
	total := sum(m.left)
	if total.IsZero() {
		return
	}
	order, rest := make([]int, len(off)), make([]decimal.Decimal, len(off))
	for i := range off {
		order[i] = i
		off[i], rest[i] = m.left[i].Mul(amount).QuoRem(total, 0)
	}
	sort.SliceStable(order, func(a, b int) bool { return rest[order[a]].GreaterThan(rest[order[b]]) })
	for _, i := range order[:amount.Sub(sum(off)).IntPart()] {
		off[i] = off[i].Add(decimal.NewFromInt(1))
	}
}

func (m *model) bogo(off []decimal.Decimal, d *Discount) {
	bought, cheapest := decimal.Zero, -1
	for i, l := range m.cart.Lines {
		if m.has(d.Buy.ProductRange, l.ProductID) {
			bought = bought.Add(l.Quantity.decimal())
		}
		if m.has(d.Get.ProductRange, l.ProductID) && (cheapest < 0 || l.UnitPrice < m.cart.Lines[cheapest].UnitPrice) {
			cheapest = i
		}
	}
	if cheapest < 0 {
		return
	}
	l := m.cart.Lines[cheapest]
	times, _ := bought.QuoRem(d.Buy.MinQuantity.decimal(), 0)
	units := decimal.Min(l.Quantity.decimal(), times.Mul(d.Get.Quantity.decimal()))
	off[cheapest] = decimal.Min(m.left[cheapest], units.Mul(l.UnitPrice.decimal()).Mul(d.Get.Percent.decimal()).Shift(-2).Round(0))
}

// someDiscounts makes a store with a few products and discounts, and a cart in it.
func someDiscounts(r *rand.Rand) (*Store, *Cart) {
	s, c := &Store{PricesIncludeTax: r.IntN(2) == 0}, NewCart(cartID, noon)
	someCategories := func() (ids []uuid.UUID) {
		for range r.IntN(3) {
			ids = append(ids, s.Categories[r.IntN(len(s.Categories))].ID)
		}
		return ids
	}
	for i := range 1 + r.IntN(5) {
		c := Category{ID: testID(0xc00 + i)}
		if above := r.IntN(i + 1); above < i {
			c.ParentID = testID(0xc00 + above)
		}
		s.Categories = append(s.Categories, c)
	}
	r.Shuffle(len(s.Categories), func(i, j int) { s.Categories[i], s.Categories[j] = s.Categories[j], s.Categories[i] })
	for i := range 6 {
		s.Products = append(s.Products, &Product{ID: testID(1 + i), Tax: taxed(someRate(r)), CategoryIDs: someCategories()})
	}
	someProducts := func(most int) (ids []uuid.UUID) {
		for range r.IntN(most) {
			ids = append(ids, testID(1+r.IntN(6)))
		}
		return ids
	}
	categories := r.IntN(2) == 0
	some := func() (of ProductRange) {
		of.ProductIDs = someProducts(4)
		if categories {
			of.CategoryIDs = someCategories()
		}
		if r.IntN(2) == 0 {
			of.ExcludedIDs = someProducts(3)
		}
		return of
	}
	for i := range r.IntN(9) {
		s.Discounts = append(s.Discounts, someDiscount(r, i, some))
	}
	for i := range r.IntN(9) {
		l := Line{ID: testID(0x100 + i), ProductID: testID(1 + r.IntN(7)), UnitPrice: Amount(upTo(r, 1e7)), Quantity: Quantity(1 + upTo(r, 1e5))}
		if r.IntN(2) == 0 {
			l.UnitPrice, l.Quantity = l.UnitPrice%4*100, (l.Quantity%5+1)*One // ties
		}
		c.Lines = append(c.Lines, l)
	}
	for range r.IntN(5) {
		c.Codes = append(c.Codes, AttachedCode{Code: fmt.Sprintf(" code %d\t", r.IntN(6))}) // some twice
	}
	s.Index()
	return s, c
}

func someDiscount(r *rand.Rand, i int, some func() ProductRange) Discount {
	d := Discount{
		ID: testID(0xd00 + i), Name: fmt.Sprint("d", i), Kind: DiscountKind(r.IntN(4)), Active: r.IntN(8) > 0, ProductRange: some(),
		Value: DiscountValue{Fixed: r.IntN(2) == 0, Amount: Amount(upTo(r, 1e5)), Percent: someRate(r)},
		Buy:   BogoBuy{some(), Quantity(1 + upTo(r, 5e3))}, Get: BogoGet{some(), Quantity(1 + upTo(r, 5e3)), someRate(r)},
	}
	d.Exclusive = d.Kind != DiscountShipping && r.IntN(4) == 0
	if r.IntN(2) == 0 {
		d.Code = fmt.Sprintf("Code %d", i) // i is unique
	}
	if r.IntN(6) == 0 {
		d.StartsAt = noon.Add(time.Duration(r.IntN(3)-1) * time.Millisecond)
	}
	if r.IntN(6) == 0 {
		d.EndsAt = noon.Add(time.Duration(r.IntN(3)-1) * time.Millisecond)
	}
	if r.IntN(6) == 0 {
		limit := r.Int64N(3)
		d.UsageLimit, d.Used = &limit, r.Int64N(3)
	}
	if r.IntN(6) == 0 {
		d.GroupIDs = []uuid.UUID{tradeGroup}
	}
	if r.IntN(4) == 0 {
		d.MinOrder = price(Amount(upTo(r, 1e7)))
	}
	return d
}

// docs/store-document.md#discounts: the order of the lines matters. The order of the adds that made the quantities
// does not.
func TestDiscountsDoNotDependOnTheOrderOfAdds(t *testing.T) {
	r := dice.New(t)
	for range 200 {
		s := newScene(t)
		unlimited(s.shop)
		all := func() ProductRange {
			return ProductRange{ProductIDs: []uuid.UUID{tile, cord, drill, special}[:r.IntN(5)]}
		}
		for i := range 6 {
			s.shop.Discounts = append(s.shop.Discounts, someDiscount(r, i, all))
		}
		s.shop.Index()
		adds := someAdds(r, 1+r.IntN(12))
		var first string
		for range 3 {
			r.Shuffle(len(adds), func(i, j int) { adds[i], adds[j] = adds[j], adds[i] })
			s.cart = NewCart(cartID, noon)
			for _, a := range adds {
				s.do(a)
			}
			slices.SortFunc(s.cart.Lines, func(a, b Line) int {
				return strings.Compare(a.ProductID.String()+a.VariantID.String(), b.ProductID.String()+b.VariantID.String())
			})
			e := s.evaluate()
			got := fmt.Sprint(e.LineTotals, e.Discounts, e.Breakdown, e.Total, e.DiscountTotal)
			if first == "" {
				first = got
			}
			if got != first {
				t.Fatalf("%+v\n got %s\nwant %s", adds, got, first)
			}
		}
	}
}
