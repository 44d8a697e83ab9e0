// Package configurator judges and prices configurations of products made to
// measure, as the store document's page describes it: dimensions, choices and their
// rules, matrices, components, the hash that tells configurations apart.
//
// An Engine is made once, when a store is loaded; what is available is found then.
// A request only looks up. The package knows no cart, no customer and no wire format.
//
// Open first: engine.go (what is worked out at load, the order of a judgement),
// choices.go and dimensions.go (the rules), price.go.
package configurator
