package stores

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// changeQueue has the change sets that wait for an import, by store. A node imports for one store at a
// time. The sets of a store that wait when its turn comes are carried out together.
type changeQueue struct {
	mu      sync.Mutex
	waiting map[uuid.UUID][]*waitingChange
	// rests are the times until which a store's sets wait on this node, beside the pause that all nodes
	// keep: after its own import, so that another node has the next one, and after sets with faults.
	rests map[uuid.UUID]time.Time
	// turn is the right to import; it is of capacity 1.
	turn chan struct{}
	// warned is the time of the last warning that Redis does not answer.
	warned time.Time
}

// waitingChange is a change whose request waits for its result until its deadline.
type waitingChange struct {
	*Change
	deadline time.Time
	done     chan changeResult // of capacity 1
	state    atomic.Int32
}

// The states of a waiting change. Its request leaves at its deadline; nothing was done if the change
// waited until then. An import claims a change ahead of its first write.
const (
	changeWaits = iota
	changeClaimed
	changeLeft
)

// leave ends the wait of a request. It reports whether no import has claimed the change.
func (w *waitingChange) leave() bool { return w.state.Swap(changeLeft) != changeClaimed }

func newChangeQueue() changeQueue {
	return changeQueue{waiting: map[uuid.UUID][]*waitingChange{}, rests: map[uuid.UUID]time.Time{}, turn: make(chan struct{}, 1)}
}

// Change carries out a change set with the next import of its store. Errors: *commerce.Refusal,
// *storefile.Faults, storefile.ErrNoProduct, ErrCarriedOut, ErrUnavailable (also *engine.Busy),
// ErrUnknownOutcome.
func (s *Stores) Change(store uuid.UUID, c *Change, deadline time.Time) (engine.CatalogueChanged, error) {
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	times, err := s.importTimes(ctx, store)
	if err != nil {
		return engine.CatalogueChanged{}, engine.ErrUnavailable
	}
	if err := times.judge(deadline); err != nil {
		return engine.CatalogueChanged{}, err
	}
	w := &waitingChange{Change: c, deadline: deadline, done: make(chan changeResult, 1)}
	s.changes.mu.Lock()
	first := s.changes.waiting[store] == nil
	s.changes.waiting[store] = append(s.changes.waiting[store], w)
	s.changes.mu.Unlock()
	if first {
		go s.importWaiting(store)
	}
	select {
	case result := <-w.done:
		return result.CatalogueChanged, s.outcomeOf(store, result.Err)
	case <-ctx.Done():
	}
	if w.leave() {
		s.changes.remove(store, w)
		return engine.CatalogueChanged{}, engine.ErrUnavailable
	}
	return engine.CatalogueChanged{}, engine.ErrUnknownOutcome
}

// outcomeOf maps the error of an import to those of a request. That Redis does not answer is a warning,
// once a minute: the client says whether Redis is away.
func (s *Stores) outcomeOf(store uuid.UUID, err error) error {
	var busy *engine.Busy
	switch {
	case err == nil, errors.Is(err, commerce.StoreTooLarge), errors.As(err, &busy), errors.Is(err, engine.ErrUnknownOutcome),
		errors.Is(err, ErrCarriedOut), isFault(err), errors.Is(err, storefile.ErrNoProduct):
		return err
	case !isSilence(err):
		s.log.Error("change sets cannot be imported", "store", store.String(), "error", err.Error())
	case s.changes.mayWarn(time.Now()):
		s.log.Warn("redis does not answer imports of change sets", "store", store.String(), "error", err.Error())
	}
	return engine.ErrUnavailable
}

// isFault reports whether a change set has faults.
func isFault(err error) bool {
	var faults *storefile.Faults
	return errors.As(err, &faults)
}

// mayWarn reports whether a warning is due, at most one a minute.
func (q *changeQueue) mayWarn(now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now.Sub(q.warned) < time.Minute {
		return false
	}
	q.warned = now
	return true
}

// answerRefused answers and removes the change sets that the times of the last import refuse.
func (q *changeQueue) answerRefused(store uuid.UUID, times importTimes) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting[store] = slices.DeleteFunc(q.waiting[store], func(w *waitingChange) bool {
		err := times.judge(w.deadline)
		if err != nil {
			w.done <- changeResult{Err: err}
		}
		return err != nil
	})
}

// remove removes a change, if it is still in the queue.
func (q *changeQueue) remove(store uuid.UUID, w *waitingChange) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting[store], w); i >= 0 {
		q.waiting[store] = slices.Delete(q.waiting[store], i, i+1)
	}
}

