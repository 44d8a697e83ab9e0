// Package history owns what a run recorded and the checks on it: what was called
// when, what came back, and whether one service that does one thing at a time, and
// forgets nothing, could have answered so.
//
// It starts nothing and asks nothing; times are durations since the start of a
// run.
//
// Open first: op.go (what is recorded), check.go (what is checked), restore.go
// (what a Redis that lost its tail excuses).
package history
