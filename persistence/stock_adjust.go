package persistence

import (
	"crypto/rand"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
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
	entry   *commerce.IdempotencyEntry
}

// AdjustStock changes what is on hand of an item, once, with the event that tells of
// it. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) AdjustStock(a *commerce.StockAdjustment) (commerce.StockAdjusted, error) {
	item, refusal := a.Item()
	if refusal != nil {
		return commerce.StockAdjusted{}, refusal
	}
	w, id := newStockWrite(a, item)
	for {
		reply, err := d.tryStock(a.Deadline, w)
		switch {
		case err != nil:
			return commerce.StockAdjusted{}, w.nothing(err)
		case reply.written || reply.entry != nil && reply.entry.Made == id:
			if w.event != "" {
				d.announce(a.Store.ID)
			}
			return d.adjusted(a, item, reply, false), nil
		case reply.entry != nil:
			if _, refusal := reply.entry.Settles(a.Key); refusal != nil {
				return commerce.StockAdjusted{}, refusal
			}
			return d.adjusted(a, item, reply, true), nil
		case time.Now().After(a.Deadline):
			return commerce.StockAdjusted{}, w.nothing(commerce.ErrUnavailable)
		}
		after, refusal := a.Apply(micros(reply.onHand))
		if refusal != nil {
			return commerce.StockAdjusted{}, w.nothing(refusal)
		}
		w.change(reply.onHand, after, a.Event(after))
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
		return commerce.ErrUnknownOutcome
	}
	return err
}

// newStockWrite begins with a look. id tells this adjustment from every other, also
// from the same request sent again.
func newStockWrite(a *commerce.StockAdjustment, item uuid.UUID) (w *stockWrite, id uuid.UUID) {
	rand.Read(id[:])
	key, keptFor := a.Key, commerce.IdempotencyTTL
	if key == nil {
		key, keptFor = &commerce.IdempotencyKey{Name: id}, unkeyedFor
	}
	effects := &commerce.Effects{Key: key, Made: id}
	store := a.Store.ID
	return &stockWrite{
		keys:    []string{onHandKey(store), heldKey(store), onceKey(store, key.Name), outboxKey(store)},
		item:    item.String(),
		entry:   makeEntry(effects, commerce.Stamp{}),
		keptFor: keptFor.Milliseconds(),
	}, id
}

// tryStock sends the write until Redis answers: the entry keeps it from being done
// twice.
func (d *DB) tryStock(deadline time.Time, w *stockWrite) (stockReply, error) {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		reply, err := d.run(deadline, &call{
			script: adjustStockScript, keys: w.keys, writes: true,
			args: []any{w.item, w.seen, w.next, w.entry, w.keptFor, w.event},
		})
		if err == nil {
			return parseStockReply(reply)
		}
		refused := err == commerce.ErrUnavailable
		w.doubtful = w.doubtful || !refused && w.next != ""
		if refused && !w.doubtful || time.Until(deadline) < pause {
			return stockReply{}, commerce.ErrUnavailable
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
func (d *DB) adjusted(a *commerce.StockAdjustment, item uuid.UUID, r stockReply, replayed bool) commerce.StockAdjusted {
	out := commerce.StockAdjusted{Level: commerce.StockLevel{OnHand: micros(r.onHand), Held: r.held}, Replayed: replayed}
	if out.Level.Available() == 0 && out.Level.OnHand > 0 {
		if levels, err := d.StockLevels(a.Store.ID, uuid.Nil, []uuid.UUID{item}); err == nil {
			out.Level.Held = levels[0].Held
		}
	}
	return out
}
