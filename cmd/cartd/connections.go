package main

import (
	"math"
	"syscall"
)

const (
	// maxConnections is the maximum number of clients that are connected at a time.
	maxConnections = 1 << 16
	// reservedFiles are file descriptors that clients cannot use: 33 for each Redis or server of a
	// cluster (66 for the embedded Redis), 64 for the receivers of webhooks, 64 for connections
	// that are being refused, the rest for operators and in reserve.
	reservedFiles = 256
)

// connectionLimit returns the maximum number of connected clients under the process's limit of open
// files, which Go has raised as far as it may. Enough files stay free to reach Redis when all
// clients are connected.
func connectionLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return maxConnections
	}
	files := int(min(limit.Cur, math.MaxInt32))
	return max(1, min(maxConnections, files-min(reservedFiles, files/2)))
}
