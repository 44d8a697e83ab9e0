package persistence

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

const (
	// lapsesEach is how many carts' holds one script releases at most.
	lapsesEach = 50
	// lapsedItems is after how many items it begins no further cart; those of one cart,
	// thousands at worst, go together.
	lapsedItems = 1000
	// lapseEvery is how often a node works off what has lapsed.
	lapseEvery = time.Second
	// longestHold is for how long a hold may be: no longer than its cart lives, and as its
	// request may have been admitted a moment before.
	longestHold = commerce.CartLifetime + time.Minute
)

// watchLapses releases lapsed holds in the stores that the node has loaded, until stop
// is closed. All nodes do: whoever comes first.
func (d *DB) watchLapses(stop <-chan struct{}) {
	tick := time.NewTicker(lapseEvery)
	defer tick.Stop()
	for watch := (holdWatch{}); ; {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			if !d.Away() {
				d.expireDue(&watch, now)
			}
		}
	}
}

// lapseAll releases what has lapsed in some stores. What it cannot do the next round
// does, or whoever finds it in the way.
func (d *DB) lapseAll(stores []uuid.UUID) {
	calls := make([]*redisdb.Call, len(stores))
	for i, store := range stores {
		calls[i] = &redisdb.Call{Script: lapseScript, Keys: lapseKeys(store), Args: lapseArgs(store, "")}
	}
	for i, reply := range d.main.RunAll(d.soon(), calls) {
		list, _ := reply.Value.([]any)
		if more, cleared, _ := d.lapseReply(list); more {
			d.workOffUntil(stores[i], cleared)
		}
	}
}

func lapseKeys(store uuid.UUID) []string { return []string{lapsesKey(store), heldKey(store)} }

func lapseArgs(store uuid.UUID, until string) []any {
	return []any{lapsesEach, cartHoldPrefix(store), until, lapsedItems, longestHold.Milliseconds()}
}

// workOff releases all holds of a store that have lapsed by now, by Redis's clock, and
// returns when that was, in Unix milliseconds.
func (d *DB) workOff(store uuid.UUID) (string, error) { return d.workOffUntil(store, "") }

// workOffUntil is workOff for the holds that lapsed until a moment; empty: now.
func (d *DB) workOffUntil(store uuid.UUID, until string) (string, error) {
	for {
		reply, err := d.runScript(lapseScript, lapseKeys(store), lapseArgs(store, until)...)
		if err != nil {
			return "", err
		}
		more, cleared, err := d.lapseReply(reply)
		if err != nil {
			return "", err
		}
		if !more {
			return cleared, nil
		}
		until = cleared
	}
}

var errReply = errors.New("a script's reply cannot be read")

// lapseReply reads and counts what the script has released.
func (d *DB) lapseReply(reply []any) (more bool, cleared string, err error) {
	if len(reply) == 3 {
		n, isNumber := reply[0].(int64)
		cleared, isText := reply[1].(string)
		released, isCount := reply[2].(int64)
		if isNumber && isText && isCount {
			d.holdsExpired.Add(uint64(released))
			return n == 1, cleared, nil
		}
	}
	return false, "", errReply
}

// holding are the loaded stores whose carts may hold stock.
func (s *stores) holding() (all []*slot) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, slot := range s.slots {
		if l := slot.current.Load(); l != nil && l.store.HoldsStock() {
			all = append(all, slot)
		}
	}
	return all
}
