package httpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Just before, at and just after each moment a list is sorted and filtered by the prices of that moment,
// its facets have their bounds, and the products show them.
func TestProductListsAtMoments(t *testing.T) {
	h := start(t)
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	s := *h.engine.admission.Store
	s.Products = nil
	for i, base := range []commerce.Amount{1000, 900, 800} {
		s.Products = append(s.Products, &commerce.Product{
			ID: uuid.UUID{15: byte(i + 1)}, Slug: fmt.Sprint("p", i), Name: fmt.Sprint("P", i), Active: true, Prices: commerce.Prices{Base: &base},
		})
	}
	s.Products[0].Prices.Periods = []commerce.PricePeriod{{From: day, Until: day.Add(time.Hour), Price: 700}}
	s.Products[1].Prices.Periods = []commerce.PricePeriod{{From: day.Add(time.Hour), Until: day.Add(2 * time.Hour), Price: 850}}
	s.Policy.Pricing.ShowOriginalPrice = true
	s.Index()
	h.engine.show(&s)
	list := func(query string) (products string, facets string) {
		got := h.do(call{method: "GET", path: "/v1/api/catalog/products?include=facets&" + query})
		var answer struct {
			Data []struct {
				Slug     string
				Price    struct{ Amount int }
				Until    *string `json:"price_until"`
				Original *struct {
					Amount int
				} `json:"original_price"`
			}
			Facets struct {
				Price struct{ Min, Max int }
			}
		}
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != 200 {
			t.Fatalf("%s: %d %s, %v", query, got.status, got.body, err)
		}
		var shown []string
		for _, p := range answer.Data {
			text := fmt.Sprint(p.Slug, " ", p.Price.Amount)
			if p.Until != nil && p.Original != nil {
				text += fmt.Sprint(" until ", *p.Until, ", not ", p.Original.Amount)
			}
			shown = append(shown, text)
		}
		return strings.Join(shown, "; "), fmt.Sprint(answer.Facets.Price.Min, " to ", answer.Facets.Price.Max)
	}
	const first, second = " until 2026-11-27T01:00:00Z, not 1000", " until 2026-11-27T02:00:00Z, not 900"
	for _, c := range []struct {
		after                time.Duration
		up, below850, bounds string
	}{
		{-time.Millisecond, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{0, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Hour - time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"},
		{time.Hour, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{time.Hour + time.Millisecond, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{2*time.Hour - time.Millisecond, "p2 800; p1 850" + second + "; p0 1000", "p1 850" + second + "; p2 800", "800 to 1000"},
		{2 * time.Hour, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{2*time.Hour + time.Millisecond, "p2 800; p1 900; p0 1000", "p2 800", "800 to 1000"},
		{time.Hour - time.Millisecond, "p0 700" + first + "; p2 800; p1 900", "p0 700" + first + "; p2 800", "700 to 900"}, // a clock that was set back
	} {
		h.engine.admission.Now = day.Add(c.after)
		if got, bounds := list("sort=price"); got != c.up || bounds != c.bounds {
			t.Errorf("%v after: %s, prices %s; want %s, prices %s", c.after, got, bounds, c.up, c.bounds)
		}
		if got, _ := list("price_max=850"); got != c.below850 {
			t.Errorf("%v after, up to 850: %s; want %s", c.after, got, c.below850)
		}
	}
}
