// Package scale owns the tests of a service that grows: three nodes behind HAProxy on one Redis, on
// a Redis with replicas and sentinels, and on a Redis Cluster. Nodes and servers come, go and die
// under load, and the table of what requests notice is written to docs/scaling.md. The journeys of
// package blackbox run on the same services.
//
// It refuses to know how cartd keeps its promises. Open first: outcomes_test.go (the table), then
// service_test.go (what is disturbed) and load_test.go (who notices).
package scale
