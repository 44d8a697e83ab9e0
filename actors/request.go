package actors

import (
	"sync/atomic"
	"time"

	"cartd/commerce"
)

// request is one command or read on its way through an actor.
type request[S any] struct {
	act[S]
	seen     commerce.Sighting[S]
	began    time.Time
	deadline time.Time
	// key is the request's Idempotency-Key, entry what was remembered under it when
	// the record had the stamp seen.
	key   *commerce.IdempotencyKey
	entry *commerce.IdempotencyEntry
	// since is when entry was known; zero: at began. An earlier state of the record
	// may lack what entry tells of.
	since time.Time

	// presumed is what the request was admitted under without Redis; nil: it was
	// counted. Only a commit that counts it may answer it.
	presumed commerce.Presumption
	// latest is when a presumed request was admitted at the latest, by the store's clock;
	// sight is the stamp counter up to which it counts as having seen what stands in the
	// record.
	latest time.Time
	sight  uint64
	// counted is what the request limit said of a presumed one before its commit was
	// done; nil: it was not asked yet.
	counted *commerce.Budget

	waiter *waiter[S] // its caller's
	phase  atomic.Uint32
	read   bool
	// create is true where the command makes the record.
	create   bool
	finished bool // the actor's alone
}

// act is what a request does with what it is shown: a command is applied to it, a read
// returns the state as it is. It is judged again after every conflict.
type act[S any] interface {
	judge(view[S]) (verdict[S], error)
}

// asked is a request that was admitted so.
func asked[S any](does act[S], seen commerce.Sighting[S], began, deadline time.Time, key *commerce.IdempotencyKey, entry *commerce.IdempotencyEntry) *request[S] {
	r := &request[S]{act: does, seen: seen, began: began, deadline: deadline, key: key, entry: entry}
	if entry != nil {
		r.since = time.Now()
	}
	return r
}

// view is what a request is judged against.
type view[S any] struct {
	state S
	// next is the stamp counter of the commit to come.
	next uint64
	// stamp is the state's; zero where changes of the same commit come before.
	stamp commerce.Stamp
	// sight is the request's.
	sight uint64
	entry *commerce.IdempotencyEntry
	// input is room for what a command is judged with, until it is.
	input *commerce.Input
}

// version is what an If-Match is compared with; 0 where none was sent, or where the
// state is not committed yet.
func (v *view[S]) version(m *commerce.Match) commerce.Version {
	if m == nil || v.stamp.Zero() {
		return 0
	}
	return v.stamp.Version(0)
}

// verdict is what becomes of the record. A replay changes nothing.
type verdict[S any] struct {
	state    S
	effects  commerce.Effects
	replayed bool
	// about is the id of the part that the answer shows; zero: the whole.
	about [16]byte
}

// answer is the end of a request: a state with its stamp, or an error.
type answer[S any] struct {
	state    S
	about    [16]byte
	stamp    commerce.Stamp
	place    int
	replayed bool
	// budget is what the commit told of the request limit; zero: it was not asked.
	budget commerce.Budget
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
	why, reusable := r.waiter.wait(r.deadline)
	if why == answered {
		*a = r.waiter.answer
		return reusable
	}
	if r.phase.CompareAndSwap(waiting, abandoned) {
		a.err = commerce.ErrUnavailable
		return false
	}
	select {
	case <-r.waiter.woken:
		*a = r.waiter.answer
		return true
	default:
		a.err = commerce.ErrUnknownOutcome
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
func (r *request[S]) learn(entry *commerce.IdempotencyEntry, stamp commerce.Stamp) {
	r.entry, r.seen, r.since = entry, commerce.Sighting[S]{Stamp: stamp}, time.Now()
}

// doubtful reports whether a refusal that rests on the record with this stamp may be
// the effect of the request itself, sent twice: nobody has looked since the record
// was another one.
func (r *request[S]) doubtful(v *view[S], stamp commerce.Stamp) bool {
	return r.key != nil && v.entry == nil && r.seen.Stamp != stamp
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
