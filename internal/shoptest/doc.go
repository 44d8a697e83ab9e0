// Package shoptest is the world of the tests of persistence and its rooms: a store with its people as a document, the waits, what was
// logged, and the round trips of a client. It knows no room, so that each of them can use it. Start with shop.go.
package shoptest
