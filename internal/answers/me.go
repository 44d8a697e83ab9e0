package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// MeView is the store and the key of a request, as its visitor sees them.
type MeView struct {
	Store   *commerce.Store
	Key     *commerce.APIKey
	Visitor *commerce.Visitor
}

// Me shows the store and the key of a request. Spec: GET /v1/api/me returns a bare object.
var Me = field.Object("Me",
	field.Value("store", field.Object("Store",
		field.Member("id", UUID, "", func(s *commerce.Store) *uuid.UUID { return &s.ID }),
		field.Member("name", Text, "", func(s *commerce.Store) *string { return &s.Name }),
	), "", storeOfMe),
	field.Value("key", field.Object("Key",
		field.Member("name", Text, "", func(k *commerce.APIKey) *string { return &k.Name }),
		field.Value("scopes", Texts, "", func(k *commerce.APIKey) []string { return k.Scopes.Names() }),
	), "", func(v MeView) *commerce.APIKey { return v.Key }),
	field.Value("modules", Texts, "The enabled modules.", func(v MeView) []string { return v.Store.Modules.Names() }),
	Constant[MeView]("currency", commerce.Currency, ""),
	field.Member("prices_include_tax", Boolean, "", func(v MeView) *bool { return &v.Store.PricesIncludeTax }),
	field.Value("policy", Policy, "The store's settings as a cart of the visitor shows them.",
		func(v MeView) PolicyView { return PolicyView{&v.Store.Policy, v.Store.VATDisplay(v.Visitor)} }),
	field.Member("country", countryOrNull, "The store's own, upper case; null if it does not tax by country.",
		func(v MeView) *commerce.Country { return &v.Store.Country }),
	field.Value("shipping_countries", field.IfThere(field.Viewed(Text, func(c *commerce.Country) string { return c.String() })),
		"The countries that the store delivers to, upper case; null: everywhere. Empty if the store has no shipping method.",
		func(v MeView) field.Maybe[[]commerce.Country] {
			countries, limited := v.Store.ShippingCountries()
			return field.Maybe[[]commerce.Country]{Value: countries, There: limited}
		}),
	field.Value("rate_limit", field.Object("RateLimit",
		field.Member("limit", Integer, "", func(s *commerce.Store) *int { return &s.RateLimit }),
		field.Value("window_seconds", Integer, "", func(*commerce.Store) int { return int(commerce.RateWindow / time.Second) }),
	), "", storeOfMe),
	field.Value("offers", field.Object("Offers",
		field.Value("line_prices", Names(commerce.LinePricesNames()...), "The unit price of a line whose price has moved since its last add or change: "+
			"keep: the stored one; lower: the lower of the stored and the current one; follow: the current one.",
			func(s *commerce.Store) string { return s.Policy.LinePrices.String() }),
		field.Value("max_discount_codes", Integer, "The number of discount codes that a cart can have.",
			func(s *commerce.Store) int { return s.Policy.CodeLimit() }),
	), "", storeOfMe),
)

func storeOfMe(v MeView) *commerce.Store { return v.Store }
