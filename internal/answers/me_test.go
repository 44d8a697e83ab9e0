package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// meAnswers are stores with their keys. Spec: single-object endpoints such as GET /v1/api/me return a bare object. A store with a
// shipping method that has no list of countries delivers everywhere: null.
func meAnswers() (all []shown) {
	minimum := commerce.Amount(2500)
	show := func(name string, policy commerce.Policy, key *commerce.APIKey, methods ...commerce.ShippingMethod) {
		s := &commerce.Store{
			ID: uuid.UUID{7}, Name: "Northwind Blinds", Modules: commerce.Modules(0).With(commerce.ModuleCatalog), PricesIncludeTax: true,
			RateLimit: 120, ShippingMethods: methods, Policy: policy, Country: commerce.Country{'N', 'L'},
		}
		all = append(all, shown{name, Me.Append(nil, MeView{s, key, &commerce.Visitor{}})})
	}
	show("without delivery", commerce.Policy{}, &commerce.APIKey{Name: "storefront", Scopes: commerce.AllScopes()})
	show("delivering everywhere", commerce.Policy{
		IdentityMode: "login_required", Audience: "b2b_only", MinOrderValue: &minimum, MaxLines: 7,
		LinePrices: commerce.FollowPrices, MaxDiscountCodes: 3, MaxQuantityPerLine: 5_000,
		Pricing: commerce.PricingDisplay{GuestPriceVisibility: "hidden", VATDisplay: "ex", ShowTierTable: true},
	}, &commerce.APIKey{Name: `a "b"`}, commerce.ShippingMethod{Name: "Post"})
	show("delivering to two countries", commerce.Policy{}, &commerce.APIKey{}, commerce.ShippingMethod{Countries: []commerce.Country{{'N', 'L'}, {'B', 'E'}}})
	return all
}
