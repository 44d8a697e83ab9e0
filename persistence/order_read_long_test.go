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

// A page of a store with a million orders costs what one of a store with 100 orders costs: the same
// commands and bytes within a tenth, and the time within a quarter, because the processor's caches hold
// 100 orders but not a million. The two are read in turn, because the speed of a machine changes.
func TestLongPageOfAMillionOrders(t *testing.T) {
	type store struct {
		*redistest.Server
		db             *DB
		last           int
		commands, sent int
		times          []time.Duration
	}
	stores := []*store{{last: 100}, {last: 1_000_000}}
	for _, s := range stores {
		s.Server = redistest.Real(t)
		s.db = node(t, s.Server)
		theShop().save(t, s.db)
		fileOrders(t, s.Server, 1, s.last, strings.Repeat("x", 900))
	}
	figure := func(s *store, name string) int {
		n, err := strconv.Atoi(redistest.InfoField(s.Client().Info(background, "stats").Val(), name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	const warmUp, pages = 100, 800
	for n := range warmUp + pages {
		for _, s := range stores {
			if n == warmUp {
				s.commands, s.sent, s.times = figure(s, "total_commands_processed"), figure(s, "total_net_output_bytes"), nil
			}
			began := time.Now()
			if all, _ := numbers(t, s.db, int64(n%pages*(s.last-25)/pages), 25); len(all) != 25 {
				t.Fatalf("a page has %d orders", len(all))
			}
			s.times = append(s.times, time.Since(began))
		}
	}
	for _, s := range stores {
		s.commands, s.sent = figure(s, "total_commands_processed")-s.commands, figure(s, "total_net_output_bytes")-s.sent
		slices.Sort(s.times)
	}
	few, many := stores[0], stores[1]
	took, manyTook := few.times[pages/2], many.times[pages/2]
	t.Logf("%d pages: of %d orders %d commands, %d bytes, %v each; of %d %d, %d, %v", pages, few.last, few.commands, few.sent, took, many.last,
		many.commands, many.sent, manyTook)
	// A large store misses the processor's caches, the more the busier the machine is.
	if 10*many.commands > 11*few.commands || 10*many.sent > 11*few.sent || manyTook > 2*took {
		t.Error("the pages of the large store cost more")
	}
}
