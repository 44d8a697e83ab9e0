package storefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// faultsOf returns the faults of a refused document, one line each.
func faultsOf(t testing.TB, text string) []string {
	t.Helper()
	doc, err := Parse([]byte(text))
	if err == nil {
		return nil
	}
	var faults *Faults
	if !errors.As(err, &faults) || doc != nil {
		t.Fatalf("Parse(%.80q) = %v, %v, want a *Faults alone", text, doc, err)
	}
	var lines []string
	for _, f := range faults.List() {
		lines = append(lines, f.String())
	}
	if err.Error() != strings.Join(lines, "\n") {
		t.Errorf("Error is %q, want the faults line by line", err)
	}
	return lines
}

// change is one change to the full document with the faults that it causes.
type change struct {
	old, new string
	want     []string
}

// check applies each change to the full document, which has old once.
func check(t *testing.T, changes []change) {
	t.Helper()
	text := full(t)
	for _, c := range changes {
		if n := strings.Count(text, c.old); n != 1 {
			t.Errorf("the full document has %q %d times, want once", c.old, n)
			continue
		}
		if got := faultsOf(t, strings.Replace(text, c.old, c.new, 1)); !slices.Equal(got, c.want) {
			t.Errorf("%s instead of %s\n got %q\nwant %q", c.new, c.old, got, c.want)
		}
	}
}

