package faultsuite

import (
	"fmt"
	"slices"

	"cartd/blackbox/faultsuite/model"
)

// taxes are what an order says of its tax, and of why it has none.
type taxes struct {
	country, exemption, vatID string
	total                     int
	rows                      string
}

func taxesOf(country, exemption, vatID string, total int, rows []model.TaxRow) taxes {
	return taxes{country, exemption, vatID, total, fmt.Sprint(rows)}
}

// taxes are the sale's in the form of the audit, if an account with a VAT id has reverse charge or not.
func (o *sale) taxes(charged bool) taxes {
	vatID := o.buyer.account.VATID
	exemption := model.Exemption(o.country, charged && vatID != "")
	if exemption != "reverse_charge" {
		vatID = ""
	}
	rows := model.SalesTaxes(o.quantity, len(o.uses), o.ships(), o.country, exemption)
	total := 0
	for _, row := range rows {
		total += int(row.Base + row.Tax)
	}
	return taxesOf(o.country, exemption, vatID, total, rows)
}

// checkTaxes computes the taxes of every order anew, with the reverse charge that its account may have had. It counts the
// orders without tax.
func (s *Sales) checkTaxes(orders []officeOrder) {
	for _, o := range s.sales {
		at := slices.IndexFunc(orders, func(shown officeOrder) bool { return shown.ID == o.ID })
		if at < 0 {
			continue // checkOrders has noted it
		}
		shown := &orders[at]
		got := taxesOf(shown.TaxCountry, shown.TaxExemption, shown.VATID, shown.Totals.Total.Amount, shown.Totals.Breakdown)
		possible := chargesIn(s.charges, o.judged)
		if !slices.ContainsFunc(possible, func(charged bool) bool { return got == o.taxes(charged) }) {
			s.violate("taxes", "order %s has %+v, want %+v (reverse charge %v)", o.ID, got, o.taxes(possible[0]), possible)
		}
		if got.exemption != "" {
			s.exempt++
		}
	}
}
