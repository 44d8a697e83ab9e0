// Package suite runs the standard set of measurements: it starts a fresh Redis, cartd
// and the floor as processes of their own, drives both sides of each case in turn
// (pairs, so that what else the machine does falls on both), and computes the ratios
// that are judged.
//
// It owns which cases there are (cases.go), which processes they need (stand.go) and
// how pairs become ratios (pairs.go); how load is made and checked is package bench.
//
// Open first: cases.go.
package suite
