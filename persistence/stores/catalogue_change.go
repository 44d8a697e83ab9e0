package stores

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

// Change is a change set of an operator's command.
type Change struct {
	Set *storefile.ChangeSet
	// By is the command.
	By string
	// IfRevision is the revision that the store must have; empty if the change needs none.
	IfRevision string
}

// ImportChange carries out one change set at once, as an operator's command does. Errors: *storefile.Faults,
// storefile.ErrNoProduct, ErrImportRunning, engine.ErrUnknownOutcome.
func (s *Stores) ImportChange(ctx context.Context, store uuid.UUID, c *Change) (done engine.CatalogueChanged, err error) {
	change := &engine.CatalogueChange{Set: c.Set, By: c.By, Pages: map[storefile.PageName][]byte{}}
	before := new(storefile.PagedStore)
	for range commitAttempts {
		if done, before, err = s.tryChange(ctx, store, c, change, before); !errors.Is(err, errHeadMoved) {
			return done, brokenOff(err)
		}
	}
	return done, errBusy
}

// tryChange is ImportChange if the store does not change meanwhile. It returns the document that it has judged by. Errors also:
// errHeadMoved.
func (s *Stores) tryChange(ctx context.Context, store uuid.UUID, c *Change, change *engine.CatalogueChange, before *storefile.PagedStore) (
	done engine.CatalogueChanged, _ *storefile.PagedStore, err error) {
	seen, err := s.readPresent(ctx, store)
	if err != nil {
		return done, before, err
	}
	if c.IfRevision != "" && c.IfRevision != seen.state().Revision() {
		return done, before, errRevisionDiffers
	}
	paged, err := s.readDocument(ctx, store, seen.state(), before)
	if err != nil {
		return done, before, err
	}
	seen.state().Paged = paged
	ring, err := s.loadRing(ctx, store, seen.state().Ring)
	if err != nil {
		return done, paged, err
	}
	now, _, err := s.client.Now(ctx, HeadKey(store))
	if err != nil {
		return done, paged, err
	}
	sets, writer := seen.state().BeginSets(), records.MakeWriter()
	next := engine.Record[*engine.StoreState]{Stamp: writer.After(seen.record.Stamp), Writers: seen.record.Remember(writer.ID(), now)}
	err = s.withPages(ctx, store, change, func() (err error) {
		done, err = sets.Add(change)
		return err
	})
	if err == nil {
		err = s.withPages(ctx, store, change, func() (err error) {
			sets.Hold(change.Pages)
			next.State, err = sets.Complete(next.Stamp, now)
			return err
		})
	}
	if err != nil {
		return done, paged, err
	}
	done.Revision = next.State.Revision()
	commit := &setsCommit{storeCommit{store: store, seen: seen, now: now, next: next, limit: next.State.Limit, plan: new(records.Plan)}, sets}
	if ring.Limit > 0 {
		commit.limit = ring.Limit
	}
	ready, err := s.prepare(ctx, commit)
	if err != nil {
		return done, paged, err
	}
	defer ready.End()
	commit.checkAndWrite(ready)
	err = s.carryOut(ctx, &commit.storeCommit)
	var other *otherFacts
	switch {
	case errors.As(err, &other) && ready.heldBy(other.value(0)):
		err = ErrImportRunning
	case errors.As(err, &other):
		err = errHeadMoved // the pages ahead have expired
	}
	return done, paged, err
}

// withPages calls do again after it has read the pages that do lacks.
func (s *Stores) withPages(ctx context.Context, store uuid.UUID, change *engine.CatalogueChange, do func() error) error {
	for {
		err := do()
		var missing *storefile.MissingPages
		if !errors.As(err, &missing) {
			return err
		}
		packed, err := s.readPacked(ctx, store, missing.Names)
		if err != nil {
			return err
		}
		for name, text := range packed {
			change.Pages[name] = text
		}
	}
}
