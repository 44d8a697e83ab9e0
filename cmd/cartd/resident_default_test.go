package main

import (
	"math"
	"testing"

	"cartd/internal/commandline"
)

func TestTheDefaultOfResidentFollowsGoMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]commandline.Bytes{math.MaxInt64: 1 << 30, 1 << 30: 256 << 20, 1: 1} {
		if got := defaultResident(limit); got != want {
			t.Errorf("with a limit of %d: %v, want %v", limit, got, want)
		}
	}
}
