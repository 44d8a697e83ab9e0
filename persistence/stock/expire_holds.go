package stock

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

const (
	// CartsEach is how many carts' holds one script releases at most.
	CartsEach = 50
	// itemsEach is after how many items it begins no further cart; those of one cart,
	// thousands at worst, are released together.
	itemsEach = 1000
	// expireEvery is how often a node releases expired holds.
	expireEvery = time.Second
	// maxHold is for how long a hold may be: no longer than its cart lives, and as its
	// request may have been admitted a moment before.
	maxHold = commerce.CartLifetime + time.Minute
)

// Watch releases expired holds in the stores that the node has loaded, until stop is closed. All
// nodes do.
func (s *Stock) Watch(holding func() []*engine.StoreVersion, stop <-chan struct{}) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for watch := (HoldWatch{}); ; {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			if !s.client.Unreachable() {
				s.ExpireDue(&watch, holding(), now)
			}
		}
	}
}

// ExpireAll releases the expired holds of some stores. The next round, or a visit that is short of
// stock, releases the rest.
func (s *Stock) ExpireAll(stores []uuid.UUID) {
	calls := make([]*redisdb.Call, len(stores))
	for i, store := range stores {
		calls[i] = &redisdb.Call{Script: expireHoldsScript, Keys: expireKeys(store), Args: expireArgs(store, "")}
	}
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		list, _ := reply.Value.([]any)
		if more, cleared, _ := parseExpired(list); more {
			s.ExpireUntil(stores[i], cleared)
		}
	}
}

func expireKeys(store uuid.UUID) []string { return []string{HoldsKey(store), HeldKey(store)} }

func expireArgs(store uuid.UUID, until string) []any {
	return []any{CartsEach, CartHoldPrefix(store), until, itemsEach, maxHold.Milliseconds()}
}

// ExpireHolds releases all holds of a store that have expired by now, by Redis's clock, and
// returns when that was, in Unix milliseconds.
func (s *Stock) ExpireHolds(store uuid.UUID) (string, error) { return s.ExpireUntil(store, "") }

// ExpireUntil is ExpireHolds for the holds that expired until a moment; empty: now.
func (s *Stock) ExpireUntil(store uuid.UUID, until string) (string, error) {
	for {
		reply, err := s.client.RunScript(expireHoldsScript, expireKeys(store), expireArgs(store, until)...)
		if err != nil {
			return "", err
		}
		more, cleared, err := parseExpired(reply)
		if err != nil {
			return "", err
		}
		if !more {
			return cleared, nil
		}
		until = cleared
	}
}

func parseExpired(reply []any) (more bool, cleared string, err error) {
	if len(reply) == 2 {
		n, isNumber := reply[0].(int64)
		cleared, isText := reply[1].(string)
		if isNumber && isText {
			return n == 1, cleared, nil
		}
	}
	return false, "", redisdb.ErrReply
}
