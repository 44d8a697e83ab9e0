package httpserver

import (
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// meShape is the shape of the answer.
var meShape = openapi.Object("Me").
	Has("store", openapi.Object("Store").Has("id", openapi.UUID, "").Has("name", openapi.Text, ""), "").
	Has("key", openapi.Object("Key").Has("name", openapi.Text, "").Has("scopes", openapi.List(openapi.Text), ""), "").
	Has("modules", openapi.List(openapi.Text), "The enabled modules.").
	Has("currency", openapi.Names(commerce.Currency), "").
	Has("prices_include_tax", openapi.Boolean, "").
	Has("policy", policyShape, "The store's settings as a guest's cart shows them.").
	Has("shipping_countries", openapi.List(openapi.Text).OrNull(), "The countries that the store delivers to, upper case; null: everywhere. Empty if the store has no shipping method.").
	Has("rate_limit", openapi.Object("RateLimit").Has("limit", openapi.Integer, "").Has("window_seconds", openapi.Integer, ""), "")

// handleMe shows the store and the key of the request. Spec: GET /v1/api/me returns a bare object.
func handleMe(_ *Server, x *exchange) error {
	x.out = appendMe(x.out, x.facts.Store, x.facts.Key)
	return nil
}

func appendMe(dst []byte, s *commerce.Store, key *commerce.APIKey) []byte {
	dst = appendUUID(append(dst, `{"store":{"id":`...), s.ID)
	dst = appendString(append(dst, `,"name":`...), s.Name)
	dst = appendString(append(dst, `},"key":{"name":`...), key.Name)
	dst = appendStrings(append(dst, `,"scopes":`...), key.Scopes.Names())
	dst = appendStrings(append(dst, `},"modules":`...), s.Modules.Names())
	dst = appendString(append(dst, `,"currency":`...), commerce.Currency)
	dst = strconv.AppendBool(append(dst, `,"prices_include_tax":`...), s.PricesIncludeTax)
	dst = appendPolicy(append(dst, `,"policy":`...), &s.Policy, s.Policy.Pricing.VATDisplay)
	dst = appendShippingCountries(append(dst, `,"shipping_countries":`...), s)
	dst = strconv.AppendInt(append(dst, `,"rate_limit":{"limit":`...), int64(s.RateLimit), 10)
	dst = strconv.AppendInt(append(dst, `,"window_seconds":`...), int64(commerce.RateWindow/time.Second), 10)
	return append(dst, `}}`...)
}

// appendShippingCountries writes the countries of delivery, or null if a method delivers everywhere.
func appendShippingCountries(dst []byte, s *commerce.Store) []byte {
	countries, limited := s.ShippingCountries()
	if !limited {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, country := range countries {
		dst = appendString(appendComma(dst, i), country.String())
	}
	return append(dst, ']')
}
