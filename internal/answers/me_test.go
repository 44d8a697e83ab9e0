package answers

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Spec: single-object endpoints such as GET /v1/api/me return a bare object. A store with a shipping
// method that has no list of countries delivers everywhere: null.
func TestMe(t *testing.T) {
	minimum := commerce.Amount(2500)
	store := func(methods ...commerce.ShippingMethod) *commerce.Store {
		return &commerce.Store{
			ID: uuid.UUID{7}, Name: "Northwind Blinds", Modules: commerce.Modules(0).With(commerce.ModuleCatalog), PricesIncludeTax: true,
			RateLimit: 120, ShippingMethods: methods,
		}
	}
	for _, c := range []struct {
		store      *commerce.Store
		key        *commerce.APIKey
		countries  any
		linePrices string
	}{
		{store(), &commerce.APIKey{Name: "storefront", Scopes: commerce.AllScopes()}, []string{}, "keep"},
		{
			&commerce.Store{Name: "Ä/<>&", Country: commerce.Country{'N', 'L'}, RateLimit: 2_000_000_000,
				ShippingMethods: []commerce.ShippingMethod{{Name: "Post"}}, Policy: commerce.Policy{
					IdentityMode: "login_required", Audience: "b2b_only", MinOrderValue: &minimum, MaxLines: 7,
					LinePrices: commerce.FollowPrices, MaxDiscountCodes: 3, MaxQuantityPerLine: 5_000,
					Pricing: commerce.PricingDisplay{GuestPriceVisibility: "hidden", VATDisplay: "ex", ShowTierTable: true},
				}}, &commerce.APIKey{Name: `a "b"`}, nil, "follow",
		},
		{store(commerce.ShippingMethod{Countries: []commerce.Country{{'N', 'L'}, {'B', 'E'}}}), &commerce.APIKey{}, []string{"NL", "BE"}, "keep"},
	} {
		s := c.store
		got := string(Me.Append(nil, MeView{s, c.key, &commerce.Visitor{}}))
		if want := slowJSON(object{
			"store", object{"id", s.ID, "name", s.Name}, "key", object{"name", c.key.Name, "scopes", append([]string{}, c.key.Scopes.Names()...)},
			"modules", append([]string{}, s.Modules.Names()...), "currency", "EUR", "prices_include_tax", s.PricesIncludeTax,
			"policy", slowPolicy(&s.Policy, s.Policy.Pricing.VATDisplay), "country", orNull(s.Country.String()), "shipping_countries", c.countries,
			"rate_limit", object{"limit", s.RateLimit, "window_seconds", 60},
			"offers", object{"line_prices", c.linePrices, "max_discount_codes", max(1, s.Policy.MaxDiscountCodes)},
		}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
