//go:build long

package persistence

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A page of a store with a million orders costs what one of a store with 100 orders costs, within a
// tenth: the same commands and bytes, and the time.
func TestLongPageOfAMillionOrders(t *testing.T) {
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	fileOrders(t, s, 1, 100, strings.Repeat("x", 900))
	figures := func() (commands, bytes int) {
		t.Helper()
		for line := range strings.Lines(s.Client().Info(background, "stats").Val()) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			n, _ := strconv.Atoi(value)
			switch name {
			case "total_commands_processed":
				commands = n
			case "total_net_output_bytes":
				bytes = n
			}
		}
		return commands, bytes
	}
	measure := func(last int) (commands, bytes int, took time.Duration) {
		t.Helper()
		var times []time.Duration
		before, out := figures()
		for n := range 400 {
			began := time.Now()
			if all, _ := numbers(t, db, int64(n*(last-25)/399), 25); len(all) != 25 {
				t.Fatalf("a page has %d orders", len(all))
			}
			times = append(times, time.Since(began))
		}
		after, sent := figures()
		slices.Sort(times)
		return after - before, sent - out, times[len(times)/2]
	}
	measure(100) // warms up
	commands, bytes, took := measure(100)
	fileOrders(t, s, 101, 1_000_000, strings.Repeat("x", 900))
	measure(1_000_000)
	manyCommands, manyBytes, manyTook := measure(1_000_000)
	t.Logf("400 pages: of 100 orders %d commands, %d bytes, %v each; of 1,000,000 %d, %d, %v", commands, bytes, took, manyCommands, manyBytes, manyTook)
	if 10*manyCommands > 11*commands || 10*manyBytes > 11*bytes {
		t.Errorf("400 pages need %d commands and %d bytes, of a small store %d and %d", manyCommands, manyBytes, commands, bytes)
	}
	if 10*manyTook > 11*took {
		t.Errorf("a page takes %v, of a small store %v", manyTook, took)
	}
}
