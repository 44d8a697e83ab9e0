package persistence

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// accountCartsKey is the index of a customer's active carts: {<store>}:carts:<customer id>, cart
// id → creation in Unix milliseconds. It leaves with its last written cart.
func accountCartsKey(store, customer uuid.UUID) string {
	return keyPrefix(store, "carts") + customer.String()
}

// indexCart enters the cart that a visit writes into the index of its account, or takes it out.
// Lifecycle: Claim, how they are found.
func indexCart(w *wire, v *engine.Visit[*commerce.Cart]) {
	w.indexCart(v.Key.Store, v.Next.State, v.Judged.Add(-v.Tolerance))
}

// indexCart is for any cart of a visit that comes to Redis after a moment.
func (w *wire) indexCart(store uuid.UUID, c *commerce.Cart, after time.Time) {
	if !c.Customer.Bound() || c.Customer.Guest {
		return
	}
	key := accountCartsKey(store, c.Customer.ID)
	if c.Status != commerce.CartActive {
		w.Plan.Sorted("ZREM", key, c.ID.String())
		return
	}
	w.Plan.Sorted("ZADD", key, millis(c.CreatedAt), c.ID.String())
	w.Plan.Write("PEXPIRE", key, strconv.FormatInt(c.ExpiresAt.Sub(after).Milliseconds(), 10))
}
