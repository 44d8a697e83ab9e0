// Package bench owns the load harness: a client of the public HTTP API. A seed decides its requests.
// It measures their latency and compares every answer with its own model of the cart.
//
// It refuses to know servers. An adapter (adapters/*.json) describes requests and answers, a
// scenario (scenario_table.go) the operations of visitors, and the harness's own catalogue the prices. It
// imports no package of the server, so that a fault in the server's arithmetic cannot hide a wrong
// answer.
//
// In an open loop, the latency of a request is counted from its intended send time. The percentiles
// therefore include requests that had to wait for a slow server.
//
// Open first: world.go and load.go (a run), decide.go (the requests), pace.go (their send times),
// answer_check.go (the checks).
package bench
