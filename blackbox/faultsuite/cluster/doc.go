// Package cluster owns the processes of the fault suite: cartd nodes, built from this checkout, and
// one real redis-server. Each node reaches Redis through a TCP proxy of its own. The package breaks
// each of them and repairs it.
//
// It refuses to know requests and answers. Only tests import it. A failed build or start ends the
// test, so call its methods on the test's own goroutine.
//
// Open first: cluster.go (what a test holds), proxy.go (how the network fails),
// build.go (how a control is made to fail).
package cluster
