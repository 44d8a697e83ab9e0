package httpserver

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// docs/api/carts.md#claim, Report.
func TestMergeReport(t *testing.T) {
	cart, line, variant := uuid.MustParse(testCart), uuid.MustParse(testLine), uuid.MustParse(testContact)
	report := []commerce.FoldReport{
		{
			Cart: cart, Moved: 1, Summed: 2, Clamped: []commerce.ClampedLine{{Line: line, Requested: 110 * commerce.One, Kept: 100 * commerce.One}},
			Dropped: []commerce.DroppedLine{{Product: line, Quantity: 2500}, {Product: line, Variant: variant, Quantity: commerce.One}},
		},
		{Cart: line},
	}
	full := `,"merge_report":[{"cart_id":"` + testCart + `","moved":1,"summed":2,"clamped":[{"line_id":"` + testLine + `","requested":110,"kept":100}],` +
		`"dropped":[{"product_id":"` + testLine + `","variant_id":null,"quantity":2.5,"properties":null},{"product_id":"` + testLine + `","variant_id":"` +
		testContact + `","quantity":1,"properties":null}]},` +
		`{"cart_id":"` + testLine + `","moved":0,"summed":0,"clamped":[],"dropped":[]}]}`
	for _, c := range []struct {
		query  string
		report []commerce.FoldReport
		want   string
	}{
		{"", report, ""},
		{"?include=merge_report", report, full},
		{"?include=merge_report", nil, `,"merge_report":[]}`},
		{"?include=x,merge_report&page=1", nil, `,"merge_report":[]}`},
		{"?include=merge_reports", report, ""},
		{"?include=merge_report&include=x", report, ""},
	} {
		h := start(t)
		h.engine.reply.Fold = &engine.Fold{Last: true, Claim: &commerce.Claim{Report: c.report}}
		r := sample(&route{method: "POST", path: claimPath})
		plain := h.do(r)
		r.path += c.query
		got := h.do(r)
		want := plain.body
		if c.want != "" {
			want = strings.TrimSuffix(plain.body, "}") + c.want
		}
		if got.status != 200 || got.body != want || got.header.Get("ETag") != plain.header.Get("ETag") || plain.header.Get("ETag") == "" {
			t.Errorf("%q: %d %s %s\nwant %s with the ETag %s", c.query, got.status, got.header.Get("ETag"), got.body, want, plain.header.Get("ETag"))
		}
	}
}
