package stock

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

const (
	// cartsEach is the max number of carts whose holds one script releases.
	cartsEach = 50
	// itemsEach is the number of items after which a script begins no further cart. It releases
	// the items of one cart together, also thousands.
	itemsEach = 1000
	// expireEvery is the pause until a node releases expired holds again.
	expireEvery = time.Second
	// ExpireFor bounds the release of a store's holds if no request waits for it.
	ExpireFor = 10 * time.Second
	// maxHold is the longest possible hold: the life of a cart, and the time between a
	// request's admission and its commit.
	maxHold = commerce.CartLifetime + time.Minute
)

// Watch releases expired holds in the stores that the node has loaded, until stop is closed.
// All nodes do that.
func (s *Stock) Watch(holding func() []*engine.StoreVersion, stop <-chan struct{}) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	for watch := (holdWatch{}); ; {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			if !s.client.Unreachable() {
				s.expireDue(&watch, holding(), now)
			}
		}
	}
}

// expireAll releases the expired holds of some stores, a bounded number each. The next round,
// or a visit that is short of stock, releases the rest.
func (s *Stock) expireAll(stores []uuid.UUID) {
	calls := make([]*redisdb.Call, len(stores))
	for i, store := range stores {
		calls[i] = &redisdb.Call{Script: expireHoldsScript, Keys: expireKeys(store), Args: expireArgs(store, "")}
	}
	for i, reply := range s.client.RunAll(s.client.Soon(), calls) {
		list, _ := reply.Value.([]any)
		if more, cleared, _ := s.parseExpired(list); more {
			s.expireUntil(stores[i], cleared, time.Now().Add(ExpireFor))
		}
	}
}

func expireKeys(store uuid.UUID) []string { return []string{HoldsKey(store), HeldKey(store)} }

func expireArgs(store uuid.UUID, until string) []any {
	return []any{cartsEach, cartHoldPrefix(store), until, itemsEach, maxHold.Milliseconds()}
}

// ExpireHolds releases all expired holds of a store, until a deadline. It returns the time, by
// Redis's clock, until which they were released, in Unix milliseconds.
func (s *Stock) ExpireHolds(store uuid.UUID, deadline time.Time) (string, error) {
	return s.expireUntil(store, "", deadline)
}

// expireUntil is ExpireHolds for the holds that expired until a moment; empty for now.
func (s *Stock) expireUntil(store uuid.UUID, until string, deadline time.Time) (string, error) {
	for {
		reply, err := s.client.RunScript(deadline, expireHoldsScript, expireKeys(store), expireArgs(store, until)...)
		if err != nil {
			return "", err
		}
		more, cleared, err := s.parseExpired(reply)
		if err != nil {
			return "", err
		}
		if !more {
			return cleared, nil
		}
		until = cleared
	}
}

// parseExpired reads a reply and counts the carts whose holds the script released.
func (s *Stock) parseExpired(reply []any) (more bool, cleared string, err error) {
	if len(reply) == 3 {
		n, isNumber := reply[0].(int64)
		cleared, isText := reply[1].(string)
		released, isCount := reply[2].(int64)
		if isNumber && isText && isCount {
			s.expired.Add(uint64(released))
			return n == 1, cleared, nil
		}
	}
	return false, "", redisdb.ErrReply
}
