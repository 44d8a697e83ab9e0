package commerce

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Orders match a model in exact fractions: both tax bases, several rates, all kinds of discounts up
// to 100 %, prices of 0, with and without a delivery.
func TestOrdersMatchTheModel(t *testing.T) {
	r := dice(t)
	met := map[string]int{}
	for range 20_000 {
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
		goods := e.goods(c, s)
		var o Order
		var price Amount
		if method != nil {
			price = method.Price
		}
		if !o.fill(&goods, method, price, s.PricesIncludeTax) {
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
	for name, n := range met {
		if n < 100 {
			t.Errorf("only %d orders with %s", n, name)
		}
	}
}

func someMethod(r *rand.Rand) *ShippingMethod {
	switch r.IntN(4) {
	case 0:
		return nil
	case 1:
		return &ShippingMethod{ID: testID(0x51), Name: "Free", Tax: someRate(r)}
	}
	return &ShippingMethod{ID: testID(0x52), Name: "Parcel", Price: Amount(upTo(r, 1e5)), Tax: someRate(r)}
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

// modelOrder is an order by the lifecycle page's rules, in fractions, from the cart's line totals
// and discounts.
func modelOrder(e *Evaluation, c *Cart, s *Store, method *ShippingMethod) string {
	sums, goods := map[Percent]*big.Rat{}, map[Percent]*big.Rat{}
	into := func(m map[Percent]*big.Rat, rate Percent, a *big.Rat) {
		if m[rate] == nil {
			m[rate] = new(big.Rat)
		}
		m[rate].Add(m[rate], a)
	}
	for i := range c.Lines {
		total := new(big.Rat).SetInt64(int64(e.LineTotals[i]))
		into(sums, c.Lines[i].tax(s), total)
		into(goods, c.Lines[i].tax(s), total)
	}
	off, listed, delivery := new(big.Rat), "", ""
	left := new(big.Rat)
	if method != nil {
		left.SetInt64(int64(method.Price))
	}
	for _, d := range e.Discounts {
		amount := new(big.Rat).SetInt64(int64(d.Amount))
		if d.Discount.Kind == DiscountShipping {
			value := new(big.Rat).SetInt64(int64(d.Discount.Value.Amount))
			if !d.Discount.Value.Fixed {
				value = halfUpRat(new(big.Rat).Mul(left, new(big.Rat).SetFrac64(int64(d.Discount.Value.Percent), int64(Hundred))))
			}
			if amount = value; amount.Cmp(left) > 0 {
				amount = new(big.Rat).Set(left)
			}
			left = new(big.Rat).Sub(left, amount)
		} else {
			off.Add(off, amount)
		}
		if amount.Sign() > 0 {
			listed += fmt.Sprint("; ", d.Discount.Name, " ", amount.Num())
		}
	}
	if method != nil {
		into(sums, method.Tax, left)
		delivery = fmt.Sprint("; delivery ", left.Num())
	}
	_, goodsBase, _ := modelTaxes(goods, s.PricesIncludeTax)
	rows, base, tax := modelTaxes(sums, s.PricesIncludeTax)
	return fmt.Sprint(goodsBase.Num(), " + ", new(big.Rat).Sub(base, goodsBase).Num(), " + ", tax.Num(), " = ", new(big.Rat).Add(base, tax).Num(),
		" off ", off.Num()) + listed + delivery + rows
}

// modelTaxes rounds once a rate, highest rate first.
func modelTaxes(sums map[Percent]*big.Rat, included bool) (rows string, base, tax *big.Rat) {
	base, tax = new(big.Rat), new(big.Rat)
	var rates []Percent
	for rate := range sums {
		rates = append(rates, rate)
	}
	slices.Sort(rates)
	for _, rate := range slices.Backward(rates) {
		part := new(big.Rat).SetFrac64(int64(rate), int64(Hundred))
		if included {
			part = new(big.Rat).SetFrac64(int64(rate), int64(Hundred+rate))
		}
		rowTax := halfUpRat(new(big.Rat).Mul(sums[rate], part))
		rowBase := new(big.Rat).Set(sums[rate])
		if included {
			rowBase.Sub(rowBase, rowTax)
		}
		base.Add(base, rowBase)
		tax.Add(tax, rowTax)
		rows += fmt.Sprint("; ", rate, " of ", rowBase.Num(), " is ", rowTax.Num())
	}
	return rows, base, tax
}

// halfUpRat rounds a fraction that is not negative.
func halfUpRat(x *big.Rat) *big.Rat {
	doubled := new(big.Int).Add(new(big.Int).Mul(x.Num(), big.NewInt(2)), x.Denom())
	return new(big.Rat).SetInt(doubled.Quo(doubled, new(big.Int).Mul(x.Denom(), big.NewInt(2))))
}
