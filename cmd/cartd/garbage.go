package main

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// minGarbage is the garbage that is collected at a time, at least, in bytes. Therefore a node with few
// carts does not collect garbage several times a second.
const minGarbage = 32 << 20

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

// gcPercent returns the garbage in percent of the live memory at which it is collected.
func gcPercent(live int64) int { return int(100 * max(live, minGarbage) / max(live, 8<<20)) }

// liveMemory is what Go's memory limit counts, without garbage and free memory: the heap as the last collection
// found it, stacks, and the runtime's own.
func liveMemory() uint64 {
	read := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
	}
	metrics.Read(read)
	live := read[0].Value.Uint64() + read[1].Value.Uint64()
	for _, counted := range read[2:] {
		live -= counted.Value.Uint64()
	}
	return live
}

// limitGarbage sets the Go memory limit to memoryLimit and the percentage to gcPercent every second
// until the context ends. If the operator has set GOMEMLIMIT or GOGC, it does not set that one.
func limitGarbage(ctx context.Context, resident int64) {
	free := debug.SetMemoryLimit(-1) == math.MaxInt64
	paced := os.Getenv("GOGC") == ""
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for seen := int64(-1); ; {
		metrics.Read(live)
		if now := int64(live[0].Value.Uint64()); now != seen {
			if seen = now; free {
				debug.SetMemoryLimit(memoryLimit(resident, now))
			}
			if paced {
				debug.SetGCPercent(gcPercent(now))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
