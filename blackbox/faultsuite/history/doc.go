// Package history owns the record of a run and its checks. It records the calls and the answers
// with their times. It checks that one service which handles one command at a time and loses
// nothing could have given these answers.
//
// It starts nothing and sends nothing. Its times are durations since the start of a run.
//
// Open first: op.go (the record of one command), check.go (the checks), restore.go (losses that a
// Redis restored from an older file explains).
package history
