package persistence

import (
	"context"
	"time"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// StoreStorage reads and writes the records of stores (actors.Storage). The node has the documents in memory: when a visit
// has ended, the node first has the store as the visit left it, or as it found it.
type StoreStorage struct {
	RecordStorage[*engine.StoreState]
}

// StoresIn is the storage of the records of stores.
func StoresIn(d *DB) StoreStorage { return StoreStorage{Stores.In(d)} }

// Present is part of actors.presenter.
func (s StoreStorage) Present(key engine.RecordKey, requests []*engine.Request) *engine.Record[*engine.StoreState] {
	l, record := s.DB.Present(key.Store)
	if record == nil {
		return nil
	}
	for _, r := range requests {
		r.Version, r.Store, r.Key = l.Version, l.Store, l.Key(r.KeyHash)
	}
	return record
}

// Send sends a visit once. What is too much for it is written ahead.
func (s StoreStorage) Send(v *engine.Visit[*engine.StoreState]) {
	v.Tolerance = max(v.Tolerance, time.Until(v.Deadline))
	switch {
	case !v.Writes:
		s.send(v, nil, s.settled(v, func() {}))
		return
	case !stores.WritesAhead(v):
		s.send(v, &stores.SetsReady{}, s.settled(v, func() {}))
		return
	}
	go func() {
		if !v.Resent && !s.mayGrow(v.Requests, v.Next.State.Sets.Growth()) {
			s.settle(v, engine.Outcome[*engine.StoreState]{Ending: engine.Ending{Kind: engine.TooLarge}})
			return
		}
		ctx, cancel := context.WithDeadline(background, v.Deadline)
		ready, kind := s.PrepareSets(ctx, v)
		if kind != engine.Done {
			cancel()
			s.settle(v, engine.Outcome[*engine.StoreState]{Ending: engine.Ending{Kind: kind}})
			return
		}
		s.send(v, ready, s.settled(v, func() {
			ready.End()
			cancel()
		}))
		s.Flush(time.Time{})
	}()
}

// settled receives an outcome, and lets the node follow it on another goroutine: the caller is the connection's.
func (s StoreStorage) settled(v *engine.Visit[*engine.StoreState], end func()) func(engine.Outcome[*engine.StoreState]) {
	return func(o engine.Outcome[*engine.StoreState]) {
		go func() {
			end()
			s.settle(v, o)
		}()
	}
}

// settle lets the node follow an outcome ahead of the actor: it has the store as the visit left it, or as another commit did.
func (s StoreStorage) settle(v *engine.Visit[*engine.StoreState], o engine.Outcome[*engine.StoreState]) {
	ctx, cancel := context.WithDeadline(background, v.Deadline)
	defer cancel()
	switch o.Kind {
	case engine.Done:
		if v.Writes {
			if err := s.InstallSets(ctx, v); err != nil {
				s.log.Warn("a node reads a store again that it has changed", "store", v.Key.Store.String(), "error", err.Error())
			}
		}
	case engine.OtherRecord, engine.OtherHead:
		if err := s.Reread(ctx, v.Key.Store); err != nil {
			o.Kind = engine.Refused
			break
		}
		o.Kind = engine.OtherRecord // also if only the usage of discounts has changed: judged again at once
	}
	v.Done(o)
}

// checkedSets is what was written ahead of a visit of change sets that writes; lease is the index of its check of the import's lease.
type checkedSets struct {
	ready *stores.SetsReady
	lease int
}

// holdStore adds to a visit of change sets its checks and writes, and what lets its store grow.
func holdStore(w *sending, v *engine.Visit[*engine.StoreState]) {
	w.sets.lease = w.Plan.Checks()
	stores.WriteSets(&w.Plan, v, w.sets.ready)
	w.alone = true
	w.growth += w.sets.ready.Bytes() - v.Next.State.Sets.Left
}

// heldStore reports whether a visit has met an import.
func heldStore(w *sending, r *records.Result) bool {
	return w.sets != nil && w.sets.lease < len(r.Values) && w.sets.ready.HeldBy(r.Values[w.sets.lease])
}
