// Package hostile owns the attacks on the built program: clients that do not read, do not send, or ask
// for as much as they may. Each attack shows that the node's memory is bounded and that another store
// is served.
//
// It refuses to know how a bound is kept. Open first: hostile_test.go, then an attack.
package hostile
