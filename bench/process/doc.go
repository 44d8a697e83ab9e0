// Package process starts the programs that the load harness and the tests need: cartd, the
// floor, redis-server. It keeps what a program prints and finds there where it listens.
//
// Open first: process.go, then redis.go.
package process
