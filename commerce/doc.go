// Package commerce owns the rules of the storefront, as pure functions: money, quantities, stores,
// products, prices, carts, contacts, quotes and their transitions, orders, discounts, tax, totals,
// quote triggers, and every refusal that a client can get.
//
// It knows no network, no storage, no clock, no randomness and no goroutine. Times and ids are
// arguments. Writes beside the record are returned as Effects.
//
// Open first: cart.go and contact.go (the states), transition.go and line.go (how a request changes
// them), refusal.go (every answer that is not a success).
package commerce