func TestSyntaxIsOneFault(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "document: is empty"},
		{"\ufeff \n", "document: is empty"},
		{"{", "line 1, column 2: unexpected end of the text"},
		{"{\n  \"é\": x}", "line 2, column 8: expected a value"},
		{"{}\n\n{}", "line 3, column 1: unexpected text after the end of the value"},
		{"{ // a comment\n}", "line 1, column 3: expected a member's name in quotes"},
		{strings.Repeat("[", 1_000_000), "line 1, column 65: nested deeper than 64 levels"},
		{"{\"a\": \"\xff\"}", "line 1, column 8: the text is not valid UTF-8"},
	} {
		if got := faultsOf(t, c.text); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%.40q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestWholeDocument(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{`[]`, []string{"document: must be an object"}},
		{`null`, []string{"document: must be an object"}},
		{`{}`, []string{"format: is required", "store: is required"}},
		{`{"format":2,"store":{}}`, []string{
			"format: must be 1", "store.id: is required", "store.name: is required", "store.modules: is required",
		}},
		{strings.Replace(minimal, `1,`, `1.5,`, 1), []string{"format: must be 1"}},
		{strings.Replace(minimal, `1,`, `"1",`, 1), []string{"format: must be 1"}},
		{strings.Replace(minimal, `{`, `{"colour":1,"a b":{},"":0,"products":{},"api_keys":[7],`, 1), []string{
			"colour: is not a known field", `["a b"]: is not a known field`, `[""]: is not a known field`,
			"products: must be a list", "api_keys[0]: must be an object",
		}},
		{strings.Replace(minimal, `{`, `{"`+strings.Repeat("n", 1000)+`":1,`, 1), []string{
			`["` + strings.Repeat("n", 100) + `…"]: is not a known field`,
		}},
		{strings.Replace(minimal, `"format":1`, `"format":1,"f\u006frmat":1,"format":null`, 1), []string{
			"format: is given more than once", "format: is given more than once",
		}},
	} {
		if got := faultsOf(t, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

// fifty is a document with 50 faults of many kinds, each recognized by its number.
func fifty() (text string, want []string) {
	var products []string
	for i := range 10 {
		products = append(products, fmt.Sprintf(
			`{"slug":"p%d","tiers":[{"min_quantity":"0","price_amount":-1}],"id":"50000000-0000-4000-8000-%012d","tax":"none","name":"P","no":1}`, i, i+1))
		path := fmt.Sprintf("products[%d]", i)
		want = append(want,
			path+".tiers[0].min_quantity: must be a decimal string above 0 and at most 99999999.999 with at most 3 decimals",
			path+".tiers[0].price_amount: must be an integer of at least 0",
			path+".tax: is not the code of a tax rate",
			path+".no: is not a known field",
			// this list follows later in the document
			fmt.Sprintf("discounts[%d].kind: must be one of order, products, shipping, bogo", i))
	}
	slices.SortStableFunc(want, func(a, b string) int { // products come first in the document
		return strings.Index("pd", a[:1]) - strings.Index("pd", b[:1])
	})
	var discounts []string
	for i := range 10 {
		discounts = append(discounts, fmt.Sprintf(`{"id":"60000000-0000-4000-8000-%012d","name":"D","kind":"x"}`, i+1))
	}
	return strings.TrimSuffix(minimal, "}") + `,"products":[` + strings.Join(products, ",") +
		`],"discounts":[` + strings.Join(discounts, ",") + `]}`, want
}

func TestFiftyFaultsAreAllListedInTheDocumentsOrder(t *testing.T) {
	text, want := fifty()
	if got := faultsOf(t, text); len(want) != 50 || !slices.Equal(got, want) {
		t.Errorf("%d faults\n got %q\nwant %q", len(got), got, want)
	}
}

// The faults are in the order of the text, for every order of its sections.
func TestFaultsFollowTheTextNotTheOrderOfReading(t *testing.T) {
	text := `{"redirects":[{"to":"/b"}],"customers":5,"products":[{"id":1}],"store":{"name":""},"format":1}`
	want := []string{
		"redirects[0].from: is required",
		"customers: must be a list",
		"products[0].name: is required", "products[0].slug: is required", "products[0].tax: is required",
		"products[0].id: must be a UUID",
		"store.id: is required", "store.modules: is required", "store.name: must not be empty",
	}
	if got := faultsOf(t, text); !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestBeyondTenThousandFaultsAreCounted(t *testing.T) {
	const bad = 45_000
	text := `{"products":[` + strings.TrimSuffix(strings.Repeat("0,", bad), ",") + `],"colour":1,` + minimal[1:]
	got := faultsOf(t, text)
	if len(got) != maxFaults+1 {
		t.Fatalf("%d lines, want %d", len(got), maxFaults+1)
	}
	var faults *Faults
	if _, err := Parse([]byte(text)); !errors.As(err, &faults) || faults.Total() != bad+1 {
		t.Errorf("%d faults in all, want %d", faults.Total(), bad+1)
	}
	for i, line := range got[:maxFaults] {
		if want := fmt.Sprintf("products[%d]: must be an object", i); line != want {
			t.Fatalf("line %d is %q, want %q", i, line, want)
		}
	}
	if want := fmt.Sprintf("document: has %d more faults", bad+1-maxFaults); got[maxFaults] != want {
		t.Errorf("last line %q, want %q", got[maxFaults], want)
	}
}

// Values of secrets, and of lists that should have them, are in no fault; other values are, also under the same names.
func TestFaultsShowNoSecrets(t *testing.T) {
	const id = `"id":"50000000-0000-4000-8000-000000000001"`
	for _, c := range []struct{ member, value, path, shown string }{
		{"api_keys", `"s3cret"`, "api_keys", ""},
		{"api_keys", `["s3cret"]`, "api_keys[0]", ""},
		{"api_keys", `[{"name":"k","scopes":[],"key":"s3cret\u0000"}]`, "api_keys[0].key", ""},
		{"api_keys", `[{"name":"k","scopes":[],"key_sha256":"s3cret"}]`, "api_keys[0].key_sha256", ""},
		{"api_keys", `[{"name":"k\u0000","scopes":[],"key":"s3cret"}]`, "api_keys[0].name", `"k\x00"`},
		{"customers", `[{` + id + `,"email":"a@b.nl","password":"s3cret\u0000"}]`, "customers[0].password", ""},
		{"customers", `[{` + id + `,"email":"a@b.nl","password_hash":"s3cret"}]`, "customers[0].password_hash", ""},
		{"customers", `[{` + id + `,"email":"a@b.nl","tokens":"s3cret"}]`, "customers[0].tokens", ""},
		{"customers", `[{` + id + `,"email":"a@b.nl","tokens":["s3cret"]}]`, "customers[0].tokens[0]", ""},
		{"customers", `[{` + id + `,"email":"a@b.nl","tokens":[{"token":"s3cret\u0000","expires_at":"2030-01-01T00:00:00Z"}]}]`, "customers[0].tokens[0].token", ""},
		{"customers", `[{` + id + `,"email":"a@b.nl","tokens":[{"token_sha256":"s3cret","expires_at":"2030-01-01T00:00:00Z"}]}]`,
			"customers[0].tokens[0].token_sha256", ""},
		{"webhooks", `"s3cret"`, "store.webhooks", ""},
		{"webhooks", `[{"url":"s3cret","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],"events":[]}]`, "store.webhooks[0].url", ""},
		{"webhooks", `[{"url":"https://a.nl","secret":"s3cret","events":[]}]`, "store.webhooks[0].secret", ""},
		{"webhooks", `[{"url":"https://a.nl","secrets":["s3cret"],"events":[]}]`, "store.webhooks[0].secrets[0]", ""},
		{"discounts", `[{` + id + `,"name":"D","kind":"shipping","value":{"type":"percent","percent":"1"},` +
			`"code_batches":[{"number":0,"prefix":"P","secret":"s3cret"}]}]`, "discounts[0].code_batches[0].secret", ""},
		{"categories", `[{` + id + `,"name":"C","slug":"c","media":[{"url":"a.png"}]}]`, "categories[0].media[0].url", `"a.png"`},
		{"categories", `[{` + id + `,"name":"C","slug":"c","metadata":{"token":1e999}}]`, "categories[0].metadata.token", "1e999"},
	} {
		text := strings.Replace(minimal, `{`, `{"`+c.member+`":`+c.value+`,`, 1)
		if c.member == "webhooks" {
			text = strings.Replace(minimal, `"store":{`, `"store":{"webhooks":`+c.value+`,`, 1)
		}
		var faults *Faults
		if _, err := Parse([]byte(text)); !errors.As(err, &faults) || len(faults.List()) != 1 {
			t.Errorf("%s: %v, want one fault", text, err)
		} else if f := faults.List()[0]; f.Path != c.path || f.Value != c.shown {
			t.Errorf("%s: %s shows %q, want %s with %q", text, f.Path, f.Value, c.path, c.shown)
		}
	}
}
