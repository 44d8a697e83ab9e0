package stock

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// A script begins no further cart once it has released itemsEach items.
func TestScriptStopsAfterTheCartThatReachesItemsEach(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		for i := range 5 {
			f.hold(i, nails, 1, -time.Minute)
			f.hold(i, cable, 1, -time.Minute)
		}
		for _, c := range []struct{ carts, items, more, left int }{{9, 3, 1, 3}, {2, 4, 1, 1}, {2, 4, 0, 0}, {9, 3, 0, 0}} {
			args := expireArgs(shopID, "")
			args[0], args[3] = c.carts, c.items
			reply, err := f.client.RunScript(f.client.Soon(), expireHoldsScript, expireKeys(shopID), args...)
			if more, _, _ := f.parseExpired(reply); err != nil || more != (c.more == 1) {
				t.Errorf("%d carts, %d items: more %v, %v", c.carts, c.items, more, err)
			}
			f.wantHeld("after the script", commerce.Micros(c.left), c.left)
		}
	})
}

// Expired holds are released, and those of a clock that was ahead: ten years, here. Other holds stay,
// also those with the latest possible expiry.
func TestHoldsThatAreReleased(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		const many = cartsEach + 7
		for i := range many {
			f.hold(0x100+i, nails, 1, -time.Minute)
			f.hold(0x200+i, nails, 1, 3650*24*time.Hour)
		}
		f.hold(1, nails, 4, commerce.CartLifetime)
		f.hold(2, nails, 2, time.Hour)
		f.wantHeld("before", 2*many+6, 2*many+2)
		f.expireAll([]uuid.UUID{shopID, otherShop})
		f.wantHeld("after the release", 6, 2)
		if n := f.HoldsExpired(); n != 2*many {
			t.Errorf("%d carts' holds are counted, want %d", n, 2*many)
		}
	})
}

// loaded is the store as a node has loaded it.
func loaded() []*engine.StoreVersion {
	version := &engine.StoreVersion{Store: shopID, Clock: &engine.Clock{}}
	version.Clock.Hear(time.Now(), time.Now())
	return []*engine.StoreVersion{version}
}

// A store without holds costs a plain read at intervals, and no script. A store with holds
// costs a script when the first one expires, and the same reads.
func TestHowOftenHoldsAreSearched(t *testing.T) {
	for _, c := range []struct {
		name           string
		hold           time.Duration // until the only hold expires; 0: there is none
		scripts, reads int32         // in five minutes with a search each second
	}{
		{"no hold", 0, 0, 30},
		{"a hold for an hour", time.Hour, 30, 30},
		{"a hold that has expired", -time.Minute, 1, 31},
	} {
		f := newShelf(t, redistest.Mini(t))
		if c.hold != 0 {
			f.hold(1, nails, 1, c.hold)
		}
		var scripts, reads atomic.Int32
		f.client.Redis.AddHook(redistest.Hook(func(cmd redis.Cmder, next func() error) error {
			switch cmd.Name() {
			case "evalsha":
				scripts.Add(1)
			case "zrange":
				reads.Add(1)
			}
			return next()
		}))
		watch, now, stores := holdWatch{}, time.Now(), loaded()
		for i := range 300 {
			f.expireDue(&watch, stores, now.Add(time.Duration(i)*time.Second))
		}
		if scripts.Load() != c.scripts || reads.Load() != c.reads {
			t.Errorf("%s: %d scripts and %d reads, want %d and %d", c.name, scripts.Load(), reads.Load(), c.scripts, c.reads)
		}
		if held, want := f.redis.Exists(background, HoldsKey(shopID)).Val() == 1, c.hold > 0; held != want {
			t.Errorf("%s: in the end there is a hold: %v, want %v", c.name, held, want)
		}
	}
}

// A hold of any node is released within a second of its expiry.
func TestHoldIsReleasedWhenItExpires(t *testing.T) {
	f := newShelf(t, redistest.Real(t))
	watch, now, stores := holdWatch{}, time.Now(), loaded()
	for i, c := range []struct{ expires, want time.Duration }{
		{64 * time.Second, 10 * time.Second}, {64 * time.Second, 10 * time.Second},
		{4 * time.Second, 4 * time.Second}, {50 * time.Millisecond, time.Second}, // as if 60 s had passed
	} {
		f.hold(1, nails, 1, c.expires)
		f.expireDue(&watch, stores, now)
		got := watch.next[shopID].Sub(now)
		if got > c.want || got < c.want-time.Second && got != time.Second {
			t.Errorf("pass %d is followed by one after %v, want %v", i, got, c.want)
		}
		now = watch.next[shopID]
	}
}

// The watch forgets stores that were evicted.
func TestTheWatchForgetsStores(t *testing.T) {
	watch, now := holdWatch{}, time.Now()
	one, two := &engine.StoreVersion{Store: shopID}, &engine.StoreVersion{Store: otherShop}
	for i, c := range []struct {
		loaded []*engine.StoreVersion
		after  time.Duration
		due    int
	}{
		{[]*engine.StoreVersion{one, two}, 0, 2},
		{[]*engine.StoreVersion{one, two}, time.Second, 0},
		{[]*engine.StoreVersion{one}, 2 * time.Second, 0},
		{[]*engine.StoreVersion{one, two}, 3 * time.Second, 1},
		{[]*engine.StoreVersion{one, two}, 10 * time.Second, 1},
	} {
		if due := watch.due(c.loaded, now.Add(c.after)); len(due) != c.due || len(watch.next) != len(c.loaded) {
			t.Errorf("%d: %d are due, want %d; %d are known", i, len(due), c.due, len(watch.next))
		}
	}
}
