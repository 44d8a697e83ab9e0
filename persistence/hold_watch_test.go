package persistence

import (
	"testing"
	"time"

	"cartd/persistence/stock"
	"cartd/persistence/stores"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// tracking makes a node act as if it had loaded a store whose products are tracked.
func (f *shelf) tracking() *stores.StoreEntry {
	s := f.db.Stores.Entry(shopID)
	f.db.Stores.Install(s, &stores.Loaded{Store: shelfStore()})
	s.Clock.Hear(time.Now(), time.Now())
	return s
}

// A store without holds costs a plain read at intervals, and no script. A store with holds
// costs a script when the first one expires, and the same reads.
func TestHowOftenHoldsAreSearched(t *testing.T) {
	for _, c := range []struct {
		name    string
		hold    time.Duration // until the only hold expires; 0: there is none
		scripts int           // in five minutes with a search each second
	}{
		{"no hold", 0, 0},
		{"a hold for an hour", time.Hour, 30},
		{"a hold that has expired", expiredAgo, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newShelf(t, redistest.Real(t), nails, 5)
			if c.hold != 0 {
				f.write(asking(1, c.hold, nails, 1))
			}
			f.tracking()
			const seconds, spare = 300, 5 // the node's own watch may search meanwhile
			before := calls(t, f.redis)
			watch, now := stock.HoldWatch{}, time.Now()
			for i := range seconds {
				f.db.ExpireDue(&watch, f.db.Holding(), now.Add(time.Duration(i)*time.Second))
			}
			after := calls(t, f.redis)
			scripts, reads := after["evalsha"]-before["evalsha"], after["zrange"]-before["zrange"]
			if scripts < c.scripts || scripts > c.scripts+spare || reads < seconds/10 || reads > seconds/10+2*spare {
				t.Errorf("%d scripts and %d reads in %d looks, want %d scripts", scripts, reads, seconds, c.scripts)
			}
			if held, want := f.redis.Exists(background, stock.HoldsKey(shopID)).Val() == 1, c.hold > 0; held != want {
				t.Errorf("in the end there is a hold: %v, want %v", held, want)
			}
		})
	}
}

// A hold of any node is released within a second of its expiry.
func TestHoldIsReleasedWhenItExpires(t *testing.T) {
	f := newShelf(t, redistest.Real(t), nails, 5)
	f.write(asking(1, 64*time.Second, nails, 1))
	s := f.tracking()
	watch, now := stock.HoldWatch{}, time.Now()
	for i, want := range []time.Duration{10 * time.Second, 10 * time.Second, 4 * time.Second, time.Second} {
		if i == 2 { // as if 60 s had passed
			f.redis.ZAdd(background, stock.HoldsKey(shopID), redis.Z{Score: float64(time.Now().Add(4 * time.Second).UnixMilli()), Member: testID(1).String()})
		}
		if i == 3 {
			f.redis.ZAdd(background, stock.HoldsKey(shopID), redis.Z{Score: float64(time.Now().UnixMilli() + 50), Member: testID(1).String()})
		}
		f.db.ExpireDue(&watch, f.db.Holding(), now)
		got := watch.Next[s.ID].Sub(now)
		if got > want || got < want-time.Second && got != time.Second {
			t.Errorf("look %d is followed by one after %v, want %v", i, got, want)
		}
		now = watch.Next[s.ID]
	}
}
