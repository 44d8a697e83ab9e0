// Package redistest owns the Redis servers of tests: a real redis-server as a child process, or a
// miniredis inside the test. Each runs one test on both, so that both must give the same answers.
//
// It refuses to know keys and scripts. Only tests import it. It is a folder of its own because
// tests of persistence, ratelimit, bench and blackbox need it.
//
// Open first: server.go (the type Server), hook.go (a test between a client and its commands).
// Package internal/process runs the child process.
package redistest
