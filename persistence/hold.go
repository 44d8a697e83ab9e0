package persistence

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
)

// Stock is kept in three hashes and a sorted set. What a cart holds, and its place
// among the sums and the expiries, are only ever written together.

// onHandKey is the stock on hand: {<store>}:onhand, item → millionths.
func onHandKey(store uuid.UUID) string { return SingleKey(store, "onhand") }

// heldKey is what carts hold, added up: {<store>}:held, item → millionths.
func heldKey(store uuid.UUID) string { return SingleKey(store, "held") }

// cartHoldKey is what one cart holds: {<store>}:hold:<cart id>, item → millionths.
func cartHoldKey(store, cart uuid.UUID) string { return cartHoldPrefix(store) + cart.String() }

func cartHoldPrefix(store uuid.UUID) string { return KeyPrefix(store, "hold") }

// holdsKey is when carts' holds expire: {<store>}:holds, cart id → Unix milliseconds.
func holdsKey(store uuid.UUID) string { return SingleKey(store, "holds") }

// holdChange is what a visit changes of the stock that its cart holds: everything, where what the
// cart holds may be gone before the visit is. It is the same for each of the visit's sendings.
func holdChange(v *engine.Visit[*commerce.Cart]) *commerce.HoldChange {
	last := v.Judged.Add(max(v.Tolerance, v.Deadline.Sub(v.SentAt)))
	gone := v.Before != nil && !v.Before.Hold.Until.IsZero() && !v.Before.Hold.Until.After(last)
	return commerce.ChangeHold(v.Before, v.Next.State, gone)
}

// stockKeys are where stock is kept that a cart holds.
func stockKeys(store, cart uuid.UUID) records.StockKeys {
	return records.StockKeys{OnHand: onHandKey(store), Held: heldKey(store), Own: cartHoldKey(store, cart)}
}
