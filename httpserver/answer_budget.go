package httpserver

import (
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/engine"
)

const (
	// defaultAnswerBytes bounds the answers that are being made or sent, beyond freeAnswer of each. A
	// store has a part of them.
	defaultAnswerBytes = 128 << 20
	answerParts        = 4
	// freeAnswer is the size up to which an answer is not counted, in bytes: the number of connections
	// bounds those.
	freeAnswer = 16 << 10
	// answerStep is the growth after which an answer that is being made is counted again.
	answerStep = 64 << 10
)

// noRoomForAnswer is the cause of a 503 for a store that has used up its share.
const noRoomForAnswer engine.Unavailable = causeAnswers

// answerBudget counts the answers that are being made or sent. An answer counts until its connection
// begins the next request, or closes.
type answerBudget struct {
	memoryBudget
	// sending are the connections with a counted answer.
	sending map[*conn]answerCharge
}

// answerCharge is the counted size of one answer.
type answerCharge struct {
	store uuid.UUID
	bytes int
}

// crowded reports whether more than half of the budget is in use. The lock is held.
func (b *answerBudget) crowded() bool { return b.used > b.limit/2 }

// charge counts an answer that has grown to a size. must counts it also beyond the budget. It
// returns false, with nothing changed, if there is no room.
func (b *answerBudget) charge(c *answerCharge, size int, must bool) bool {
	more := size - freeAnswer - c.bytes
	if more <= 0 {
		return true
	}
	if !b.reserve(c.store, more) {
		if !must {
			return false
		}
		b.release(c.store, -more)
	}
	c.bytes += more
	b.hurry(more)
	return true
}

// hurry shortens the time of every answer that is being sent, if the last bytes have made the budget
// crowded.
func (b *answerBudget) hurry(last int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.crowded() || b.used-int64(last) > b.limit/2 {
		return
	}
	for c := range b.sending {
		c.Conn.SetWriteDeadline(time.Now().Add(crowdedWrite))
	}
}

// full reports whether a store has no room for another answer.
func (b *answerBudget) full(store uuid.UUID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := b.used >= b.limit || b.stores[store] >= b.limit/b.parts
	if full {
		b.logFull(store, time.Now())
	}
	return full
}

// sends passes an answer's charge on to the connection that sends it.
func (b *answerBudget) sends(c *conn, charge answerCharge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sending[c] = charge
	c.owes.Store(true)
}

// sent ends the charge of a connection's last answer.
func (b *answerBudget) sent(c *conn) {
	if !c.owes.CompareAndSwap(true, false) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(b.sending[c].store, -b.sending[c].bytes)
	delete(b.sending, c)
}

// writeDeadline is the deadline of a write that may take until a time.
func (b *answerBudget) writeDeadline(until time.Time) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if soon := time.Now().Add(crowdedWrite); b.crowded() && soon.Before(until) {
		return soon
	}
	return until
}

// grown counts the answer that is being made, if it has grown by a step. An answer to a write must
// be sent: its write is done.
func (x *exchange) grown() error {
	if size := len(x.out); size > freeAnswer && size-freeAnswer-x.charge.bytes >= answerStep {
		return x.charged(size)
	}
	return nil
}

func (x *exchange) charged(size int) error {
	if x.request.Store != nil {
		x.charge.store = x.request.Store.ID
	}
	if !x.answers.charge(&x.charge, size, x.route != nil && x.route.method != fasthttp.MethodGet) {
		return noRoomForAnswer
	}
	return nil
}

// room counts bytes that the making of the answer needs for a time; a negative number ends it.
func (x *exchange) room(bytes int) error {
	store := x.request.Store.ID
	if bytes < 0 {
		x.answers.release(store, -bytes)
	} else if !x.answers.reserve(store, bytes) {
		return noRoomForAnswer
	}
	return nil
}

// dropAnswer drops an answer for which there is no room.
func (x *exchange) dropAnswer() {
	x.answers.release(x.charge.store, x.charge.bytes)
	x.out, x.charge = nil, answerCharge{}
}

// endCharge passes the charge of the answer on to its connection.
func (x *exchange) endCharge() {
	if x.charge.bytes == 0 {
		return
	}
	if c, is := x.ctx.Conn().(*conn); is {
		x.answers.sends(c, x.charge)
	} else {
		x.answers.release(x.charge.store, x.charge.bytes)
	}
	x.charge = answerCharge{}
}
