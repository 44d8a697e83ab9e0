package unpaid

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

const (
	// turnEvery is the pause between two turns at a store with unpaid orders, of which none is due.
	turnEvery = 20 * time.Second
	// maxSilence is the time without a turn, or with the store closed, after which none ends for quiet:
	// payments that came meanwhile are repeated first.
	maxSilence = time.Minute
	quiet      = 30 * time.Minute
	// batchEvery is the pause between two batches of a store. A batch has at most batchSize orders, and
	// crowdedBatch while a receiver of its events has more than crowdedQueue deliveries waiting.
	batchEvery   = time.Second
	batchSize    = 200
	crowdedBatch = 10
	crowdedQueue = 50_000
	// batchesAtOnce bounds the stores whose orders a node ends at the same time.
	batchesAtOnce = 4
	// putOff is the delay of an order that cannot be ended.
	putOff = time.Minute
)

// Commit carries out visits that end orders, as many as one call may have, and returns their results. A
// visit that moves the head gives it to the version.
type Commit func(version *engine.StoreVersion, visits []*engine.Visit[*commerce.Order]) ([]records.Result, error)

// Orders ends the unpaid orders of the stores that this node leases.
type Orders struct {
	client *redisdb.Client
	outbox *outbox.Outbox
	commit Commit
	log    *slog.Logger
	// ended counts the orders that this node ended, delayed those that it could not end.
	ended, delayed atomic.Int64

	mu   sync.Mutex
	busy map[uuid.UUID]bool // stores with a batch under way
	late map[uuid.UUID]overdue
}

// New returns the unpaid orders of a Redis. The outbox gives each store that it leases its turn.
func New(client *redisdb.Client, log *slog.Logger, box *outbox.Outbox, commit Commit) *Orders {
	u := &Orders{client: client, outbox: box, commit: commit, log: log, busy: map[uuid.UUID]bool{}, late: map[uuid.UUID]overdue{}}
	box.OnUnpaid = u.Turn
	return u
}

// overdue is a store's first unpaid order whose time has passed, as a turn found it.
type overdue struct{ first, seen time.Time }

// turn is what a store's last turn at its unpaid orders has left: its time, the time from which orders
// may end, and whether the store was closed.
type turn struct {
	at, from time.Time
	closed   bool
}

// text is the turn's form in Redis: times in Unix milliseconds.
func (t turn) text() string {
	closed := "open"
	if t.closed {
		closed = "closed"
	}
	return strings.Join([]string{records.Millis(t.at), records.Millis(t.from), closed}, " ")
}

// parseTurn reads a turn, or the time alone, which the first unpaid order writes. A text that cannot
// be read is a turn long ago.
func parseTurn(text string) (t turn) {
	fields := strings.Split(text, " ")
	at, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return t
	}
	t.at = time.UnixMilli(at)
	if len(fields) == 3 {
		if from, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			t.from = time.UnixMilli(from)
		}
		t.closed = fields[2] == "closed"
	}
	return t
}

// next is the turn after the last one. closed is true if the store is closed now. After a silence, and
// after the store was closed, nothing ends for a while.
func (t turn) next(now time.Time, closed bool) turn {
	n := turn{at: now, from: t.from, closed: closed}
	if now.Sub(t.at) > maxSilence || t.closed || closed {
		n.from = now.Add(quiet)
	}
	return n
}

// closedTo reports whether a store takes no payments: it is suspended, or its commerce module is off.
func closedTo(s *commerce.Store) bool { return s.Suspended || !s.Modules.Has(commerce.ModuleCommerce) }

// Turn has a turn at a store's unpaid orders, and returns when the next one is; zero if there are none.
func (u *Orders) Turn(t *outbox.UnpaidTurn) time.Time {
	store := t.Store.ID
	u.note(store, t)
	if t.First.IsZero() {
		u.forget(store)
		return time.Time{}
	}
	closed := closedTo(t.Store)
	next := parseTurn(t.Last).next(t.Now, closed)
	due := !closed && !t.First.After(t.Now) && !next.from.After(t.Now)
	begins := due && u.begin(store)
	if begins {
		next.from = t.Now.Add(batchEvery)
	}
	if err := u.save(store, next); err != nil {
		if begins {
			u.end(store)
		}
		return t.Now.Add(batchEvery)
	}
	if begins {
		go u.endBatch(*t)
	}
	return u.nextTurn(t, next, due)
}

// nextTurn is when the store's next turn is: when the next order may end, and no later than
// turnEvery.
func (u *Orders) nextTurn(t *outbox.UnpaidTurn, next turn, due bool) time.Time {
	at := t.First
	if at.Before(next.from) {
		at = next.from
	}
	if due && at.Before(t.Now.Add(batchEvery)) {
		at = t.Now.Add(batchEvery)
	}
	if latest := t.Now.Add(turnEvery); at.After(latest) {
		at = latest
	}
	return at
}

// begin enters a batch, unless the store has one under way or the node has too many.
func (u *Orders) begin(store uuid.UUID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.busy[store] || len(u.busy) >= batchesAtOnce {
		return false
	}
	u.busy[store] = true
	return true
}

func (u *Orders) end(store uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.busy, store)
}

// note remembers a store's overdue order for the metrics.
func (u *Orders) note(store uuid.UUID, t *outbox.UnpaidTurn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if t.First.IsZero() || t.First.After(t.Now) {
		delete(u.late, store)
		return
	}
	u.late[store] = overdue{t.First, t.Now}
}

// Oldest returns for how long the oldest overdue order of the stores has been overdue at its last
// turn; stores that another node serves do not count.
func (u *Orders) Oldest() (longest time.Duration) {
	now := time.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	for store, o := range u.late {
		if now.Sub(o.seen) > maxSilence {
			delete(u.late, store)
			continue
		}
		longest = max(longest, o.seen.Sub(o.first))
	}
	return longest
}

// save writes a store's turn.
func (u *Orders) save(store uuid.UUID, t turn) error {
	return u.do(store, "SET", records.DueTurnKey(store), t.text())
}

// do runs one command on keys of a store.
func (u *Orders) do(store uuid.UUID, args ...any) error {
	call := &redisdb.Call{Keys: []string{records.DueOrdersKey(store)}, Args: args}
	_, err := u.client.Run(u.client.Soon(), call)
	if err != nil && redisdb.IsReply(err) {
		u.log.Error("the unpaid orders of a store", "store", store.String(), "error", err.Error())
	}
	return err
}

// forget deletes the turn of a store without unpaid orders, unless one was placed meanwhile.
func (u *Orders) forget(store uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.Background(), u.client.Timeout())
	defer cancel()
	due := records.DueOrdersKey(store)
	err := u.client.Redis.Watch(ctx, func(tx *redis.Tx) error {
		if n, err := tx.ZCard(ctx, due).Result(); err != nil || n > 0 {
			return err
		}
		_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Del(ctx, records.DueTurnKey(store))
			return nil
		})
		return err
	}, due)
	if err != nil && !errors.Is(err, redis.TxFailedErr) && !redisdb.IsReply(err) {
		u.client.Lost(err)
	}
}

// Ended counts the orders that this node ended, and those that it could not end.
func (u *Orders) Ended() (ended, delayed int64) { return u.ended.Load(), u.delayed.Load() }

// Idle reports whether no batch is under way.
func (u *Orders) Idle() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.busy) == 0
}
