package stock

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// Stock is kept in three hashes and a sorted set. What a cart holds, and its place
// among the sums and the expiries, are only ever written together.

// OnHandKey is the stock on hand: {<store>}:onhand, item → millionths.
func OnHandKey(store uuid.UUID) string { return records.SingleKey(store, "onhand") }

// HeldKey is what carts hold, added up: {<store>}:held, item → millionths.
func HeldKey(store uuid.UUID) string { return records.SingleKey(store, "held") }

// CartKey is what one cart holds: {<store>}:hold:<cart id>, item → millionths.
func CartKey(store, cart uuid.UUID) string { return CartHoldPrefix(store) + cart.String() }

func CartHoldPrefix(store uuid.UUID) string { return records.KeyPrefix(store, "hold") }

// HoldsKey is when carts' holds expire: {<store>}:holds, cart id → Unix milliseconds.
func HoldsKey(store uuid.UUID) string { return records.SingleKey(store, "holds") }

// Change is what a visit changes of the stock that its cart holds: everything, where what the
// cart holds may be gone before the visit is. It is the same for each of the visit's sendings.
func Change(v *engine.Visit[*commerce.Cart]) *commerce.HoldChange {
	last := v.Judged.Add(max(v.Tolerance, v.Deadline.Sub(v.SentAt)))
	gone := v.Before != nil && !v.Before.Hold.Until.IsZero() && !v.Before.Hold.Until.After(last)
	return commerce.ChangeHold(v.Before, v.Next.State, gone)
}

// KeysOf are where stock is kept that a cart holds.
func KeysOf(store, cart uuid.UUID) records.StockKeys {
	return records.StockKeys{OnHand: OnHandKey(store), Held: HeldKey(store), Own: CartKey(store, cart)}
}
