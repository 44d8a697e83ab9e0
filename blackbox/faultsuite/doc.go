// Package faultsuite owns the proof of what is promised (docs/reliability.md#what-is-promised) on real
// processes and a real Redis: an answered write is not lost, no command takes effect twice, and every
// node shows the same, while processes are killed and stopped, connections are cut and Redis is
// restored. Its controls are builds of cartd without one safeguard; the suite has to notice each.
//
// It refuses to know how cartd keeps its promises. It is a client: it sends requests, causes faults
// and checks answers. The expected effects of commands are in faultsuite/model, the checks in
// faultsuite/history, the processes in faultsuite/cluster.
//
// Open first: storm.go (a run), faults.go (the faults), worker.go (the clients), controls_test.go
// (the faults of cartd that the suite has to notice). market.go, sales.go and quotes.go are runs of their
// own: of checkouts and quotes, of what becomes of orders, and of the quotes that the merchant writes.
package faultsuite
