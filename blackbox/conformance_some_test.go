//go:build !conformance

package blackbox_test

// everyExchange: `make test-long` checks every exchange of the suite, other runs check a sample.
const everyExchange = false
