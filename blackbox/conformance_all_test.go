//go:build conformance

package blackbox_test

// everyExchange: `make test-long` looks at every exchange of the suite.
const everyExchange = true
