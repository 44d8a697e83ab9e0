// Package cluster runs what the fault suite is about: cartd processes, built from
// this very checkout, on one real redis-server, each behind a TCP proxy of its own.
//
// It knows how to break each of them and to mend it again, and nothing of what they
// answer. Only tests import it; what goes wrong in building or starting ends the
// test, so its methods are for the test's own goroutine.
//
// Open first: cluster.go (what a test holds), proxy.go (how the network fails),
// build.go (how a control is made to fail).
package cluster
