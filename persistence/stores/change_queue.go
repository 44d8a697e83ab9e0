package stores

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// changeQueue has the change sets that wait for an import, by store. A node imports for one store at a
// time. The sets of a store that wait when its turn comes are carried out together.
type changeQueue struct {
	mu      sync.Mutex
	waiting map[uuid.UUID][]*waitingChange
	// turn is the right to import; it is of capacity 1.
	turn chan struct{}
}

// waitingChange is a change whose request waits for its result until its deadline.
type waitingChange struct {
	*Change
	deadline time.Time
	done     chan changeResult // of capacity 1
}

func newChangeQueue() changeQueue {
	return changeQueue{waiting: map[uuid.UUID][]*waitingChange{}, turn: make(chan struct{}, 1)}
}

// importTimes are the times of a store's last import.
type importTimes struct {
	next time.Time     // the earliest begin of the next import of change sets
	took time.Duration // of the last one; 0 if it is not known
}

// judge refuses a change whose import would be too long, or too late for its deadline.
func (t importTimes) judge(deadline time.Time) error {
	switch {
	case t.took > maxChangeTime:
		return commerce.StoreTooLarge
	case t.next.Add(t.took).After(deadline):
		return &engine.Busy{After: time.Until(t.next)}
	}
	return nil
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
	if s.changes.withdraw(store, w) {
		return engine.CatalogueChanged{}, engine.ErrUnavailable
	}
	return engine.CatalogueChanged{}, engine.ErrUnknownOutcome
}

// outcomeOf maps the error of an import to those of a request.
func (s *Stores) outcomeOf(store uuid.UUID, err error) error {
	var busy *engine.Busy
	switch {
	case err == nil, errors.Is(err, commerce.StoreTooLarge), errors.As(err, &busy), errors.Is(err, engine.ErrUnknownOutcome), errors.Is(err, ErrCarriedOut), isFault(err), errors.Is(err, storefile.ErrNoProduct):
		return err
	case errors.Is(err, ErrImportRunning), errors.Is(err, errBusy), errors.Is(err, errHeadMoved):
		return &engine.Busy{After: time.Second}
	}
	if !s.client.Unreachable() {
		s.log.Error("change sets cannot be imported", "store", store.String(), "error", err.Error())
	}
	return engine.ErrUnavailable
}

// isFault reports whether a change set has faults.
func isFault(err error) bool {
	var faults *storefile.Faults
	return errors.As(err, &faults)
}

// importTimes reads when a store's next import of change sets may begin.
func (s *Stores) importTimes(ctx context.Context, store uuid.UUID) (importTimes, error) {
	h, err := s.ReadHead(ctx, store)
	if err != nil {
		return importTimes{}, err
	}
	text, err := s.client.Redis.HGet(ctx, importsKey(store), "took").Result()
	if errors.Is(err, redis.Nil) {
		text, err = "", nil
	}
	if err != nil {
		return importTimes{}, err
	}
	var t importTimes
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		t.took = time.Duration(min(ms, math.MaxInt32)) * time.Millisecond
	}
	now, known := s.Entry(store).Clock.Now()
	if !known {
		now = time.Now()
	}
	t.next = time.Now().Add(h.Moved.Add(changePause(t.took)).Sub(now))
	return t, nil
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

// withdraw takes a change back; false if an import has it.
func (q *changeQueue) withdraw(store uuid.UUID, w *waitingChange) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, other := range q.waiting[store] {
		if other == w {
			q.waiting[store] = append(q.waiting[store][:i:i], q.waiting[store][i+1:]...)
			return true
		}
	}
	return false
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

// awaitTurn waits for the pause after the store's last import, then for the node's turn. A set that
// cannot be carried out any more, after an import that took longer, is answered at once.
func (s *Stores) awaitTurn(store uuid.UUID) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), s.client.Timeout())
		times, err := s.importTimes(ctx, store)
		cancel()
		if err == nil {
			s.changes.answerRefused(store, times)
		}
		if pause := time.Until(times.next); err == nil && pause > 0 {
			time.Sleep(pause)
			continue // another node may have imported meanwhile
		}
		s.changes.turn <- struct{}{}
		return
	}
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

// importBatch imports change sets and answers them.
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
	results := make([]changeResult, len(batch))
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an import of change sets panicked", "store", store.String(), "panic", p)
			for i := range results {
				results[i] = changeResult{Err: engine.ErrUnknownOutcome}
			}
		}
		for i, w := range batch {
			w.done <- results[i]
		}
	}()
	ctx, cancel := context.WithDeadline(context.Background(), last)
	defer cancel()
	results = s.importChanges(ctx, store, changes)
}
