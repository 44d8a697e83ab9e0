// Package suite owns the standard set of measurements. It starts a fresh Redis, cartd and the floor
// as processes, runs both sides of each case in turn, and computes the ratio of each pair of runs. In
// a pair, other work on the machine affects both sides.
//
// It owns the cases (cases.go), their processes (stand.go) and the ratios (pairs.go). It refuses to
// know how load is made and checked: that is package bench.
//
// Open first: cases.go.
package suite
