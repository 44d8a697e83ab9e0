package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// MeView is the store and the key of a request, as its visitor sees them.
type MeView struct {
	Store   *commerce.Store
	Key     *commerce.APIKey
	Visitor *commerce.Visitor
}

// Me shows the store and the key of a request. Spec: GET /v1/api/me returns a bare object.
var Me = Object("Me",
	Value("store", Object("Store",
		Member("id", UUID, "", func(s *commerce.Store) *uuid.UUID { return &s.ID }),
		Member("name", Text, "", func(s *commerce.Store) *string { return &s.Name }),
	), "", storeOfMe),
	Value("key", Object("Key",
		Member("name", Text, "", func(k *commerce.APIKey) *string { return &k.Name }),
		Value("scopes", Texts, "", func(k *commerce.APIKey) []string { return k.Scopes.Names() }),
	), "", func(v MeView) *commerce.APIKey { return v.Key }),
	Value("modules", Texts, "The enabled modules.", func(v MeView) []string { return v.Store.Modules.Names() }),
	Constant[MeView]("currency", commerce.Currency, ""),
	Member("prices_include_tax", Boolean, "", func(v MeView) *bool { return &v.Store.PricesIncludeTax }),
	Value("policy", Policy, "The store's settings as a cart of the visitor shows them.",
		func(v MeView) PolicyView { return PolicyView{&v.Store.Policy, v.Store.VATDisplay(v.Visitor)} }),
	Member("country", countryOrNull, "The store's own, upper case; null if it does not tax by country.",
		func(v MeView) *commerce.Country { return &v.Store.Country }),
	Value("shipping_countries", IfThere(Viewed(Text, func(c *commerce.Country) string { return c.String() })),
		"The countries that the store delivers to, upper case; null: everywhere. Empty if the store has no shipping method.",
		func(v MeView) Maybe[[]commerce.Country] {
			countries, limited := v.Store.ShippingCountries()
			return Maybe[[]commerce.Country]{countries, limited}
		}),
	Value("rate_limit", Object("RateLimit",
		Member("limit", Integer, "", func(s *commerce.Store) *int { return &s.RateLimit }),
		Value("window_seconds", Integer, "", func(*commerce.Store) int { return int(commerce.RateWindow / time.Second) }),
	), "", storeOfMe),
	Value("offers", Object("Offers",
		Value("line_prices", Names(commerce.LinePricesNames()...), "The unit price of a line whose price has moved since its last add or change: "+
			"keep: the stored one; lower: the lower of the stored and the current one; follow: the current one.",
			func(s *commerce.Store) string { return s.Policy.LinePrices.String() }),
		Value("max_discount_codes", Integer, "The number of discount codes that a cart can have.",
			func(s *commerce.Store) int { return s.Policy.CodeLimit() }),
	), "", storeOfMe),
)

func storeOfMe(v MeView) *commerce.Store { return v.Store }
