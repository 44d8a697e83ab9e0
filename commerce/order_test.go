package commerce

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"cartd/internal/dice"
)

// Orders match a model in decimals: both tax bases, several rates, all kinds of discounts up
// to 100 %, prices of 0, with and without a delivery.
func TestOrdersMatchTheModel(t *testing.T) { compareOrders(t, 4_000) }

func compareOrders(t *testing.T, n int) {
	t.Helper()
	r := dice.New(t)
	met := map[string]int{}
	for range n {
		s, c := someDiscounts(r)
		for i := range c.Lines {
			if r.IntN(5) == 0 {
				c.Lines[i].UnitPrice = 0
			}
		}
		for i := range s.Discounts {
			if r.IntN(5) == 0 {
				s.Discounts[i].Value = DiscountValue{Percent: Hundred}
			}
		}
		s.Index()
		method := someMethod(r)
		var e Evaluation
		e.Evaluate(c, s, guest, noon)
		goods := e.goods(s)
		var o Order
		var by *delivery
		if method != nil {
			by = &delivery{method, method.Price, method.Tax.Rate}
		}
		if !o.fill(&goods, by, e.Tax) {
			t.Fatalf("%+v overflows", o.Totals)
		}
		got, want := orderFigures(&o), modelOrder(&e, c, s, method)
		if got != want {
			t.Fatalf("lines %+v\ndiscounts %+v\nmethod %+v, included %v\n got %s\nwant %s", c.Lines, s.Discounts, method, s.PricesIncludeTax, got, want)
		}
		if sum := o.Totals.Subtotal + o.Totals.ShippingTotal + o.Totals.TaxTotal; sum != o.Totals.Total || o.Totals.ShippingTotal < 0 {
			t.Fatalf("%+v does not add up", o.Totals)
		}
		if o.Totals.Subtotal != e.Subtotal || o.Totals.DiscountTotal != e.DiscountTotal {
			t.Fatalf("%+v is not the cart's subtotal %d and discount %d", o.Totals, e.Subtotal, e.DiscountTotal)
		}
		met[fmt.Sprint("included ", s.PricesIncludeTax)]++
		met[fmt.Sprint("delivered ", method != nil)]++
		met[fmt.Sprint("several rates ", len(o.Totals.Breakdown) > 1)]++
		met[fmt.Sprint("less for delivery ", len(o.Discounts) > len(goods.Discounts))]++
		met[fmt.Sprint("for nothing ", o.Totals.Total == 0 && len(o.Lines) > 0)]++
	}
	for name, times := range met {
		if times < n/200 {
			t.Errorf("only %d orders with %s", times, name)
		}
	}
}

func someMethod(r *rand.Rand) *ShippingMethod {
	switch r.IntN(4) {
	case 0:
		return nil
	case 1:
		return &ShippingMethod{ID: testID(0x51), Name: "Free", Tax: taxed(someRate(r))}
	}
	return &ShippingMethod{ID: testID(0x52), Name: "Parcel", Price: Amount(upTo(r, 1e5)), Tax: taxed(someRate(r))}
}

// orderFigures are the amounts of an order as text.
func orderFigures(o *Order) string {
	text := fmt.Sprint(o.Totals.Subtotal, " + ", o.Totals.ShippingTotal, " + ", o.Totals.TaxTotal, " = ", o.Totals.Total, " off ", o.Totals.DiscountTotal)
	for _, d := range o.Discounts {
		text += fmt.Sprint("; ", d.Name, " ", d.Amount)
	}
	if o.Shipping != nil {
		text += fmt.Sprint("; delivery ", o.Shipping.Price)
	}
	for _, row := range o.Totals.Breakdown {
		text += fmt.Sprint("; ", row.Rate, " of ", row.Base, " is ", row.Tax)
	}
	return text
}

// modelOrder is an order by the rules of docs/api/checkout.md#orders, from the cart's line totals and
// discounts.
func modelOrder(e *Evaluation, c *Cart, s *Store, method *ShippingMethod) string {
	sums, goods := map[Percent]Amount{}, map[Percent]Amount{}
	for i := range c.Lines {
		sums[c.Lines[i].applied(s, &e.Tax)] += e.LineTotals[i]
		goods[c.Lines[i].applied(s, &e.Tax)] += e.LineTotals[i]
	}
	var off, left Amount
	listed, delivery := "", ""
	if method != nil {
		left = method.Price
	}
	for _, d := range e.Discounts {
		amount := d.Amount
		if value := d.Discount.Value; d.Discount.Kind != DiscountShipping {
			off += amount
		} else {
			if amount = value.Amount; !value.Fixed {
				amount = halfUp(left.decimal().Mul(value.Percent.decimal()).Shift(-2))
			}
			amount = min(amount, left)
			left -= amount
		}
		if amount > 0 {
			listed += fmt.Sprint("; ", d.Discount.Name, " ", amount)
		}
	}
	if method != nil {
		sums[method.Tax.Rate] += left
		delivery = fmt.Sprint("; delivery ", left)
	}
	_, goodsBase, _ := modelTaxes(goods, s.PricesIncludeTax)
	rows, base, tax := modelTaxes(sums, s.PricesIncludeTax)
	return fmt.Sprint(goodsBase, " + ", base-goodsBase, " + ", tax, " = ", base+tax, " off ", off) + listed + delivery + rows
}

// modelTaxes rounds once a rate, highest rate first.
func modelTaxes(sums map[Percent]Amount, included bool) (rows string, base, tax Amount) {
	rates := slices.Sorted(maps.Keys(sums))
	for _, rate := range slices.Backward(rates) {
		rowBase, rowTax := modelTax(sums[rate], rate, included)
		base, tax = base+rowBase, tax+rowTax
		rows += fmt.Sprint("; ", rate, " of ", rowBase, " is ", rowTax)
	}
	return rows, base, tax
}
