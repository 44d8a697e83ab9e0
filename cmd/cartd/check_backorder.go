package main

import (
	"fmt"
	"time"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// backorderWarnings lists back orders without effect, and those whose goods were expected on a day that has passed.
func backorderWarnings(doc *storefile.Document, now time.Time) (all []string) {
	var untracked, late []string
	today := commerce.DateOf(now)
	for _, p := range doc.Store.Products {
		var earliest commerce.Date
		set := p.Backorders()
		for _, b := range set {
			if b.Limit > 0 && b.From > 0 && (earliest == 0 || b.From < earliest) {
				earliest = b.From
			}
		}
		switch {
		case len(set) > 0 && !p.TrackStock:
			untracked = append(untracked, p.Name)
		case earliest > 0 && earliest < today:
			late = append(late, fmt.Sprintf("%s (%s)", p.Name, earliest))
		}
	}
	if len(untracked) > 0 {
		all = append(all, fmt.Sprintf("%s with a backorder that has no effect, because track_stock is false: %s (docs/api/stock.md#back-orders)",
			numberOf(len(untracked), "product"), firstOf(untracked)))
	}
	if len(late) > 0 {
		all = append(all, fmt.Sprintf("%s with a backorder whose available_from has passed: %s (docs/api/stock.md#back-orders)",
			numberOf(len(late), "product"), firstOf(late)))
	}
	return all
}
