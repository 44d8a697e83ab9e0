package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// outboxesKey is the index of the stores that have events on their way, by when they
// are to be looked at next or, where that is at once, since when they wait for it, Unix
// milliseconds of Redis's clock (ZSET). It stands outside the stores'
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

func (l *look) again(after time.Duration) { l.next = millis(l.now.Add(after)) }

// look tells the index of the stores that have something to do, and takes those whose
// time has come.
func (o *Outbox) look() ([]look, error) {
	ctx, cancel := context.WithTimeout(background, o.db.main.Timeout())
	defer cancel()
	told := o.takeTold()
	args := []any{looksAtOnce, looking.Milliseconds()}
	for store := range told {
		args = append(args, store.String())
	}
	reply, err := lookScript.Run(ctx, o.db.main.Redis, []string{outboxesKey}, args...).StringSlice()
	if err != nil {
		o.tellAgain(told)
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
	ctx, cancel := context.WithTimeout(background, o.db.main.Timeout())
	defer cancel()
	args := make([]any, 0, 1+2*len(looks))
	args = append(args, looks[0].mark)
	for _, l := range looks {
		args = append(args, l.store.String(), l.next)
	}
	if err := lookedScript.Run(ctx, o.db.main.Redis, []string{outboxesKey}, args...).Err(); err != nil {
		return o.failed("the index of outboxes", err)
	}
	if len(looks) == looksAtOnce {
		o.signal() // there may be more
	}
	return nil
}

// tell remembers a store for the index.
func (o *Outbox) tell(store uuid.UUID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told[store] = true
}

func (o *Outbox) takeTold() map[uuid.UUID]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	told := o.told
	o.told = map[uuid.UUID]bool{}
	return told
}

// tellAgain takes back what could not be written.
func (o *Outbox) tellAgain(told map[uuid.UUID]bool) {
	for store := range told {
		o.tell(store)
	}
}

// sweep asks about the next few of all stores, when it is time, and tells of those that
// have something to do and that nobody told of: a node was killed between its commit and
// the index, or Redis lost the index.
func (o *Outbox) sweep() error {
	if time.Since(o.swept) < sweepEvery {
		return nil
	}
	o.swept = time.Now()
	ctx, cancel := context.WithTimeout(background, o.db.main.Timeout())
	defer cancel()
	ids, next, err := o.db.main.Redis.SScan(ctx, storesKey, o.next, "", sweepStep).Result()
	if err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	o.next = next
	return o.ask(ids)
}

// ask tells of those of the stores that have events, or queues that the index lacks.
func (o *Outbox) ask(ids []string) error {
	pipe := o.db.main.Redis.Pipeline()
	var stores []uuid.UUID
	var events, queues []*redis.IntCmd
	var shown []*redis.FloatCmd
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			stores = append(stores, id)
			events = append(events, pipe.Exists(background, outboxKey(id)))
			queues = append(queues, pipe.Exists(background, receiversKey(id)))
			shown = append(shown, pipe.ZScore(background, outboxesKey, id.String()))
		}
	}
	if len(stores) == 0 {
		return nil
	}
	if err := o.db.main.Exec(pipe); err != nil {
		return o.failed("the sweep of outboxes", err)
	}
	for i, store := range stores {
		if events[i].Val() > 0 || queues[i].Val() > 0 && shown[i].Err() == redis.Nil {
			o.tell(store)
		}
	}
	return nil
}

// comeUp makes the index show a store no later than at a moment of Redis's clock.
func (o *Outbox) comeUp(store uuid.UUID, at int64) {
	ctx, cancel := context.WithTimeout(background, o.db.main.Timeout())
	defer cancel()
	err := o.db.main.Redis.ZAddArgs(ctx, outboxesKey, redis.ZAddArgs{
		LT: true, Members: []redis.Z{{Score: float64(at), Member: store.String()}},
	}).Err()
	if err != nil {
		_ = o.failed("the index of outboxes", err) // the sweep finds it
	}
}
