package main

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// ballast is memory that nobody touches, in bytes: it takes none, but counts as in use,
// so that a node with few carts does not collect its garbage several times a second.
const ballast = 16 << 20

// minMemoryLimit is the least Go memory limit that cartd sets, so that a small --resident
// does not make the collector work all the time.
const minMemoryLimit = 128 << 20

// memoryLimit is the Go memory limit of a process that may keep so many bytes of records, and
// in which so many bytes of all kinds are live. It is below twice the records, because the
// program itself and threads take memory that Go does not count. Where stores and
// connections take most of the memory, the garbage may be half of what is live.
func memoryLimit(resident, live int64) int64 {
	resident = min(resident, math.MaxInt64/2)
	return max(minMemoryLimit, 2*resident-resident/8, live+live/2)
}

// limitGarbage keeps the Go memory limit at memoryLimit until the context ends. An operator's
// GOMEMLIMIT counts instead.
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
