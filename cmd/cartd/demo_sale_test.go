package main

import (
	"slices"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// A sale of the demo begins ten minutes after the start and lasts an hour. The document counts as the
// same at every start.
func TestTheSaleOfTheDemo(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 27, 23, 55, 1, 0, time.FixedZone("CET", 3600))
	doc, err := demoDocument(start, newDemoMail().webhook("http://127.0.0.1:8080"))
	if err != nil {
		t.Fatal(err)
	}
	var dated []commerce.PricePeriod
	for _, p := range doc.Store.Products {
		dated = append(dated, p.Prices.Periods...)
	}
	from := start.Add(10 * time.Minute).UTC()
	if want := []commerce.PricePeriod{{From: from, Until: from.Add(time.Hour), Price: 6995}}; !slices.Equal(dated, want) {
		t.Errorf("periods %+v, want %+v", dated, want)
	}
	if doc.Store.Policy.LinePrices != commerce.FollowPrices {
		t.Errorf("line_prices is %s", doc.Store.Policy.LinePrices)
	}
	embedded, err := storefile.Parse(demoStore)
	if err != nil || doc.Hash != embedded.Hash {
		t.Errorf("the document of a start has another hash: %v", err)
	}
}
