package storefile

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// minimal has only the required members.
const minimal = `{"format":1,"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":[]}}`

// full returns the document that has every field, each with another value than its default.
func full(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mustParse(t testing.TB, text string) *Document {
	t.Helper()
	doc, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%.80q): %v", text, err)
	}
	return doc
}

// settingsOf is the unpacked settings of a document.
func settingsOf(t testing.TB, doc *Document) string {
	t.Helper()
	text, err := doc.Pages.Settings()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// expect fails unless got equals want, and shows both.
func expect(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\n got %+v\nwant %+v", name, got, want)
	}
}

func id(text string) uuid.UUID { return uuid.MustParse(text) }

func pointer[T any](v T) *T { return &v }

var (
	trade   = id("20000000-0000-4000-8000-000000000001")
	staff   = id("20000000-0000-4000-8000-000000000002")
	roller  = id("50000000-0000-4000-8000-000000000001")
	rail    = id("50000000-0000-4000-8000-000000000003")
	percent = commerce.Hundred / 100
)

func TestDefaults(t *testing.T) {
	got := mustParse(t, minimal)
	want := &commerce.Store{
		ID: id("11111111-1111-4111-8111-111111111111"), Name: "Shop", PricesIncludeTax: true, RateLimit: 120,
		Policy: commerce.Policy{
			IdentityMode: "guest_allowed", Audience: "both", MaxLines: 100, MaxQuantityPerLine: 100 * commerce.One, MaxDiscountCodes: 1,
			Pricing: commerce.PricingDisplay{GuestPriceVisibility: "visible", VATDisplay: "inc", ShowOriginalPrice: true, ShowTierTable: true},
		},
		Quotes:    commerce.QuoteSettings{AcceptanceMode: "click", ValidDays: 30},
		StockHold: time.Hour, Languages: commerce.Languages(0).With(commerce.English),
	}
	want.Index()
	expect(t, "store", got.Store, want)
	if got.Keys != nil || got.Customers != nil {
		t.Errorf("keys %v, customers %v, want none", got.Keys, got.Customers)
	}
}

// The sparse document has every noun with only its required members.
const sparse = `{"format":1,
	"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":["commerce"]},
	"api_keys":[{"name":"k","key":"secret","scopes":[]}],
	"customers":[{"id":"30000000-0000-4000-8000-000000000001","email":"a@b","addresses":[
		{"name":"A","street":"S","postal_code":"1","city":"C","country":"nl"}]}],
	"tax_rates":[{"code":"s","rate":"21.0"}],
	"categories":[{"id":"40000000-0000-4000-8000-000000000001","name":"C","slug":"c"}],
	"products":[
		{"id":"50000000-0000-4000-8000-000000000001","name":"P","slug":"p","tax":"s",
			"variants":[{"id":"51000000-0000-4000-8000-000000000001","name":"V"}],
			"tiers":[{"min_quantity":"1","price_amount":5}]},
		{"id":"50000000-0000-4000-8000-000000000002","name":"M","slug":"m","tax":"s","capability":"made_to_measure","configurator":{
			"dimensions":[{"key":"w","label":"W","min":0,"max":9}],
			"groups":[{"id":"g","label":"G","choices":[{"id":"c","label":"C","requires":["nothing"]}]}],
			"matrices":[{"id":"m","name":"M","x":"w","y":"w","x_breaks":[9],"y_breaks":[9],"amounts":[[7]]}],
			"components":[{"product_id":"50000000-0000-4000-8000-000000000001","qty":"0.000001"}]}}],
	"discounts":[{"id":"60000000-0000-4000-8000-000000000001","name":"B","kind":"bogo","buy":{},"get":{}}],
	"redirects":[{"from":"/a","to":"/b"}]}`

func TestDefaultsOfEveryNoun(t *testing.T) {
	doc := mustParse(t, sparse)
	expect(t, "key", doc.Keys[0], commerce.APIKey{Name: "k", Hash: commerce.HashSecret([]byte("secret"))})
	expect(t, "customer", doc.Customers[0], commerce.Customer{
		ID: id("30000000-0000-4000-8000-000000000001"), Email: "a@b", Approved: true,
		Addresses: []commerce.Address{{Type: "shipping", Name: "A", Street: "S", PostalCode: "1", City: "C", Country: "nl"}},
	})
	expect(t, "category", doc.Store.Categories[0], commerce.Category{ID: id("40000000-0000-4000-8000-000000000001"), Name: "C", Slug: "c"})
	expect(t, "product", doc.Store.Products[0], &commerce.Product{
		ID: roller, Name: "P", Slug: "p", Active: true, RequiresShipping: true, Returnable: true, Tax: &commerce.TaxRate{Code: "s", Rate: 21 * percent},
		Prices:   commerce.Prices{Tiers: []commerce.Tier{{MinQuantity: commerce.One, Price: 5}}},
		Variants: []commerce.Variant{{ID: id("51000000-0000-4000-8000-000000000001"), Name: "V", Active: true}},
	})
	doc.Store.Products[1].Configurator.Engine = nil // package configurator tests it
	expect(t, "made to measure", doc.Store.Products[1], &commerce.Product{
		ID: id("50000000-0000-4000-8000-000000000002"), Name: "M", Slug: "m", Active: true, RequiresShipping: true,
		Tax: &commerce.TaxRate{Code: "s", Rate: 21 * percent}, Capability: commerce.MadeToMeasure,
		Configurator: &commerce.Configurator{
			Dimensions: []commerce.Dimension{{Key: "w", Label: "W", Unit: "mm", Max: 9, Step: 1}},
			Groups:     []commerce.ChoiceGroup{{ID: "g", Label: "G", Choices: []commerce.Choice{{ID: "c", Label: "C", Requires: []string{"nothing"}}}}},
			Matrices: []commerce.Matrix{{
				ID: "m", Name: "M", X: "w", Y: "w", XBreaks: []int64{9}, YBreaks: []int64{9}, Amounts: [][]commerce.Amount{{7}},
			}},
			Components: []commerce.Component{{ProductID: roller, Quantity: 1, Per: "unit"}},
		},
	})
	expect(t, "discount", doc.Store.Discounts[0], commerce.Discount{
		ID: id("60000000-0000-4000-8000-000000000001"), Name: "B", Kind: commerce.DiscountBogo, Active: true,
		Buy: commerce.BogoBuy{MinQuantity: commerce.One},
		Get: commerce.BogoGet{Quantity: commerce.One, Percent: commerce.Hundred},
	})
	expect(t, "redirect", doc.Store.Redirects[0], commerce.Redirect{From: "/a", To: "/b", Status: 301})
}

// A member that is null is absent.
func TestNullIsAbsent(t *testing.T) {
	got := mustParse(t, strings.Replace(minimal, `"modules":[]`, `"modules":[],"suspended":null,"prices_include_tax":null,
		"rate_limit_per_minute":null,"policy":null,"quotes":{"enabled":null,"customer_group_ids":null},"stock_hold_minutes":null,"orders":{"payment_minutes":null},
		"webhooks":null`, 1))
	expect(t, "store", got.Store, mustParse(t, minimal).Store)
}

func TestTheStoreKeepsNothingOfTheText(t *testing.T) {
	data := []byte(full(t))
	doc, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = '#'
	}
	expect(t, "document", doc, mustParse(t, full(t)))
}
