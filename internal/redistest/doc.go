// Package redistest gives tests a Redis of their own: a real redis-server as a
// child process, or a miniredis inside the test. Each runs one test on both, so
// that the two are held to the same answers.
//
// It knows no key and no script; only tests import it. It stands here and not in blackbox,
// for the tests of persistence, ratelimit and bench need it too.
//
// Open first: server.go (what a test holds); the child process is of bench/process.
package redistest
