package stock

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// Stock is kept in three hashes and a sorted set. A cart's hold, its part of the sums and its
// expiry are always written together.

// OnHandKey is the key of the stock on hand: {<store>}:onhand, item → millionths.
func OnHandKey(store uuid.UUID) string { return records.SingleKey(store, "onhand") }

// HeldKey is the key of the sums of all holds: {<store>}:held, item → millionths.
func HeldKey(store uuid.UUID) string { return records.SingleKey(store, "held") }

// CartKey is the key of one cart's hold: {<store>}:hold:<cart id>, item → millionths.
func CartKey(store, cart uuid.UUID) string { return cartHoldPrefix(store) + cart.String() }

func cartHoldPrefix(store uuid.UUID) string { return records.KeyPrefix(store, "hold") }

// HoldsKey is the key of the expiries of carts' holds: {<store>}:holds, cart id → Unix
// milliseconds.
func HoldsKey(store uuid.UUID) string { return records.SingleKey(store, "holds") }

// Change is the change that a visit makes to its cart's hold. It is the whole hold if the
// stored one may be released ahead of the visit: it expires, or a clock that was ahead wrote it.
// All sendings of a visit have the same change.
func Change(v *engine.Visit[*commerce.Cart]) *commerce.HoldChange {
	last := v.Judged.Add(max(v.Tolerance, v.Deadline.Sub(v.SentAt)))
	gone := false
	if v.Before != nil && !v.Before.Hold.Until.IsZero() {
		until := v.Before.Hold.Until
		gone = !until.After(last) || until.After(v.Judged.Add(maxHold))
	}
	return commerce.ChangeHold(v.Before, v.Next.State, gone)
}

// KeysOf are the stock keys that a cart's hold needs.
func KeysOf(store, cart uuid.UUID) records.StockKeys {
	return records.StockKeys{OnHand: OnHandKey(store), Held: HeldKey(store), Own: CartKey(store, cart)}
}
