// Package stock owns the keys of stock: on hand, held over all carts, held by each cart, and when
// holds expire. It reads levels, says what a cart's visit changes of them, and releases holds that
// have expired.
//
// It does not decide what is sold: a sale and an adjustment are visits (persistence/sale.go).
//
// Open first: hold.go (keys, what a visit changes), expire_holds.go, levels.go.
package stock
