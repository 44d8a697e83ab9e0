package storefile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestCodeBatchFaults(t *testing.T) {
	const path = "discounts[1].code_batches[0]"
	const prefix, number, secret = `"prefix": "RAILS"`, `"number": 0`, `"secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg=="`
	const wrongPrefix = path + `.prefix: must be 1 to 12 of A–Z, 0–9 and "-"`
	const wrongSecret = path + ".secret: must be whsec_ and the base64 of 24 to 64 bytes"
	batches := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"number": %d, "prefix": "B%d", %s}`, i, i, secret)
		}
		return `"name": "Free parcel", "code_batches": [` + strings.Join(all, ", ") + `]`
	}
	check(t, []change{
		{prefix, `"prefix": "A-9-ABCDEFGH"`, nil},
		{prefix, `"prefix": "-"`, nil},
		{prefix, `"prefix": "ABCDEFGHIJKLM"`, one(wrongPrefix)},
		{prefix, `"prefix": "rails"`, one(wrongPrefix)},
		{prefix, `"prefix": "R 3"`, one(wrongPrefix)},
		{prefix, `"prefix": "RÄILS"`, one(wrongPrefix)},
		{prefix, `"prefix": ""`, one(wrongPrefix)},
		{prefix, `"prefix": 1`, one(path + ".prefix: must be a string")},
		{prefix + `, `, ``, one(path + ".prefix: is required")},
		{prefix, `"prefix": "-R2"`, one("discounts[1].code_batches[1].prefix: is a duplicate of discounts[1].code_batches[0].prefix")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": [{"number": 0, "prefix": "RA-ILS", ` + secret + `}]`,
			one("discounts[2].code_batches[0].prefix: is a duplicate of discounts[1].code_batches[0].prefix")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": [{"number": 0, "prefix": "OTHER", ` + secret + `}]`, nil},
		{number, `"number": 65535`, one("discounts[1].code_batches[1].number: is a duplicate of discounts[1].code_batches[0].number")},
		{`"number": 65535`, `"number": 0`, one("discounts[1].code_batches[1].number: is a duplicate of discounts[1].code_batches[0].number")},
		{number, `"number": 65536`, one(path + ".number: must be an integer of at most 65535")},
		{number, `"number": -1`, one(path + ".number: must be an integer of at least 0")},
		{number, `"number": "0"`, one(path + ".number: must be an integer of at least 0")},
		{number + `, `, ``, one(path + ".number: is required")},
		{secret, `"secret": "0123456789abcdefghijklmn"`, one(wrongSecret)},
		{secret, `"secret": "whsec_QmF0Y2gg"`, one(wrongSecret)},
		{secret, `"secret": null`, one(path + ".secret: is required")},
		{secret + `, `, ``, one(path + ".secret: is required")},
		{`"uses": 3`, `"uses": 1000000`, nil},
		{`"uses": 3`, `"uses": null`, nil},
		{`"uses": 3`, `"uses": 0`, one(path + ".uses: must be an integer of at least 1")},
		{`"uses": 3`, `"uses": 1000001`, one(path + ".uses: must be an integer of at most 1000000")},
		{`"uses": 3`, `"active": "no"`, one(path + ".active: must be true or false")},
		{`"uses": 3`, `"count": 3`, one(path + ".count: is not a known field")},
		{`"name": "Free parcel"`, batches(0), one("discounts[2].code_batches: must not be empty")},
		{`"name": "Free parcel"`, `"name": "Free parcel", "code_batches": null`, nil},
		{`"name": "Free parcel"`, batches(100), nil},
		{`"name": "Free parcel"`, batches(101), one("discounts[2].code_batches: must have at most 100 code batches")},
	})
}

// A document has at most 500 automatic discounts. One with batches of codes is none, active or not.
func TestADiscountWithBatchesIsNotAutomatic(t *testing.T) {
	for _, d := range mustParse(t, full(t)).Store.Discounts {
		if d.Automatic() != (d.Code == "" && d.Name != "Rails") {
			t.Errorf("%s is automatic: %v", d.Name, d.Automatic())
		}
	}
}

// The secrets of batches are written as those of webhooks are, and left out with them.
func TestAnExportHasTheSecretsOfBatches(t *testing.T) {
	doc := mustParse(t, full(t))
	for _, without := range []bool{false, true} {
		e := exportOf(doc)
		e.WithoutSecrets = without
		var out bytes.Buffer
		if err := e.Write(&out); err != nil {
			t.Fatal(err)
		}
		want := 3 // of a webhook and of two batches
		if without {
			want = 0
		}
		if got := strings.Count(out.String(), "whsec_"); got != want || e.Secrets != want {
			t.Errorf("without secrets %v: %d secrets, counted %d; want %d", without, got, e.Secrets, want)
		}
	}
}
