package storefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cartd/internal/strictjson"
)

// allocated returns the number of bytes that a call allocates, freed ones included.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// refusedWithin fails unless a text is refused with this fault alone and at most limit bytes are
// allocated for it.
func refusedWithin(t *testing.T, text []byte, limit uint64, want string) {
	t.Helper()
	var err error
	used := allocated(func() { _, err = Parse(text) })
	if err == nil || err.Error() != want {
		t.Errorf("%.80q: %.200v\nwant %q", text, err, want)
	}
	if used > limit {
		t.Errorf("%.80q: %d bytes allocated for a text of %d, want at most %d", text, used, len(text), limit)
	}
}

// with is the minimal document with more members.
func with(members string) []byte {
	return []byte(strings.TrimSuffix(minimal, "}") + "," + members + "}")
}

func TestAMillionLevels(t *testing.T) {
	const levels = 1_000_000
	lists := strings.Repeat("[", levels) + strings.Repeat("]", levels)
	objects := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
	refusedWithin(t, []byte(lists), 1<<16, "line 1, column 65: nested deeper than 64 levels")
	refusedWithin(t, []byte(objects), 1<<16, "line 1, column 321: nested deeper than 64 levels")
	refusedWithin(t, with(`"products":`+lists), 1<<16,
		fmt.Sprintf("line 1, column %d: nested deeper than 64 levels", len(with(`"products":`))-1+64))
}

func TestWhiteSpaceWithoutEnd(t *testing.T) {
	refusedWithin(t, bytes.Repeat([]byte{' '}, 32<<20), 1<<16, "document: is empty")
}

// Every number of a document may have an exponent that is far too large or too small.
func TestExponentsWithoutEnd(t *testing.T) {
	for _, absurd := range []string{"1e1000000", "1e-1000000", "-1e999999999999999999999", "0.1E+99999999999"} {
		root := decodedTree(t, full(t))
		for _, p := range treeNodes("document", root, func(v any) { root = v }) {
			if _, number := p.value.(json.Number); !number {
				continue
			}
			p.replace(json.RawMessage(absurd))
			text := spelt(root)
			if faults := faultsOf(t, text); len(faults) != 1 || !strings.Contains(faults[0], ": must be ") {
				t.Errorf("%s = %s: %q, want one fault", p.at, absurd, faults)
			}
			p.replace(p.value)
		}
	}
}

// A number, and every kind of decimal string, may have more digits than any number type.
func TestDigitsWithoutEnd(t *testing.T) {
	digits := strings.Repeat("7", 1<<20)
	for _, c := range []struct{ members, fault string }{
		{`"redirects":[{"from":"/a","to":"/b","status":%s}]`, "redirects[0].status: must be one of 301, 302, 307, 308"},
		{`"redirects":[{"from":"/a","to":"/b","status":%s.0}]`, "redirects[0].status: must be one of 301, 302, 307, 308"},
		{`"discounts":[{"id":"60000000-0000-4000-8000-000000000001","name":"D","kind":"order","value":{"type":"fixed","amount":%s}}]`,
			"discounts[0].value.amount: must be an integer of at most 1000000000000"},
		{`"discounts":[{"id":"60000000-0000-4000-8000-000000000001","name":"D","kind":"order","value":{"type":"fixed","amount":0.%s}}]`,
			"discounts[0].value.amount: must be an integer of at least 0"},
		{`"tax_rates":[{"code":"s","rate":"%s"}]`, "tax_rates[0].rate: must be a decimal string from 0 to 100 with at most 9 decimals"},
		{`"tax_rates":[{"code":"s","rate":"0.%s"}]`, "tax_rates[0].rate: must be a decimal string from 0 to 100 with at most 9 decimals"},
		{`"tax_rates":[{"code":"s","rate":"21"}],"products":[{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"s","stock":"%s"}]`,
			"products[0].stock: must be a decimal string from -100000000 to 9000000000 with at most 6 decimals"},
	} {
		refusedWithin(t, with(fmt.Sprintf(c.members, digits)), 4<<20, c.fault)
	}
}

