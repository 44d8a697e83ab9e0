//go:build conformance

package blackbox_test

// everyExchange: `make test-long` checks every exchange of the suite.
const everyExchange = true
