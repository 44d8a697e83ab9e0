package model

import (
	"fmt"
	"slices"
)

// totals are a cart's totals. Spec: totals.
type totals struct {
	Subtotal  money    `json:"subtotal"`
	Tax       money    `json:"tax_total"`
	Total     money    `json:"total"`
	Discount  money    `json:"discount_total"`
	Breakdown []taxRow `json:"tax_breakdown"`
}

type taxRow struct {
	Rate float64 `json:"rate"`
	Base int64   `json:"base"`
	Tax  int64   `json:"tax"`
}

// check recomputes unit prices, line totals and totals from products and quantities. Prices include
// tax; the store has no discounts. Spec: Line behaviour 1, Quantity rules 5, totals.
func (t *totals) check(lines []envelopeLine) error {
	sums := map[int64]int64{}
	for i := range lines {
		l, err := lines[i].line()
		if err != nil {
			return err
		}
		price := l.Product.unitPrice(l.Quantity)
		total := halfUp(price*l.Quantity, 1000)
		if lines[i].UnitPrice != price || lines[i].Total.Amount != total {
			return fmt.Errorf("%s %s: unit price %d and line total %d, want %d and %d",
				thousandths(l.Quantity), l.Product.Name, lines[i].UnitPrice, lines[i].Total.Amount, price, total)
		}
		sums[rates[l.Product.Tax]] += total
	}
	return t.compare(sums)
}

// compare compares the totals with the sums of the line totals for each rate, in tenths of a
// percent.
func (t *totals) compare(sums map[int64]int64) error {
	want := totals{}
	for rate, sum := range sums {
		tax := halfUp(sum*rate, 1000+rate)
		want.Breakdown = append(want.Breakdown, taxRow{Rate: float64(rate) / 10, Base: sum - tax, Tax: tax})
		want.Subtotal.Amount += sum - tax
		want.Tax.Amount += tax
		want.Total.Amount += sum
	}
	slices.SortFunc(want.Breakdown, func(a, b taxRow) int { return int(b.Rate - a.Rate) }) // the highest rate first
	if t.Subtotal != want.Subtotal || t.Tax != want.Tax || t.Total != want.Total || t.Discount != want.Discount ||
		!slices.Equal(t.Breakdown, want.Breakdown) {
		return fmt.Errorf("totals %+v, want %+v", *t, want)
	}
	return nil
}

// halfUp divides two numbers that are not negative.
func halfUp(n, by int64) int64 { return (2*n + by) / (2 * by) }
