// Package process owns the processes that the load harness and the tests start: cartd, the floor and
// redis-server. It keeps a program's output and finds the listen address in it.
//
// It refuses to know requests and answers. Open first: process.go, then redis.go.
package process
