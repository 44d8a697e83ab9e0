package blackbox_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const keyManage = "secret-key-manage-17"

// managed is the base store with a key that may change the catalogue.
func managed(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("erp", keyManage, "catalog:manage"))
}

// hammerEntry is the hammer's entry of the base store with another price.
func hammerEntry(price int) string {
	product := findByID(base()["products"].(list), hammer)
	product["price_amount"] = price
	text, err := json.Marshal(product)
	if err != nil {
		panic(err) // maps of texts and numbers always have a JSON form
	}
	return string(text)
}

type answerWanted struct {
	status int
	body   string
}

// Every fault of a change set is listed with its path, and nothing is applied.
func TestFaultyChangeSetsChangeNothing(t *testing.T) {
	t.Parallel()
	shop := serveFiles(t, storeFile(t, base(), managed))
	erp := shop.withKey(keyManage)
	for body, want := range map[string]answerWanted{
		`{`:   {400, `{"message":"The request body is not valid JSON."}`},
		`[1]`: {400, `{"message":"The request body is not valid JSON."}`},
		``:    {422, oneField("format", "The format field is required.", "")},
		`[]`:  {422, oneField("format", "The format field is required.", "")},
		`{"format":1,"store":{"id":"` + storeOther + `"}}`:          {422, oneField("store.id", "The store.id field is not the id of the key's store.", "")},
		`{"format":1,"set":{"settings":{"suspended":true}}}`:        {422, oneField("set.settings.suspended", "The set.settings.suspended field is not a known field.", "")},
		`{"format":1,"set":{"products":[{"id":"` + hammer + `"}]}}`: {422, `{"message":"The set.products.0.name field is required.","errors":{"set.products.0.name":["The set.products.0.name field is required."],"set.products.0.slug":["The set.products.0.slug field is required."],"set.products.0.tax":["The set.products.0.tax field is required."]}}`},
	} {
		erp.patch("catalog", body).want(want.status, want.body)
	}
	erp.patch("catalog", `{"format":1}`).wantStatus(200)
	shop.patch("catalog", `{"format":1}`).want(403, `{"message":"Invalid ability provided."}`)
	shop.withKey(keyAll).patch("catalog", `{"format":1}`).want(403, `{"message":"Invalid ability provided."}`)
	shop.post(shop.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")
}

// An operator's change set may set what a merchant's may not. serve --store with the document of
// before keeps the changes, cartd import of it takes them back, --store-replace refuses.
func TestChangeSetsBesideWholeDocuments(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base())
	imports(t, r, file).wantStores(t, "imported")
	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"products":[`+hammerEntry(2100)+`],"settings":{"rate_limit_per_minute":77}}}`))
	if f := imports(t, r, "--merge", set); f.code != 0 || !strings.Contains(f.stdout, "2 changed, 0 removed") {
		t.Fatalf("%+v", f)
	}
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	a := shop.post(shop.newCart()+"/lines", addBody(hammer, "1"))
	a.wantLines(201, "Hammer 1 × 2100 = 2100")
	a.wantHeader("X-RateLimit-Limit", "77")
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", r.URL(), "--store", file, "--store-replace").wantOneLine(t, "cartd import")
	imports(t, r, file).wantStores(t, "imported")
	imports(t, r, file).wantStores(t, "unchanged")
	fresh := start(t, options{redis: r.URL()}).client(t)
	fresh.post(fresh.newCart()+"/lines", addBody(hammer, "1")).wantLines(201, "Hammer 1 × 1999 = 1999")

	faulty := fileOf(t, []byte("{\"format\":1,\"store\":{\"id\":\""+storeBase+"\"},\n\"set\":{\"products\":[{\"id\":\""+hammer+"\"}]}}"))
	if f := imports(t, r, "--merge", faulty); f.code != 1 || !strings.Contains(f.stderr, "set.products[0].name: is required (line 2") {
		t.Errorf("%+v", f)
	}
	if f := imports(t, r, "--merge", fileOf(t, []byte(`{"format":1}`))); f.code != 1 || !strings.Contains(f.stderr, "store.id is missing") {
		t.Errorf("%+v", f)
	}
}

// An import with --if-revision is refused after another import.
func TestImportOfARevision(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base())
	imports(t, r, file).wantStores(t, "imported")
	history := func() string {
		return strings.Fields(strings.Split(runs(t, "history", "--redis", r.URL(), "--store", storeBase).stdout, "\n")[1])[2]
	}
	revision := history()
	set := fileOf(t, []byte(`{"format":1,"store":{"id":"`+storeBase+`"},"set":{"products":[`+hammerEntry(2100)+`]}}`))
	if f := imports(t, r, "--merge", "--if-revision", revision, set); f.code != 0 {
		t.Fatalf("%+v", f)
	}
	for _, args := range [][]string{{"--if-revision", revision, file}, {"--merge", "--if-revision", revision, set}} {
		if f := imports(t, r, args...); f.code != 1 || !strings.Contains(f.stderr, "something else was imported meanwhile") {
			t.Errorf("cartd import %v: %+v", args, f)
		}
	}
	imports(t, r, "--if-revision", history(), file).wantStores(t, "imported")
}

// An operator suspends, limits and resumes a store; running nodes follow with the next request, and
// the history keeps the acts.
func TestOperatorsActs(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base())
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	path := shop.newCart()
	stores := func(args ...string) finished {
		t.Helper()
		f := runs(t, append([]string{"stores", "--redis", r.URL()}, args...)...)
		if f.code != 0 {
			t.Fatalf("%+v", f)
		}
		return f
	}
	if f := stores("--suspend", storeBase); !strings.Contains(f.stdout, "suspended (operator)") {
		t.Errorf("%s", f.stdout)
	}
	shop.get(path) // it learns of the new keys
	shop.get(path).want(403, `{"message":"Tenant suspended.","code":"tenant_suspended"}`)
	imports(t, r, storeFile(t, base(), changed(hammer, "price_amount", 2100))).wantStores(t, "imported")
	shop.get(path).wantStatus(403)
	stores("--resume", storeBase)
	if f := stores("--limit", storeBase, "7"); !strings.Contains(f.stdout, "7 (operator)") {
		t.Errorf("%s", f.stdout)
	}
	shop.get(path)
	shop.get(path).wantHeader("X-RateLimit-Limit", "7")
	for _, args := range [][]string{{"--limit", storeBase}, {"--limit", storeBase, "-1"}, {"--suspend", "x"}, {"--suspend", storeBase, "--resume", storeBase}} {
		if f := runs(t, append([]string{"stores", "--redis", r.URL()}, args...)...); f.code != 2 {
			t.Errorf("cartd stores %v: %+v, want exit 2", args, f)
		}
	}
	f := runs(t, "history", "--redis", r.URL(), "--store", storeBase)
	for _, want := range []string{"cartd serve", "cartd import", "suspend", "resume", "limit"} {
		if !strings.Contains(f.stdout, want) {
			t.Errorf("cartd history lacks %q:\n%s", want, f.stdout)
		}
	}
}

// A store whose last import took more than 3 seconds is changed by the command only.
func TestAStoreThatIsTooLargeForChangeSets(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	erp := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed)}}).client(t).withKey(keyManage)
	r.Client().HSet(t.Context(), "{"+storeBase+"}:imports", "took", 3001)
	erp.patch("catalog", `{"format":1}`).want(409, `{"message":"The store is too large to be changed here.","code":"STORE_TOO_LARGE"}`)
}
