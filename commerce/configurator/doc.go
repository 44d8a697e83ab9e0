// Package configurator owns the rules and prices of made-to-measure products, as
// docs/store-document.md describes them: dimensions, choices and their rules, matrices, components,
// and the hash that identifies a configuration.
//
// An Engine is made when a store is loaded. It finds the available choices and matrices then, so
// that a request needs only lookups.
//
// The package refuses to know carts, customers and wire formats.
//
// Open first: engine.go (the tables made at load, the order of the checks), selection.go (the rules of
// dimensions and choices), price.go.
package configurator
