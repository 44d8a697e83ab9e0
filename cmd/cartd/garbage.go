package main

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// ballast is unused memory, in bytes. It takes no physical memory, but Go counts it as in use.
// Therefore a node with few carts does not collect garbage several times a second.
const ballast = 16 << 20

// minMemoryLimit is the lowest Go memory limit that cartd sets, so that a small --resident does not
// keep the collector busy.
const minMemoryLimit = 128 << 20

// memoryLimit returns the Go memory limit for this much memory of records (resident) and this much
// live memory of all kinds. It is below twice resident, because the program and its threads use
// memory that Go does not count. If stores and connections use more than the records do, it leaves
// half of the live memory for garbage.
func memoryLimit(resident, live int64) int64 {
	resident = min(resident, math.MaxInt64/2)
	return max(minMemoryLimit, 2*resident-resident/8, live+live/2)
}

// limitGarbage sets the Go memory limit to memoryLimit every second until the context ends. If the
// operator has set GOMEMLIMIT, it does nothing.
func limitGarbage(ctx context.Context, resident int64) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for set := int64(0); ; {
		metrics.Read(live)
		if limit := memoryLimit(resident, int64(live[0].Value.Uint64())); limit != set {
			debug.SetMemoryLimit(limit)
			set = limit
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
