package persistence

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// discount is one with a code, a usage limit and a count.
func discount(n int, limit, used int64) shopDiscount {
	return shopDiscount{
		ID: testID(0xd00 + n), Name: "Welcome", Kind: "order", Code: fmt.Sprint("code-", n), Limit: &limit, Used: used,
		Value: map[string]any{"type": "percent", "percent": "10"},
	}
}

// discountShop is theShop with discounts.
func discountShop(name string, discounts ...shopDiscount) shop {
	s := theShop()
	s.Name, s.Discounts = name, discounts
	return s
}

// wantUsed compares the counts of the store that a node serves.
func wantUsed(t *testing.T, db *DB, want ...int64) {
	t.Helper()
	s := admit(t, db, asks("key")).Store
	for i, n := range want {
		if got := s.Discounts[i].Used; got != n {
			t.Errorf("%s: discount %d was used %d times, want %d", s.Name, i, got, n)
		}
	}
}

// The store document: its count is used only for a discount that has none yet; counts stay.
func TestUsageStaysOverImports(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		discountShop("first", discount(1, 5, 3), discount(2, 5, 0)).save(t, db)
		wantUsed(t, db, 3, 0)
		ordered(t, s, 1)
		discountShop("second", discount(1, 9, 0), discount(2, 5, 2), discount(3, 5, 1)).save(t, db)
		wantUsed(t, node(t, s), 4, 0, 1)
		discountShop("third", discount(3, 5, 7)).save(t, db)
		discountShop("fourth", discount(1, 5, 7), discount(3, 5, 7)).save(t, db) // it comes back
		wantUsed(t, node(t, s), 4, 1)
		e, err := db.ExportStore(background, shopID)
		if err != nil || e.Used[testID(0xd01)] != 4 || e.Used[testID(0xd03)] != 1 {
			t.Errorf("exported %v, %v; want 4 and 1", e.Used, err)
		}
	})
}

// ordered counts an order that takes the last use of a discount: it moves the head's usage
// revision.
func ordered(t *testing.T, s *redistest.Server, n int) {
	t.Helper()
	if err := s.Client().HIncrBy(background, stores.UsageKey(shopID), testID(0xd00+n).String(), 1).Err(); err != nil {
		t.Fatal(err)
	}
	editHead(t, s, func(fields []string) { fields[6] += "'" })
}

// editHead changes the fields of the shop's head.
func editHead(t testing.TB, s *redistest.Server, edit func([]string)) {
	t.Helper()
	fields := strings.Fields(s.Client().Get(background, stores.HeadKey(shopID)).Val())
	edit(fields)
	s.Client().Set(background, stores.HeadKey(shopID), strings.Join(fields, " "), 0)
}

// The counts are read again with the request that finds a new usage revision, on an idle and on
// a busy node, and only then.
func TestUsageRevisionIsFollowedAtOnce(t *testing.T) {
	s := redistest.Mini(t)
	now := noon
	s.Mini.SetTime(now)
	db := node(t, s)
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	wantUsed(t, db, 0)
	trips := countTrips(db.client.Redis)
	for used, idle := range []time.Duration{0, time.Hour} {
		now = now.Add(idle)
		s.Mini.SetTime(now)
		wantUsed(t, db, int64(used))
		trips.want(t, "without news", []string{"evalsha"})
		ordered(t, s, 1)
		trips.take()
		wantUsed(t, db, int64(used)+1)
		trips.want(t, "with news", []string{"evalsha"}, []string{"hmget"})
	}
	// A write is judged by the node's memory; its visit finds the new head.
	ordered(t, s, 1)
	ask := asks("key")
	ask.Write = true
	if known, err := db.Recall(ask); !known || err != nil || ask.Store.Discounts[0].Used != 2 {
		t.Fatalf("Recall = %v, %v; the counts are %+v", known, err, ask.Store.Discounts)
	}
	v := replacing(none.Stamp, cartAt(1, ""))
	v.Version, v.Judged = ask.Version, ask.Now
	wantOutcome(t, db, v, engine.OtherHead, none)
	trips.take()
	if err := db.Refresh(ask.Store.ID, ask); err != nil || ask.Store.Discounts[0].Used != 3 {
		t.Errorf("Refresh = %v, the counts are %+v", err, ask.Store.Discounts)
	}
	trips.want(t, "refreshing", []string{"get"}, []string{"hmget"})
	v.Version = ask.Version
	wantOutcome(t, db, v, engine.Done, none)
}

