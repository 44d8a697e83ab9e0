// Package faultsuite proves what the design promises on real processes and a real
// Redis: nothing answered is lost, nothing is done twice, every node shows the same,
// whatever is killed, stopped, cut off or restored meanwhile. Its controls are
// builds of cartd with one safeguard taken out; the suite has to notice each.
//
// It is a client: it sends requests, breaks things and looks at answers, and knows
// nothing of how cartd keeps its promises. What commands do stands in
// faultsuite/model, what is checked in faultsuite/history, what runs in
// faultsuite/cluster.
//
// Open first: storm.go (a run), faults.go (what breaks), worker.go (what clients
// do), controls_test.go (what the suite has to notice).
package faultsuite
