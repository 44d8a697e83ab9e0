// Package stock owns the keys of stock: on hand, held over all carts, held by each cart, and
// the expiries of holds. It reads levels, finds the items whose hold a cart's visit changes,
// and releases expired holds.
//
// It does not decide about sales: a sale and an adjustment are visits (persistence/order_sale.go).
//
// Open first: hold.go (keys, a visit's change of holds, and their end), levels.go.
package stock
