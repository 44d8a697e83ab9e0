package actors

import (
	"cartd/engine"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// request is one command or read on its way through an actor.
type request[S any] struct {
	*engine.Request
	judge judgement[S]
	seen  engine.Sighting[S]
	began time.Time
	// entry is what was remembered under the request's Idempotency-Key when the record had
	// the stamp seen.
	entry *engine.IdempotencyEntry
	// since is when entry was known; zero: at began. An earlier state of the record
	// may lack what entry tells of.
	since time.Time

	// sight is the stamp counter up to which a presumed request counts as having seen what
	// stands in the record.
	sight uint64

	waiter *waiter[S] // its caller's
	phase  atomic.Uint32
	read   bool
	// create is true where the command makes the record.
	create   bool
	finished bool // the actor's alone
}

// judgement is what a request does with what it is shown: a command is applied to it, a read
// returns the state as it is. It is judged again after every conflict.
type judgement[S any] func(*engine.Request, *engine.View[S]) (engine.Change[S], error)

// judged is the order of judgement for one kind of record.
func judged[S any](kind *engine.Kind[S]) judgement[S] {
	return func(r *engine.Request, v *engine.View[S]) (engine.Change[S], error) {
		change, refusal := engine.Judge(kind, r, v)
		if refusal != nil {
			return change, refusal
		}
		return change, nil
	}
}

// newRequest is a request on the record that its admission saw so.
func newRequest[S any](asked *engine.Request, judge judgement[S], seen engine.Sighting[S]) *request[S] {
	r := &request[S]{Request: asked, judge: judge, seen: seen, began: asked.Began, entry: asked.Entry, sight: seen.Stamp.Counter}
	if r.entry != nil {
		r.since = time.Now()
	}
	return r
}

// answer is the end of a request: a state with its stamp, or an error.
type answer[S any] struct {
	state    S
	part     uuid.UUID
	stamp    engine.Stamp
	place    int
	replayed bool
	// budget is what the commit told of the request limit; zero: it was not asked.
	budget engine.Budget
	err    error
}

// The phases of a request. It leaves waiting exactly once for good: by its commit
// being sent, or by its deadline.
const (
	waiting uint32 = iota
	sent
	abandoned
)

// answer is where the request's answer is written; it is the caller's once released.
func (r *request[S]) answer() *answer[S] { return &r.waiter.answer }

// wait blocks until the request is answered or its deadline passes. After the
// deadline it is ErrUnavailable where nothing was sent, so that nothing ever will
// be, and ErrUnknownOutcome where a commit was. reusable: its waiter is nobody else's
// any more; the answer may yet come where it is not.
func (r *request[S]) wait(a *answer[S]) (reusable bool) {
	why, reusable := r.waiter.wait(r.Deadline)
	if why == answered {
		*a = r.waiter.answer
		return reusable
	}
	if r.phase.CompareAndSwap(waiting, abandoned) {
		a.err = engine.ErrUnavailable
		return false
	}
	select {
	case <-r.waiter.woken:
		*a = r.waiter.answer
		return true
	default:
		a.err = engine.ErrUnknownOutcome
		return false
	}
}

func (r *request[S]) abandoned() bool { return r.phase.Load() == abandoned }

// from is the moment from which on the record may answer the request.
func (r *request[S]) from() time.Time {
	if r.since.After(r.began) {
		return r.since
	}
	return r.began
}

// learn takes over what was remembered under the request's key when the record had
// this stamp.
func (r *request[S]) learn(entry *engine.IdempotencyEntry, stamp engine.Stamp) {
	r.entry, r.seen, r.since = entry, engine.Sighting[S]{Stamp: stamp}, time.Now()
}

// doubtful reports whether a refusal that rests on the record with this stamp may be
// the effect of the request itself, sent twice: nobody has looked since the record
// was another one.
func (r *request[S]) doubtful(v *engine.View[S], stamp engine.Stamp) bool {
	return r.Idempotency != nil && v.Entry == nil && r.seen.Stamp != stamp
}

// claim marks all requests as sent, or none: false when one of them gave up.
func claim[S any](requests []*request[S]) bool {
	for _, r := range requests {
		if r.abandoned() {
			return false
		}
	}
	for i, r := range requests {
		if !r.phase.CompareAndSwap(waiting, sent) {
			unclaim(requests[:i])
			return false
		}
	}
	return true
}

// unclaim takes back a claim whose commit certainly had no effect.
func unclaim[S any](requests []*request[S]) {
	for _, r := range requests {
		r.phase.CompareAndSwap(sent, waiting)
	}
}
