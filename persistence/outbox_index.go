package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// outboxesKey is the index of the stores that have events on their way, by when they
// are to be looked at next, Unix milliseconds (ZSET). It stands outside the stores'
// slots, so nothing can be written to it in their commits: it is told afterwards, and
// the sweep finds what was never told.
const outboxesKey = "outboxes"

const (
	// looksAtOnce is how many stores one look takes, looking how long others leave
	// them to it, lookSoon when a store with something due comes up again, lookLater
	// one that cannot be read.
	looksAtOnce = 16
	looking     = 5 * time.Second
	lookSoon    = time.Second
	lookLater   = time.Minute
	// A node that looks asks about sweepStep stores too, no more often than sweepEvery.
	sweepEvery = time.Second / 2
	sweepStep  = 64
)

// look is a store that is being looked at: under which mark, and when it is to be
// looked at next ("": not before somebody tells).
type look struct {
	store      uuid.UUID
	mark, next string
	now        time.Time
}

func (l *look) again(after time.Duration) { l.next = unixMilli(l.now.Add(after)) }

func unixMilli(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// look takes the stores whose time has come.
func (o *Outbox) look() ([]look, error) {
	ctx, cancel := context.WithTimeout(background, o.db.main.timeout)
	defer cancel()
	reply, err := lookScript.Run(ctx, o.db.main.client, []string{outboxesKey}, looksAtOnce, looking.Milliseconds()).StringSlice()
	if err != nil {
		return nil, o.failed("the index of outboxes", err)
	}
	now, _ := strconv.ParseInt(reply[0], 10, 64)
	looks := make([]look, 0, len(reply)-2)
	for _, text := range reply[2:] {
		id, err := uuid.Parse(text)
		if err != nil {
			continue // nobody writes such a thing
		}
		looks = append(looks, look{store: id, mark: reply[1], now: time.UnixMilli(now)})
	}
	return looks, nil
}

// looked gives stores back to the index, those apart that somebody has told meanwhile.
func (o *Outbox) looked(looks []look) error {
	ctx, cancel := context.WithTimeout(background, o.db.main.timeout)
	defer cancel()
	args := make([]any, 0, 1+2*len(looks))
	args = append(args, looks[0].mark)
	for _, l := range looks {
		args = append(args, l.store.String(), l.next)
	}
	if err := lookedScript.Run(ctx, o.db.main.client, []string{outboxesKey}, args...).Err(); err != nil {
		return o.failed("the index of outboxes", err)
	}
	if len(looks) == looksAtOnce {
		o.signal() // there may be more
	}
	return nil
}

// writeIndex adds the stores that were told of, and those that the sweep finds.
func (o *Outbox) writeIndex() error {
	told := o.takeTold()
	pipe := o.db.main.client.Pipeline()
	for store := range told {
		pipe.ZAddArgs(background, outboxesKey, redis.ZAddArgs{LT: true, Members: []redis.Z{{Member: store.String()}}})
	}
	var found *redis.ScanCmd
	if time.Since(o.swept) >= sweepEvery {
		o.swept = time.Now()
		found = pipe.SScan(background, storesKey, o.next, "", sweepStep)
	}
	if pipe.Len() == 0 {
		return nil
	}
	if err := o.db.main.exec(pipe); err != nil {
		o.tell(told)
		return o.failed("the index of outboxes", err)
	}
	if found == nil || found.Err() != nil {
		return nil
	}
	stores, next := found.Val()
	o.next = next
	return o.sweep(stores)
}

func (o *Outbox) takeTold() map[uuid.UUID]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	told := o.told
	o.told = map[uuid.UUID]bool{}
	return told
}

// tell takes back what could not be written.
func (o *Outbox) tell(told map[uuid.UUID]bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for store := range told {
		o.told[store] = true
	}
}

// sweep adds those of the stores that have something to do and that nobody told of:
// a node was killed between its commit and the index, or Redis lost the index.
func (o *Outbox) sweep(ids []string) error {
	pipe := o.db.main.client.Pipeline()
	var stores []uuid.UUID
	var events, queues []*redis.IntCmd
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			stores = append(stores, id)
			events = append(events, pipe.Exists(background, outboxKey(id)))
			queues = append(queues, pipe.Exists(background, receiversKey(id)))
		}
	}
	if len(stores) == 0 {
		return nil
	}
	if err := o.db.main.exec(pipe); err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	pipe = o.db.main.client.Pipeline()
	for i, store := range stores {
		if events[i].Val() > 0 {
			pipe.ZAddArgs(background, outboxesKey, redis.ZAddArgs{LT: true, Members: []redis.Z{{Member: store.String()}}})
		} else if queues[i].Val() > 0 {
			pipe.ZAddNX(background, outboxesKey, redis.Z{Member: store.String()})
		}
	}
	if pipe.Len() == 0 {
		return nil
	}
	if err := o.db.main.exec(pipe); err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	return nil
}

// comeUp makes the index show a store no later than at a moment of Redis's clock.
func (o *Outbox) comeUp(store uuid.UUID, at int64) {
	ctx, cancel := context.WithTimeout(background, o.db.main.timeout)
	defer cancel()
	err := o.db.main.client.ZAddArgs(ctx, outboxesKey, redis.ZAddArgs{
		LT: true, Members: []redis.Z{{Score: float64(at), Member: store.String()}},
	}).Err()
	if err != nil {
		_ = o.failed("the index of outboxes", err) // the sweep finds it
	}
}
