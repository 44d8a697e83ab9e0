// Package bench is the load harness: a client of the public HTTP API that sends
// what a seed decides, measures what it took, and checks every answer against its
// own idea of what the cart must be.
//
// It knows no server: what is sent and how answers are read stands in an adapter
// (adapters/*.json), what visitors do in a scenario (scenarios.go), what a line
// costs in the harness's own catalogue. It imports no package of the server, so that
// a fault of the server's arithmetic cannot hide in the check.
//
// Latency in an open loop counts from the moment a request was meant to be sent:
// requests that a slow server keeps waiting are in the percentiles.
//
// Open first: world.go and load.go (a run), decide.go (what is sent), pace.go (when it
// is sent), judge.go (what is checked).
package bench
