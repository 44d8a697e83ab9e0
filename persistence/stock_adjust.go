package persistence

import (
	"crypto/rand"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// unkeyedFor is how long an adjustment without an Idempotency-Key is remembered: far
// longer than it may be sent again after a lost reply.
const unkeyedFor = 10 * time.Minute

// stockWrite is an adjustment as its script takes it. seen and next are what is on
// hand before and after; next is empty where the script only is to look.
type stockWrite struct {
	keys       []string
	item       string
	seen, next string
	entry      []byte
	keptFor    int64 // milliseconds
	event      string
	// doubtful: a sending that writes may have had no answer.
	doubtful bool
}

// stockReply is what the script found, or left.
type stockReply struct {
	written bool
	onHand  string
	held    commerce.Micros
	entry   *engine.IdempotencyEntry
}

// AdjustStock changes what is on hand of an item, once, with the event that tells of
// it. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) AdjustStock(r *engine.Request, a *commerce.StockAdjustment) (engine.StockAdjusted, error) {
	item, refusal := a.Item(r.Store)
	if refusal != nil {
		return engine.StockAdjusted{}, refusal
	}
	w, id := newStockWrite(r, item)
	for {
		reply, err := d.tryStock(r.Deadline, w)
		switch {
		case err != nil:
			return engine.StockAdjusted{}, w.nothing(err)
		case reply.written || reply.entry != nil && reply.entry.Made == id:
			if w.event != "" {
				d.announce(r.Store.ID)
			}
			return d.adjusted(r, item, reply, false), nil
		case reply.entry != nil:
			if reply.entry.Request != r.Idempotency.Request {
				return engine.StockAdjusted{}, commerce.IdempotencyKeyReused
			}
			return d.adjusted(r, item, reply, true), nil
		case time.Now().After(r.Deadline):
			return engine.StockAdjusted{}, w.nothing(engine.ErrUnavailable)
		}
		after, refusal := a.Apply(micros(reply.onHand))
		if refusal != nil {
			return engine.StockAdjusted{}, w.nothing(refusal)
		}
		w.change(reply.onHand, after, a.Event(r.Store, r.Now, after))
	}
}

// change makes the next sending one that writes.
func (w *stockWrite) change(seen string, after commerce.Micros, e *commerce.Event) {
	w.seen, w.next, w.event = seen, strconv.FormatInt(int64(after), 10), ""
	if e != nil {
		w.event = string(outboxEntry(e))
	}
}

// nothing is err where nothing was done for certain: a sending without an answer may
// still arrive.
func (w *stockWrite) nothing(err error) error {
	if w.doubtful {
		return engine.ErrUnknownOutcome
	}
	return err
}

// newStockWrite begins with a look. id tells this adjustment from every other, also
// from the same request sent again.
func newStockWrite(r *engine.Request, item uuid.UUID) (w *stockWrite, id uuid.UUID) {
	rand.Read(id[:])
	key, keptFor := r.Idempotency, engine.IdempotencyTTL
	if key == nil {
		key, keptFor = &engine.IdempotencyKey{Name: id}, unkeyedFor
	}
	effects := &engine.Effects{Effects: commerce.Effects{Made: id}, Idempotency: key}
	store := r.Store.ID
	return &stockWrite{
		keys:    []string{onHandKey(store), heldKey(store), onceKey(store, key.Name), outboxKey(store)},
		item:    item.String(),
		entry:   makeEntry(effects, engine.Stamp{}),
		keptFor: keptFor.Milliseconds(),
	}, id
}

// tryStock sends the write until Redis answers: the entry keeps it from being done
// twice.
func (d *DB) tryStock(deadline time.Time, w *stockWrite) (stockReply, error) {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		reply, err := d.runScript(deadline, true, adjustStockScript, w.keys, w.item, w.seen, w.next, w.entry, w.keptFor, w.event)
		if err == nil {
			return parseStockReply(reply)
		}
		if redisdb.IsReply(err) && !redisdb.CertainlyRefused(err) { // a key holds what it cannot
			d.broken(w.keys[0])
			return stockReply{}, engine.ErrUnavailable
		}
		refused := err == engine.ErrUnavailable
		w.doubtful = w.doubtful || !refused && w.next != ""
		if refused && !w.doubtful || time.Until(deadline) < pause {
			return stockReply{}, engine.ErrUnavailable
		}
		time.Sleep(pause)
	}
}

func parseStockReply(reply []any) (r stockReply, err error) {
	if len(reply) != 4 {
		return r, errReply
	}
	r.written, r.held = reply[0] == int64(1), micros(reply[2])
	r.onHand, _ = reply[1].(string)
	entry, _ := reply[3].(string)
	r.entry, err = parseEntry(entry)
	return r, err
}

// adjusted is the stock behind an adjustment that is made. Where nothing seems to be
// left, the holds that have lapsed are looked after.
func (d *DB) adjusted(r *engine.Request, item uuid.UUID, found stockReply, replayed bool) engine.StockAdjusted {
	out := engine.StockAdjusted{Level: commerce.StockLevel{OnHand: micros(found.onHand), Held: found.held}, Replayed: replayed}
	if out.Level.Available() == 0 && out.Level.OnHand > 0 {
		if levels, err := d.StockLevels(r.Store.ID, uuid.Nil, []uuid.UUID{item}); err == nil {
			out.Level.Held = levels[0].Held
		}
	}
	return out
}
