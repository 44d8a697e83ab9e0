package main

import (
	"math"
	"testing"
)

func TestTheMemoryLimitFollowsRecordsAndLiveMemory(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		about                string
		resident, live, want int64
	}{
		{"more records than other memory", 128 * mib, 152 * mib, 240 * mib},
		{"hardly any record yet", 1 << 30, 20 * mib, 1920 * mib},
		{"few records are allowed", 1, 20 * mib, minMemoryLimit},
		{"more stores than records", 16 * mib, 200 * mib, 300 * mib},
		{"as many records as there can be", math.MaxInt64, 20 * mib, math.MaxInt64/2 + math.MaxInt64/2 - math.MaxInt64/2/8},
	} {
		if got := memoryLimit(c.resident, c.live); got != c.want {
			t.Errorf("%s: %d, want %d", c.about, got, c.want)
		}
	}
}

func TestLittleLiveMemoryIsCollectedRarely(t *testing.T) {
	const mib = 1 << 20
	for live, want := range map[int64]int{0: 400, 8 * mib: 400, 32 * mib: 100, 1 << 30: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("%d bytes are live: %d %%, want %d %%", live, got, want)
		}
	}
}
