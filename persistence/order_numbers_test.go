package persistence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
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

// Numbers that are left out have no order: pages and cartd orders skip them, and the next sale gets the
// number that was asked for.
func TestNumbersThatAreLeftOut(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s, nails, 9)
		fileOrders(t, s, 1, 4, "")
		first, count, err := f.db.LeaveOut(background, shopID, 12_006)
		if err != nil || first != 5 || count != 12_001 {
			t.Fatalf("left out %d from %d on, %v", count, first, err)
		}
		if o := send(t, f.db, f.sale(1, 0xe1, nil)); o.Number != 12_006 {
			t.Fatalf("the next order has the number %d", o.Number)
		}
		if all, page := numbers(t, f.db, 0, 10); !slices.Equal(all, []int64{1, 2, 3, 4}) || page.NextAfter != 10 || page.Total != 5 || page.Newest != 12_006 {
			t.Errorf("the first page is %v, %+v", all, page)
		}
		if all, page := numbers(t, f.db, 10, 10); len(all) > 0 || page.NextAfter != 10_020 {
			t.Errorf("the second page is %v, %+v", all, page)
		}
		if all, page := numbers(t, f.db, 10_020, 10); !slices.Equal(all, []int64{12_006}) || page.NextAfter != 0 {
			t.Errorf("the third page is %v, %+v", all, page)
		}
		var each []int64
		err = f.db.EachOrder(shopID, 2, func(o *commerce.Order) error { each = append(each, o.Number); return nil })
		if err != nil || !slices.Equal(each, []int64{3, 4, 12_006}) {
			t.Errorf("the orders after 2 are %v, %v", each, err)
		}
		for _, c := range []struct {
			next int64
			want string
		}{
			{12_006, "the newest order has the number 12006 already: give a greater one"},
			{1_012_008, "the newest order has the number 12006: at most 1000000 numbers can be left out"},
		} {
			if _, _, err := f.db.LeaveOut(background, shopID, c.next); err == nil || err.Error() != c.want {
				t.Errorf("next %d: %v, want %s", c.next, err, c.want)
			}
		}
		if first, count, err := f.db.LeaveOut(background, shopID, 12_007); first != 0 || count != 0 || err != nil {
			t.Errorf("the next number itself: %d, %d, %v", first, count, err)
		}
		if _, _, err := f.db.LeaveOut(background, otherShop, 5); err == nil {
			t.Error("a store that does not exist has numbers")
		}
	})
}

// Sales go on while numbers are left out: no number is given twice, and the list has an entry for each.
func TestSalesWhileNumbersAreLeftOut(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		var sales []*engine.Visit[*commerce.Cart]
		for n := range 20 {
			sales = append(sales, f.sale(n+1, 0xe001+n, nil))
		}
		var both sync.WaitGroup
		both.Go(func() {
			if _, _, err := f.db.LeaveOut(background, shopID, 60_000); err != nil {
				t.Error(err)
			}
		})
		for _, v := range sales {
			if o := send(t, f.db, v); o.Kind != engine.Done {
				t.Fatalf("a sale: %+v", o)
			}
		}
		both.Wait()
		list := f.redis.LRange(background, records.OrdersKey(shopID), 0, -1).Val()
		for i, id := range list {
			if id == "" {
				continue
			}
			parsed, _ := commerce.ParseID(id)
			if o, err := f.db.Order(engine.RecordKey{Store: shopID, ID: parsed}, soonest()); err != nil || o == nil || o.State.Number != int64(i+1) {
				t.Errorf("entry %d is %s: %+v, %v", i+1, id, o, err)
			}
		}
		if n, _ := f.redis.Get(background, records.OrderNumberKey(shopID)).Int(); n != len(list) || n < 59_999 {
			t.Errorf("the counter is %d, the list has %d", n, len(list))
		}
	})
}

// A page reads its own orders only, with the same commands and bytes in a store with 20,000 orders as in
// one with 100. The long test compares a million, and the time.
func TestPageReadsOnlyItsOrders(t *testing.T) {
	alone(t)
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

// ReadHead of a store that is none is an error that LeaveOut passes on.
func TestLeaveOutIsCancelled(t *testing.T) {
	f := newTill(t, redistest.Mini(t))
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, _, err := f.db.LeaveOut(ctx, shopID, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("left out after the cancel: %v", err)
	}
}
