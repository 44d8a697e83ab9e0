//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Two nodes change a price at the same moment of Redis's clock: in the catalogue, its order, its filters
// and facets, and in a cart that follows. A checkout sells at it.
func TestLongPricesOfPeriodsOnTwoNodes(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	noon := time.Now().Truncate(time.Hour).Add(2 * time.Hour).UTC()
	r.Mini.SetTime(noon.Add(-time.Hour))
	end := noon.Add(10 * time.Minute)
	dated := product(itemID(0), "Dated", "dated", object{
		"price_amount": 1000, "requires_shipping": false,
		"price_periods": list{object{"from": noon.Format(time.RFC3339), "until": end.Format(time.RFC3339), "price_amount": 700}},
	})
	other := product(itemID(1), "Other", "other", object{"price_amount": 800, "requires_shipping": false})
	file := storeFile(t, base(), selling(dated, other), setting("policy", object{"line_prices": "follow"}))
	near := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	far := start(t, options{redis: r.URL()}).client(t)
	cart := near.newCart()
	line := near.add(cart, itemID(0), "2").Lines[0].ID
	seen := func(c client) string {
		one := decoded[struct {
			Price    struct{ Amount int }
			Until    string `json:"price_until"`
			Original *struct {
				Amount int
			} `json:"original_price"`
		}](c.get(productsPath + "/" + itemID(0)))
		type listed struct {
			Data   []struct{ Slug string }
			Facets struct {
				Price struct{ Min, Max int }
			}
		}
		sorted := decoded[listed](c.get(productsPath + "?sort=price&include=facets"))
		low := decoded[listed](c.get(productsPath + "?price_max=750"))
		shown := decoded[struct {
			Data struct {
				Totals struct{ Total struct{ Amount int } }
			}
			Details struct {
				Lines map[string]struct {
					Stored struct{ Amount int } `json:"stored_unit_price"`
				}
			}
		}](c.get(cart + "?include=details"))
		explained := decoded[struct {
			Data struct {
				Steps []struct {
					From string `json:"price_from"`
				}
			}
		}](c.get(cart + "/explain"))
		original := 0
		if one.Original != nil {
			original = one.Original.Amount
		}
		return fmt.Sprint(one.Price.Amount, " ", one.Until != "", " ", original, ", ", sorted.Data[0].Slug, " ", sorted.Facets.Price.Min, ", ", len(low.Data), ", ",
			shown.Data.Totals.Total.Amount, " stored ", shown.Details.Lines[line].Stored.Amount, " ", explained.Data.Steps[0].From)
	}
	const before, during = "1000 false 0, other 800, 0, 2000 stored 1000 base", "700 true 1000, dated 700, 1, 1400 stored 1000 period"
	for _, step := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"just before the beginning", noon.Add(-time.Millisecond), before},
		{"at the beginning", noon, during},
		{"just after the beginning", noon.Add(time.Millisecond), during},
		{"just before the end", end.Add(-time.Millisecond), during},
		{"at the end", end, before},
		{"just after the end", end.Add(time.Millisecond), before},
		{"in the period again", noon.Add(time.Minute), during}, // a clock that was set back
	} {
		r.Mini.SetTime(step.at)
		for i, c := range []client{near, far, near} {
			if got := seen(c); got != step.want {
				t.Errorf("%s, node %d: %s; want %s", step.name, i%2, got, step.want)
			}
		}
	}
	checkOut := func(expected int) answer {
		return far.post(cart+"/checkout", fmt.Sprintf(`{"email":"buyer@example.com","expected_total_amount":%d}`, expected))
	}
	checkOut(2000).wantStatus(http.StatusConflict)
	if line := checkOut(1400).order(http.StatusCreated).Lines[0]; line.UnitPrice != 700 {
		t.Errorf("sold at %d", line.UnitPrice)
	}
}