// putBack puts changes back to the head of the queue, without those whose requests have left.
func (q *changeQueue) putBack(store uuid.UUID, batch []*waitingChange) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var stay []*waitingChange
	for _, w := range batch {
		if w.state.CompareAndSwap(changeClaimed, changeWaits) || w.state.Load() == changeWaits {
			stay = append(stay, w)
		}
	}
	if stay != nil { // else the store keeps its empty list, which means that it has a goroutine
		q.waiting[store] = append(stay, q.waiting[store]...)
	}
}

// importWaiting imports a store's change sets until none waits.
func (s *Stores) importWaiting(store uuid.UUID) {
	for {
		s.awaitTurn(store)
		batch := s.changes.dequeue(store)
		s.importBatch(store, batch)
		<-s.changes.turn
		if batch == nil {
			return
		}
	}
}

// leasePoll is the pause until a node looks again whether a running import has ended.
const leasePoll = 50 * time.Millisecond

// awaitTurn waits for the end of a running import and the pause after the store's last one, then for
// the node's turn. A set that cannot be carried out any more, after an import that took longer, is
// answered at once.
func (s *Stores) awaitTurn(store uuid.UUID) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), s.client.Timeout())
		times, err := s.importTimes(ctx, store)
		cancel()
		if err == nil {
			s.changes.answerRefused(store, times)
		}
		pause := time.Until(times.next)
		if times.leased && s.changes.anyWaits(store) {
			pause = max(pause, leasePoll)
		}
		if err == nil && pause > 0 {
			time.Sleep(pause)
			continue // another node may have imported meanwhile
		}
		s.changes.turn <- struct{}{}
		return
	}
}

// anyWaits reports whether any request waits for a change of the store.
func (q *changeQueue) anyWaits(store uuid.UUID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[store]) > 0
}

// dequeue removes and returns the change sets that wait, except a repetition of another one's
// entry, which waits for the next import. It returns nil, and forgets the store, if none waits.
func (q *changeQueue) dequeue(store uuid.UUID) (batch []*waitingChange) {
	q.mu.Lock()
	defer q.mu.Unlock()
	entries := map[string]bool{}
	var later []*waitingChange
	for _, w := range q.waiting[store] {
		if w.Entry != nil && entries[w.EntryKey] {
			later = append(later, w)
			continue
		}
		entries[w.EntryKey] = true
		batch = append(batch, w)
	}
	if q.waiting[store] = later; batch == nil {
		delete(q.waiting, store)
	} else if later == nil {
		q.waiting[store] = []*waitingChange{}
	}
	return batch
}

// yield is the time by which a node lets others go first after its own import of a store.
const yield = 100 * time.Millisecond

// importBatch imports change sets and answers them. Those that meet another import, and those that are
// not judged within a turn, go back to the queue until their deadlines.
func (s *Stores) importBatch(store uuid.UUID, batch []*waitingChange) {
	if len(batch) == 0 {
		return
	}
	var last time.Time
	changes := make([]*Change, len(batch))
	for i, w := range batch {
		changes[i] = w.Change
		if w.deadline.After(last) {
			last = w.deadline
		}
	}
	results, back := make([]changeResult, len(batch)), map[int]bool{}
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an import of change sets panicked", "store", store.String(), "panic", p)
			clear(back)
			for i := range results {
				results[i] = changeResult{Err: engine.ErrUnknownOutcome}
			}
		}
		var waiting []*waitingChange
		for i, w := range batch {
			if back[i] {
				waiting = append(waiting, w)
			} else {
				w.done <- results[i]
			}
		}
		s.changes.putBack(store, waiting)
	}()
	ctx, cancel := context.WithDeadline(context.Background(), last)
	defer cancel()
	im := newChangeImport(ctx, s, store, changes, results)
	im.until = time.Now().Add(maxChangeTime)
	im.waits = func(i int) bool { return batch[i].state.Load() == changeWaits }
	im.claim = func(i int) bool { return batch[i].state.CompareAndSwap(changeWaits, changeClaimed) }
	switch err := im.try(); {
	case err == nil:
	case errors.Is(err, errHeadMoved), errors.Is(err, ErrImportRunning), errors.Is(err, errLeaseLost):
		im.later = append(im.left, im.later...)
	default:
		im.fail(err)
	}
	for _, c := range im.later {
		back[c.index] = true
	}
	pause := 2 * im.wasted
	if im.imported {
		pause = max(pause, changePause(im.took)+yield)
	}
	if pause > 0 {
		s.changes.rest(store, time.Now().Add(pause))
	}
}
