package persistence

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
)

// fileOrders writes orders straight into Redis, in the order of their numbers; note is a part of each.
func fileOrders(t testing.TB, s *redistest.Server, from, to int, note string) {
	t.Helper()
	for from <= to {
		pipe := s.Client().Pipeline()
		for end := min(to, from+4999); from <= end; from++ {
			id := orderNumbered(from)
			text := records.AsText(func(dst []byte) []byte {
				return records.Orders.Encode(dst, &engine.Record[*commerce.Order]{
					Stamp: engine.Stamp{Counter: 1}, State: &commerce.Order{ID: id, Number: int64(from), CustomerNote: note, PlacedAt: noon},
				}, nil)
			})
			pipe.Set(background, records.Orders.Key(engine.RecordKey{Store: shopID, ID: id}), text, 0)
			pipe.RPush(background, records.OrdersKey(shopID), id.String())
			pipe.Incr(background, records.OrderNumberKey(shopID))
		}
		if _, err := pipe.Exec(background); err != nil {
			t.Fatal(err)
		}
	}
}

func orderNumbered(n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
}

// numbers reads a page and returns the numbers of its orders.
func numbers(t testing.TB, db *DB, after int64, size int) (all []int64, page engine.NumberPage) {
	t.Helper()
	room := 0
	page, err := db.OrdersByNumber(shopID, &engine.NumberQuery{After: after, Size: size, Room: func(n int) error { room += n; return nil }}, soonest())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range page.Orders {
		all = append(all, o.Number)
	}
	if room > 0 != (len(all) > 0) {
		t.Errorf("after %d: room for %d bytes was asked for %d orders", after, room, len(all))
	}
	return all, page
}

func TestPagesByNumber(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		if all, page := numbers(t, db, 0, 3); len(all) > 0 || page.Total != 0 || page.NextAfter != 0 {
			t.Errorf("without orders: %v, %+v", all, page)
		}
		fileOrders(t, s, 1, 7, "")
		for _, c := range []struct {
			after int64
			want  []int64
			next  int64
		}{
			{0, []int64{1, 2, 3}, 3}, {3, []int64{4, 5, 6}, 6}, {6, []int64{7}, 0}, {4, []int64{5, 6, 7}, 0}, {7, nil, 0}, {1 << 52, nil, 0},
		} {
			if all, page := numbers(t, db, c.after, 3); !slices.Equal(all, c.want) || page.NextAfter != c.next || page.Total != 7 || page.Newest != 7 {
				t.Errorf("after %d: %v, then after %d of %d; want %v, then after %d", c.after, all, page.NextAfter, page.Total, c.want, c.next)
			}
		}
	})
}

// A page ends early above 4 MiB, but has at least one order.
func TestPageOfLargeOrdersEndsEarly(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	fileOrders(t, s, 1, 3, string(make([]byte, 3<<20)))
	fileOrders(t, s, 4, 4, string(make([]byte, 5<<20)))
	fileOrders(t, s, 5, 6, "")
	var all [][]int64
	for after := int64(-1); after != 0; {
		page, next := numbers(t, db, max(after, 0), 100)
		all, after = append(all, page), next.NextAfter
	}
	if got := fmt.Sprint(all); got != "[[1] [2] [3] [4] [5 6]]" {
		t.Errorf("the pages are %s", got)
	}
}

// A page reads its own orders only, with the same commands and bytes in a store with 20,000 orders as in
// one with 100. The long test compares a million, and the time.
func TestPageReadsOnlyItsOrders(t *testing.T) {
	shoptest.Alone(t)
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	fileOrders(t, s, 1, 100, "note")
	reads := func(after int64) int {
		n := 0
		db.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error { n++; return next() }))
		if all, _ := numbers(t, db, after, 25); len(all) != 25 {
			t.Fatalf("the page has %d orders", len(all))
		}
		return n
	}
	few := reads(50)
	fileOrders(t, s, 101, 20_000, "note")
	fresh := node(t, s)
	db = fresh
	if many := reads(10_000); many != few {
		t.Errorf("with 20,000 orders a page needs %d commands, with 100 %d", many, few)
	}
}