// A fault does not repeat long names and texts.
func TestFaultsOfLongTextsAreShort(t *testing.T) {
	long := strings.Repeat("n", 8<<20)
	refusedWithin(t, with(`"`+long+`":1`), 4*8<<20, `["`+long[:100]+`…"]: is not a known field`)
	refusedWithin(t, with(`"categories":[{"id":"`+long+`","name":"N","slug":"n"}]`), 4*8<<20, "categories[0].id: must be a UUID")
}

// Faults beyond the list are counted. Nothing of the document is kept.
func TestAHundredThousandFaults(t *testing.T) {
	const bad = 100_000
	items := strings.TrimSuffix(strings.Repeat("{},", bad), ",")
	for name, perItem := range map[string]int{"products": 4, "customers": 2, "discounts": 3, "tax_rates": 2, "categories": 3, "redirects": 2} {
		text := with(`"` + name + `":[` + items + `]`)
		root, err := strictjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		d := newDocument(root)
		doc := d.read()
		if n := len(doc.Customers) + len(doc.Store.Products) + len(doc.Store.Discounts) + len(doc.Store.Categories) + len(doc.Store.TaxRates) +
			len(doc.Store.Redirects); n > 0 {
			t.Errorf("%s: %d items are kept, want none", name, n)
		}
		faults := d.faults(root, root).List()
		if len(faults) != maxFaults+1 || cap(d.found) > 3*maxFaults {
			t.Errorf("%s: %d faults listed, room for %d", name, len(faults), cap(d.found))
		}
		if got, want := faults[maxFaults].String(), fmt.Sprintf("document: has %d more faults", bad*perItem-maxFaults); got != want {
			t.Errorf("%s: the last fault is %q, want %q", name, got, want)
		}
	}
}

func TestAMillionMembers(t *testing.T) {
	members := strings.TrimSuffix(strings.Repeat(`"a":1,`, 1_000_000), ",")
	refusedWithin(t, []byte("{"+members+"}"), 1<<20, "document: must have at most 1000 members")
	refusedWithin(t, with(`"shipping_methods":[{`+members+`}]`), 1<<20, "shipping_methods[0]: must have at most 1000 members")
}

// The next object reuses the list of an object's members.
func TestTooManyMembersLeaveTheOtherObjectsAlone(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat(`"a":1,`, maxMembers+1), ",")
	text := with(`"redirects":[{"from":"/a","to":"/b"},{` + many + `},{"from":"/c"}],"tax_rates":[{"code":"s"}]`)
	want := []string{"redirects[1]: must have at most 1000 members", "redirects[2].to: is required", "tax_rates[0].rate: is required"}
	if got := faultsOf(t, string(text)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLongCycleAndManyCycles(t *testing.T) {
	const n = 20_000
	var text bytes.Buffer
	text.WriteString(strings.TrimSuffix(minimal, "}") + `,"categories":[`)
	for i := range 2 * n {
		parent := i // in the second half, each category is its own parent
		if i < n {
			parent = (i + 1) % n
		}
		fmt.Fprintf(&text, `{"id":"40000000-0000-4000-8000-%012d","name":"C","slug":"c%d","parent_id":"40000000-0000-4000-8000-%012d"},`, i, i, parent)
	}
	text.Truncate(text.Len() - 1)
	text.WriteString("]}")
	got := faultsOf(t, text.String())
	if len(got) != maxFaults+1 || got[0] != "categories[0].parent_id: makes a cycle of categories" ||
		got[1] != "categories[20000].parent_id: makes a cycle of categories" {
		t.Fatalf("%d faults: %q", len(got), got[:2])
	}
	if want := fmt.Sprintf("document: has %d more faults", n+1-maxFaults); got[maxFaults] != want {
		t.Errorf("the last fault is %q, want %q", got[maxFaults], want)
	}
}
