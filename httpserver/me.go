package httpserver

import (
	"strconv"
	"time"

	"cartd/commerce"
)

// handleMe tells a storefront which store and key it speaks for.
// Spec: GET /v1/api/me returns a bare object.
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
	dst = strconv.AppendInt(append(dst, `,"rate_limit":{"limit":`...), int64(s.RateLimit), 10)
	dst = strconv.AppendInt(append(dst, `,"window_seconds":`...), int64(commerce.RateWindow/time.Second), 10)
	return append(dst, `}}`...)
}
