package commerce

import "time"

// RateWindow is the length of the sliding window of every request limit.
// Spec: Limits, Request rate.
const RateWindow = time.Minute

// DefaultRateLimit is the number of requests within RateWindow for a store without its own limit,
// and for every unauthenticated client address. Spec: Limits, Request rate.
const DefaultRateLimit = 120

// merchantScopes are those of keys that never stand in a browser, and whose holder has to act when
// visitors have used up the limit.
var merchantScopes = AnyOf(OrdersRead, OrdersWrite, CatalogManage)

// merchantShare is the part of a limit by which a merchant's requests may exceed it.
const merchantShare = 4

// Beyond is the number of requests by which those of the key may exceed a store's limit: a quarter of
// it for a merchant's key, 0 for all others and without a key.
func (k *APIKey) Beyond(limit int) int {
	if k == nil || k.Revoked || !k.Scopes.Meets(merchantScopes) {
		return 0
	}
	return limit / merchantShare
}
