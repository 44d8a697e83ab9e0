package actors

import (
	"cartd/engine"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// request is one command on its way through an actor.
type request[S any] struct {
	engine.Request // its own
	judge          judgement[S]
	waiter         *waiter[S] // its caller's
	phase          atomic.Uint32
	// create is true where the command makes the record, alone where no other may share its visit,
	// which may fall short.
	create, alone bool
	finished      bool // the actor's alone

	// sight is what it can have seen of the record; judged: it was judged before.
	sight  commerce.Sight
	judged bool
	// tells: by the last judgement it changes the record, or repeats what did. Whoever waits for that
	// in vain is told that the outcome is not known.
	tells bool
	// proven: a visit has returned its facts together with the record of the stamp at.
	proven bool
	at     engine.Stamp
	// shortage is what its visit has found too little of, beside that record.
	shortage *commerce.Shortage
	// patient: it has waited for so long that its visit may come late.
	patient bool
}

// judgement is what a request does with what it is shown. It is judged again whenever a visit has
// found other facts.
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

func newRequest[S any](asked *engine.Request, judge judgement[S]) *request[S] {
	return &request[S]{Request: *asked, judge: judge, sight: commerce.Sight{Came: asked.Now}}
}

// answer is the end of a request: a state with its stamp, or an error.
type answer[S any] struct {
	state       S
	part        uuid.UUID
	stamp       engine.Stamp
	commitIndex int
	replayed    bool
	existing    bool
	// sale is what the request sells; number is the order's or the quote's, 0 if it is not known.
	sale   *commerce.Sale
	number int64
	// answered is told when the answer leaves; nil: nobody asks.
	answered *engine.Moment
	// fold is what a claim did to other carts; nil if it is none.
	fold *engine.Fold
	// facts are what it was judged by at last; nil: it was given up.
	facts *engine.Facts
	err   error
}

// made returns the order or the quote that the request has made. It is nil if there is none or if its number is not known.
func (a *answer[S]) made() (*commerce.Order, *commerce.Quote) {
	switch {
	case a.number == 0:
		return nil, nil
	case a.sale.Quote != nil:
		quote := *a.sale.Quote
		quote.Number = a.number
		return nil, &quote
	}
	order := *a.sale.Order
	order.Number = a.number
	return &order, nil
}

// The phases of a request that tells of a change. It leaves waiting exactly once for good: by its
// visit being sent, or by its deadline.
const (
	waiting uint32 = iota
	sent
	abandoned
)

// answer is where the request's answer is written; it is the caller's once released.
func (r *request[S]) answer() *answer[S] { return &r.waiter.answer }

// wait blocks until the request is answered or its deadline passes. After the
// deadline it is ErrUnavailable where nothing that tells of a change was sent, so that none ever will
// be, and ErrUnknownOutcome where it was. reusable: its waiter is nobody else's
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

// learn takes over what a visit has found in the place of the facts that it compared.
func (r *request[S]) learn(found *engine.VisitedFacts, at engine.Stamp) {
	r.Visitor, r.TokenText, r.Entry = found.Visitor, found.TokenText, found.Entry
	if found.Carts != nil {
		r.Carts = found.Carts
	}
	if found.Contact != nil {
		r.Contact.Record = found.Contact
	}
	r.proven, r.at = true, at
}

// claim marks all requests that tell of a change as sent, or none: false when one of them gave up.
func claim[S any](requests []*request[S]) bool {
	if slices.ContainsFunc(requests, func(r *request[S]) bool { return r.tells && r.abandoned() }) {
		return false
	}
	for i, r := range requests {
		if r.tells && !r.phase.CompareAndSwap(waiting, sent) && r.abandoned() {
			unclaim(requests[:i])
			return false
		}
	}
	return true
}

// unclaim takes back a claim whose visit certainly had no effect.
func unclaim[S any](requests []*request[S]) {
	for _, r := range requests {
		r.phase.CompareAndSwap(sent, waiting)
	}
}

// recentCommit is a commit of this node, and when the first of its requests was answered.
type recentCommit struct {
	counter  uint64
	answered *engine.Moment
}

// leavesWithin is for how long an answer may be on its way out of the node; one that nobody waits
// for never leaves.
const leavesWithin = 250 * time.Millisecond

// recentCommits are the latest, as many as can have been answered while a request was on its way here.
type recentCommits []recentCommit

// maxRecentCommits and maxCommitAge bound them.
const (
	maxRecentCommits = 512
	maxCommitAge     = 2 * time.Second
)

// add notes a commit whose requests are about to be answered.
func (l *recentCommits) add(counter uint64) *engine.Moment {
	now := time.Now()
	old := 0
	for old < len(*l) && (len(*l)-old >= maxRecentCommits || now.Sub((*l)[old].answered.Began) > maxCommitAge) {
		old++
	}
	answered := &engine.Moment{Began: now}
	*l = append(slices.Delete(*l, 0, old), recentCommit{counter, answered})
	return answered
}

// since are the commits that were answered after a moment; they are answered in their order.
func (l recentCommits) since(moment time.Time) (unanswered []uint64) {
	for i := len(l) - 1; i >= 0; i-- {
		at := l[i].answered.At()
		if at.IsZero() {
			at = l[i].answered.Began.Add(leavesWithin)
		}
		if !at.After(moment) {
			break
		}
		unanswered = append(unanswered, l[i].counter)
	}
	return unanswered
}
