package main

import (
	"fmt"

	"cartd/commerce/storefile"
)

// chargeWarnings lists customers whose reverse charge has no effect.
func chargeWarnings(doc *storefile.Document) (all []string) {
	charged := 0
	for i := range doc.Customers {
		if doc.Customers[i].ReverseCharge {
			charged++
		}
	}
	if charged > 0 && len(doc.Store.ReverseChargeCountries) == 0 {
		all = append(all, fmt.Sprintf("%s with reverse_charge, but store.reverse_charge_countries is empty (docs/api/tax.md)", numberOf(charged, "customer")))
	}
	return all
}