// Many discounts are read in one round trip.
func TestManyCountsAreReadTogether(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		many := make([]shopDiscount, 2*stores.UsageChunk+1)
		for i := range many {
			many[i] = discount(i, 5, int64(i%7))
		}
		discountShop("Shop", many...).save(t, db)
		trips := countTrips(db.client.Redis)
		discounts := make([]commerce.Discount, len(many)+1)
		for i := range many {
			discounts[i].ID = many[i].ID
		}
		discounts[len(many)] = commerce.Discount{ID: uuid.New(), Used: 4} // without an entry
		used, err := db.LoadUsage(background, shopID, discounts)
		if err != nil {
			t.Fatal(err)
		}
		trips.want(t, "the counts", []string{"hmget", "hmget", "hmget"})
		for i := range many {
			if used[many[i].ID] != int64(i%7) {
				t.Fatalf("discount %d: %d, want %d", i, used[many[i].ID], i%7)
			}
		}
		if used[discounts[len(many)].ID] != 4 {
			t.Error("a discount without a count has the document's")
		}
	})
}

func TestCountsThatCannotBeRead(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	s.Client().HSet(background, stores.UsageKey(shopID), testID(0xd01).String(), "many")
	if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", a.Store, err)
	}
	s.Client().Set(background, stores.UsageKey(shopID), "no hash", 0)
	if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
		t.Errorf("Admit = %+v, %v; want ErrUnavailable", a.Store, err)
	}
}

// A request whose deadline is earlier than --redis-timeout does not make Redis unreachable.
func TestDeadlineOfARequestDoesNotMakeRedisUnreachable(t *testing.T) {
	var log lines
	s := redistest.Real(t)
	db := node(t, s, func(c *Config) { c.Logger, c.Timeout = slog.New(slog.NewTextHandler(&log, nil)), patience })
	discountShop("Shop", discount(1, 5, 0)).save(t, db)
	admit(t, db, asks("key"))
	entry := db.Stores.Known(*secret("key"), time.Now())
	news := entry.Current.Load().Head
	news.Text, news.Usage = "new", "new"
	s.Pause()
	defer s.Resume()
	for range 50 {
		ctx, cancel := context.WithTimeout(background, 2*time.Millisecond)
		_, err := db.Stores.ReadKeysAndUsage(ctx, entry, news)
		if err != engine.ErrUnavailable || db.Away() {
			t.Fatalf("takeUp = %v, away %t; want ErrUnavailable, false", err, db.Away())
		}
		cancel()
	}
	if n := log.count("\n"); n > 0 {
		t.Errorf("%d lines are logged, want none: %s", n, log.text.String())
	}
}

// At most a fixed number of unknown codes is accepted in a window, also of concurrent requests.
// CodeBudget counts nothing, and a try that revealed nothing is taken back.
func TestUnknownCodesAreCounted(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		caller, cart := netip.MustParseAddr("192.0.2.1"), engine.RecordKey{Store: shopID, ID: testID(1)}
		look := func() engine.Budget {
			b, err := db.CodeBudget(cart, caller, soonest())
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		for i := range commerce.UnknownCodes {
			if b := look(); !b.Granted || b.Remaining != commerce.UnknownCodes-i {
				t.Fatalf("ahead of try %d: %+v", i, b)
			}
			b, takeBack, err := db.BeginCode(cart, caller, soonest())
			if err != nil || !b.Granted {
				t.Fatalf("try %d: %+v, %v", i, b, err)
			}
			takeBack()
			if b, _, err := db.BeginCode(cart, caller, soonest()); err != nil || !b.Granted {
				t.Fatalf("try %d: %+v, %v", i, b, err)
			}
		}
		b, takeBack, err := db.BeginCode(cart, caller, soonest())
		if err != nil || b.Granted || b.RetryAfter <= 0 || b.RetryAfter > commerce.CodeWindow {
			t.Errorf("one too many: %+v, %v", b, err)
		}
		takeBack() // of an attempt that never began: no effect
		if b := look(); b.Granted || b.Remaining != 0 || b.Limit != commerce.UnknownCodes {
			t.Errorf("afterwards: %+v", b)
		}
		for _, other := range []struct {
			store, cart uuid.UUID
			caller      string
		}{
			{otherShop, cart.ID, "192.0.2.1"}, {shopID, testID(2), "192.0.2.1"},
			{shopID, cart.ID, "192.0.2.2"}, {shopID, cart.ID, "2001:db8::1"},
		} {
			k := engine.RecordKey{Store: other.store, ID: other.cart}
			if b, err := db.CodeBudget(k, netip.MustParseAddr(other.caller), soonest()); err != nil || b.Remaining != commerce.UnknownCodes {
				t.Errorf("%+v: %+v, %v", other, b, err)
			}
		}
	})
}
