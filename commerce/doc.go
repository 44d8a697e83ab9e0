// Package commerce holds the rules of the storefront, pure: money, quantities,
// stores, products, prices, carts, contacts, quotes and their transitions, orders, discounts, tax,
// totals, quote triggers and every refusal a client can meet.
//
// It knows no network, no storage, no clock, no randomness and no goroutine:
// times and ids come in as arguments, and what has to be written beside the
// cart goes out as Effects.
//
// Open first: cart.go and contact.go (the states), transition.go and line.go
// (how a request changes them), refusal.go (every answer that is not a success).
package commerce
