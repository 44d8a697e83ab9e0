package storefile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// period is a period of a day of December, as a document has it.
func period(from, until string, price int, more string) string {
	return fmt.Sprintf(`{"from": "2026-12-%sZ", "until": "2026-12-%sZ", "price_amount": %d%s}`, from, until, price, more)
}

func TestPricePeriodFaults(t *testing.T) {
	const (
		old   = `"unit": "m", "price_amount": 0`
		group = `, "group_id": "20000000-0000-4000-8000-000000000002"`
		path  = "products[2].price_periods"
		early = "must not be before the end of an earlier period of the group"
	)
	periods := func(all ...string) string { return old + `, "price_periods": [` + strings.Join(all, ", ") + `]` }
	first := period("01T00:00:00", "02T00:00:00", 5, "")
	many := func(n int) (all []string) {
		for i := range n {
			all = append(all, period(fmt.Sprintf("01T00:%02d:00", i), fmt.Sprintf("01T00:%02d:30", i), 5, ""))
		}
		return all
	}
	check(t, []change{
		{old, periods(), nil},
		{old, old + `, "price_periods": null`, nil},
		{old, old + `, "price_periods": {}`, one(path + ": must be a list")},
		{old, periods(first, period("02T00:00:00", "03T00:00:00", 4, "")), nil},
		{old, periods(first, period("01T00:00:00", "03T00:00:00", 4, group)), nil},
		{old, periods(first, period("01T23:59:59.999", "03T00:00:00", 4, "")), one(path + "[1].from: " + early)},
		{old, periods(period("02T00:00:00", "03T00:00:00", 5, ""), period("01T00:00:00", "02T00:00:00", 4, "")), one(path + "[1].from: " + early)},
		{old, periods(period("02T00:00:00", "03T00:00:00", 5, group), period("01T00:00:00", "02T00:00:00", 4, `, "group_id": null`)), nil},
		{old, periods(period("01T00:00:00", "01T00:00:00", 5, "")), one(path + "[0].until: must be after from")},
		{old, periods(period("01T02:00:00", "01T01:00:00", 5, "")), one(path + "[0].until: must be after from")},
		{old, periods(`{}`), []string{path + "[0].from: is required", path + "[0].until: is required", path + "[0].price_amount: is required"}},
		{old, periods(`{"from": null, "until": "soon", "price_amount": -1, "colour": "red"}`), []string{
			path + "[0].from: is required", path + "[0].until: must be " + aTime, path + "[0].price_amount: must be an integer of at least 0",
			path + "[0].colour: is not a known field",
		}},
		{old, periods(`{"from": "0001-01-01T00:00:00Z", "until": "9999-12-31T23:59:59Z", "price_amount": 1}`), nil},
		{old, periods(`{"from": "0001-01-01T00:00:00+00:01", "until": "9999-12-31T23:59:59-00:01", "price_amount": 1}`),
			[]string{path + "[0].from: must be " + aTime, path + "[0].until: must be " + aTime}},
		{old, periods(`{"from": "0000-12-31T23:59:59Z", "until": "0001-01-01T00:00:00Z", "price_amount": 1}`), one(path + "[0].from: must be " + aTime)},
		{old, periods(period("01T00:00:00", "02T00:00:00", 5, `, "group_id": "20000000-0000-4000-8000-0000000000ff"`)),
			one(path + "[0].group_id: is not the id of a customer group")},
		{old, periods(many(20)...), nil},
		{old, periods(many(21)...), one(path + ": must have at most 20 periods")},
		{`"group_prices": {}`, `"group_prices": {}, "price_periods": [` + first + `, ` + first + `]`,
			one("products[0].variants[0].price_periods[1].from: " + early)},
		{`"capability": "made_to_measure",`, `"capability": "made_to_measure", "price_periods": [],`, nil},
		{`"capability": "made_to_measure",`, `"capability": "made_to_measure", "price_periods": [` + first + `],`,
			one("products[1].price_periods: are only for standard products")},
	})
}

// The time zone of a document does not count, nor does the order of groups among each other.
func TestPricePeriodsAreRead(t *testing.T) {
	text := strings.TrimSuffix(minimal, "}") +
		`,"tax_rates":[{"code":"std","rate":"21"}],"products":[{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"std",
		"price_periods":[{"from":"2026-12-01T01:00:00+01:00","until":"2026-12-02T00:00:00Z","price_amount":5,"group_id":null}]}]}`
	doc, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	want := []commerce.PricePeriod{{From: day, Until: day.Add(24 * time.Hour), Price: 5}}
	if got := doc.Store.Products[0].Prices.Periods; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	kept, err := ParseKept([]byte(settingsOf(t, doc)))
	if err != nil || !slices.Equal(kept.Products[0].Prices.Periods, want) {
		t.Errorf("kept: %+v, %v; want %+v", kept, err, want)
	}
}

// A document has at most 500 different moments, in whatever zones they are written.
func TestMomentsOfADocument(t *testing.T) {
	of := func(moments int) string {
		var products []string
		for i := range moments / 2 {
			from, until := time.Unix(int64(2*i), 0).UTC(), time.Unix(int64(2*i+1), 0)
			dated := fmt.Sprintf(`[{"from":%q,"until":%q,"price_amount":1}]`, from.Format(time.RFC3339), until.In(time.FixedZone("", 3600)).Format(time.RFC3339))
			again := fmt.Sprintf(`[{"from":%q,"until":%q,"price_amount":1}]`, from.In(time.FixedZone("", -7200)).Format(time.RFC3339), until.UTC().Format(time.RFC3339))
			products = append(products, fmt.Sprintf(`{"id":"50000000-0000-4000-8000-%012d","name":"P","slug":"p%d","tax":"std","price_periods":%s,
				"variants":[{"id":"51000000-0000-4000-8000-%012d","name":"V","price_periods":%s}]}`, i, i, again, i, dated))
		}
		return strings.TrimSuffix(minimal, "}") + `,"tax_rates":[{"code":"std","rate":"21"}],"products":[` + strings.Join(products, ",") + `]}`
	}
	if got := faultsOf(t, of(500)); got != nil {
		t.Errorf("500 moments: %q", got)
	}
	want := []string{"products: must have at most 500 different moments in price_periods, not 502"}
	if got := faultsOf(t, of(502)); !slices.Equal(got, want) {
		t.Errorf("502 moments: %q, want %q", got, want)
	}
}
