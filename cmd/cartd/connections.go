package main

import (
	"math"
	"syscall"
)

const (
	// mostConnections is how many clients may be connected at a time.
	mostConnections = 1 << 16
	// reservedFiles are kept from clients: 33 for each Redis (twice with the embedded
	// one) or server of a cluster, 64 for the receivers of webhooks, 64 for connections
	// that are being refused, the rest for operators and a reserve.
	reservedFiles = 256
)

// maxConnections is how many clients may be connected at a time under the process's limit
// of open files, which Go has raised as far as it may be: so many that Redis can still be
// reached when all are.
func maxConnections() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return mostConnections
	}
	files := int(min(limit.Cur, math.MaxInt32))
	return max(1, min(mostConnections, files-min(reservedFiles, files/2)))
}
