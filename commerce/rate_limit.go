package commerce

import (
	"time"
)

// RateWindow is the length of the sliding window of every request limit.
// Spec: Limits, Request rate.
const RateWindow = time.Minute

// DefaultRateLimit is the number of requests within RateWindow for a store without its own limit,
// and for every unauthenticated client address. Spec: Limits, Request rate.
const DefaultRateLimit = 120

// merchantScopes are those of keys that never stand in a browser, and whose holder has to act when
// visitors have used up the limit.
var merchantScopes = AnyOf(OrdersRead, OrdersWrite, CatalogManage, ContactsManage, SalesManage, StoreRead)

// merchantShare is the part of a limit by which a merchant's requests may exceed it.
const merchantShare = 4

// Merchant reports whether the key is one of the merchant's own systems.
func (k *APIKey) Merchant() bool { return k != nil && !k.Revoked && k.Scopes.Meets(merchantScopes) }

// Beyond is the number of requests by which those of the key may exceed a store's limit: a quarter of
// it for a merchant's key, 0 for all others and without a key.
func (k *APIKey) Beyond(limit int) int {
	if !k.Merchant() {
		return 0
	}
	return limit / merchantShare
}

// Limits are the parts of a store's request limit. docs/api/limits.md#budgets-inside-a-store
type Limits struct {
	// PerClient is the number of requests that one client may make within RateWindow on a node; 0 if
	// there is no such limit.
	PerClient int
	// ReservedForCarts is the number of requests of the store's limit that routes which yield to carts
	// do not get.
	ReservedForCarts int
}

// Reserve is what counts of ReservedForCarts under a store's limit: at most half of it.
func (l Limits) Reserve(limit int) int { return min(l.ReservedForCarts, limit/2) }

// Beyond is APIKey.Beyond for a request of the key. If its route may use unreserved requests only, it has to stop ahead of
// the limit: the number is negative then. The merchant's requests do not yield.
func (l Limits) Beyond(key *APIKey, limit int, unreserved bool) int {
	if unreserved && l.ReservedForCarts > 0 && !key.Merchant() {
		return -l.Reserve(limit)
	}
	return key.Beyond(limit)
}

// ClientLimit is the limit of one client for requests with the key; 0 if there is none.
func (s *Store) ClientLimit(key *APIKey) int {
	if key == nil || key.NoClientLimit || s.Suspended {
		return 0
	}
	return s.Limits.PerClient
}
