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
	Breakdown []TaxRow `json:"tax_breakdown"`
}

// check recomputes unit prices, line totals and totals from products, quantities and the tax country. Prices
// include tax; the store has no discounts. Spec: Line behaviour 1, Quantity rules 5, totals.
func (t *totals) check(lines []envelopeLine, country string) error {
	sums := map[string]int64{}
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
		sums[l.Product.Tax] += total
	}
	return t.compare(Taxes(sums, country, Exemption(country, false)))
}

// addUp checks totals without their lines.
func (t *totals) addUp(exemption string) error {
	if t.Subtotal.Amount+t.Tax.Amount != t.Total.Amount || exemption != "" && t.Tax.Amount != 0 {
		return fmt.Errorf("totals %+v with the exemption %q do not add up", *t, exemption)
	}
	return nil
}

// compare compares the totals with their rows.
func (t *totals) compare(rows []TaxRow) error {
	want := totals{Breakdown: rows}
	for _, row := range rows {
		want.Subtotal.Amount += row.Base
		want.Tax.Amount += row.Tax
		want.Total.Amount += row.Base + row.Tax
	}
	if t.Subtotal != want.Subtotal || t.Tax != want.Tax || t.Total != want.Total || t.Discount != want.Discount ||
		!slices.Equal(t.Breakdown, want.Breakdown) {
		return fmt.Errorf("totals %+v, want %+v", *t, want)
	}
	return nil
}
