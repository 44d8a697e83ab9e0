package stores

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/engine"
)

// Change is a change set that waits for the import that carries it out.
type Change struct {
	Set *storefile.ChangeSet
	// EntryKey and Entry are its idempotency entry; Entry makes the value with the stamp of the commit. nil
	// if the request has no key.
	EntryKey string
	Entry    func(stamp engine.Stamp) []byte
	// By is the command, or the name of the API key.
	By string
	// IfRevision is the revision that the store must have; empty if the change needs none.
	IfRevision string
}

// ErrCarriedOut means that an earlier import carried out a change with the same idempotency entry.
var ErrCarriedOut = errors.New("the change was carried out earlier")

// maxChangeTime is the time of merging and packing above which a store is changed by the command only,
// until an import was quicker or tookKept has passed. A turn of a node merges no longer either.
const (
	maxChangeTime = 3 * time.Second
	tookKept      = 10 * time.Minute
)

// changePause is the pause after an import whose merging and packing took a time.
func changePause(took time.Duration) time.Duration { return max(time.Second, 2*took) }

// changeResult is the result of one change of an import.
type changeResult struct {
	engine.CatalogueChanged
	Err error
}

// importChanges carries out change sets of a store in one import, in their order. A faulty set spoils
// no other. It returns the result of each: errors also ErrCarriedOut, ErrImportRunning,
// ErrUnknownOutcome.
func (s *Stores) importChanges(ctx context.Context, store uuid.UUID, changes []*Change) []changeResult {
	results := make([]changeResult, len(changes))
	im := newChangeImport(ctx, s, store, changes, results)
	for range commitAttempts {
		err := im.try()
		if err == nil {
			return results
		}
		if !errors.Is(err, errHeadMoved) {
			im.fail(err)
			return results
		}
	}
	im.fail(errBusy)
	return results
}

// ImportChange carries out one change set at once, as an operator's command does. Errors: of
// importChanges.
func (s *Stores) ImportChange(ctx context.Context, store uuid.UUID, c *Change) (engine.CatalogueChanged, error) {
	done := s.importChanges(ctx, store, []*Change{c})[0]
	return done.CatalogueChanged, brokenOff(done.Err)
}

// changeImport is one import of change sets.
type changeImport struct {
	*Stores
	ctx     context.Context
	store   uuid.UUID
	results []changeResult
	// left are the changes that are not refused or found to be done.
	left []indexedChange

	// waits reports whether a change is still waited for; claim does the same ahead of the first write,
	// and its request then waits for the outcome.
	waits, claim func(index int) bool
	// until ends the merging of this turn; zero for an import that has no turns. later are the changes that were
	// not judged until then.
	until time.Time
	later []indexedChange
	// took is the time of the merging and packing of what is written. wasted is the time of merges that
	// found faults.
	took, wasted time.Duration
	// imported is true once the commit was carried out.
	imported bool
}

// newChangeImport is an import that no request gives up. It writes into results.
func newChangeImport(ctx context.Context, s *Stores, store uuid.UUID, changes []*Change, results []changeResult) *changeImport {
	always := func(int) bool { return true }
	im := &changeImport{Stores: s, ctx: ctx, store: store, results: results, waits: always, claim: always}
	for i, c := range changes {
		im.left = append(im.left, indexedChange{c, i})
	}
	return im
}

type indexedChange struct {
	*Change
	index int
}

// fail gives all changes that are left, also those that were not judged, one error.
func (im *changeImport) fail(err error) {
	for _, c := range append(im.left, im.later...) {
		im.results[c.index].Err = err
	}
	im.left, im.later = nil, nil
}

// try merges the changes that are left into the present document, and commits the result. Errors: errHeadMoved if it is
// worth another attempt, others for all that are left.
func (im *changeImport) try() error {
	seen, err := im.readPresent(im.ctx, im.store)
	if err != nil {
		return err
	}
	settings, err := im.readSettings(im.ctx, im.store, seen.state())
	if err != nil {
		return err
	}
	secrets, err := im.loadSecrets(im.ctx, im.store, seen.state())
	if err != nil {
		return err
	}
	merged := im.judge(settings, secrets, seen.state())
	if merged == nil {
		return im.ctx.Err()
	}
	if !im.claimAll() {
		return errHeadMoved // merged again without those that left
	}
	m := &mergedCommit{changeImport: im, merged: merged, pages: newPages{}}
	if m.first, err = im.missing(im.ctx, firstNumbers(im.store, merged.Stock, merged.Discounts)); err != nil {
		return err
	}
	if len(m.first) > maxFirst {
		lease, end, err := im.beginImport(im.ctx, im.store, seen.head)
		if err != nil {
			return err
		}
		defer end()
		if err := lease.saveNumbers(im.ctx, m.first); err != nil {
			return err
		}
		m.lease, m.first = lease, nil
	}
	if m.before, err = storefile.BatchedDiscounts(settings); err != nil {
		return err
	}
	document, err := storefile.Cut(merged.Settings, seen.state().Cut)
	if err != nil {
		return err
	}
	m.pages.addAll(document)
	secrets, err = secrets.with(merged.Discounts)
	if err != nil {
		return err
	}
	m.state = engine.StoreState{
		Changed: true, Hash: seen.state().Hash, Products: len(merged.Store.Products), Limit: merged.Store.RateLimit, Table: document.Table,
		Secrets: m.pages.addSecrets(secrets),
	}
	return m.commit(seen)
}

// claimAll claims all changes that are left. It returns false if some of them are not waited for any
// more, and drops those.
func (im *changeImport) claimAll() bool {
	claimed := slices.DeleteFunc(slices.Clone(im.left), func(c indexedChange) bool { return !im.claim(c.index) })
	whole := len(claimed) == len(im.left)
	im.left = claimed
	return whole
}

// judge merges all changes that are left, and refuses those that have faults: each is judged with
// those of the others that come earlier. It returns nil if none is left. Changes that are not waited
// for any more are dropped.
func (im *changeImport) judge(settings []byte, secrets batchSecrets, seen *engine.StoreState) *storefile.Merged {
	var sound []indexedChange
	var merged *storefile.Merged
	var add func(some []indexedChange)
	add = func(some []indexedChange) {
		some = slices.DeleteFunc(slices.Clone(some), func(c indexedChange) bool { return !im.waits(c.index) })
		switch {
		case len(some) == 0:
			return
		case im.ctx.Err() != nil || !im.until.IsZero() && time.Now().After(im.until):
			im.later = append(im.later, some...)
			return
		}
		began := time.Now()
		together, err := storefile.Merge(settings, setsOf(append(sound[:len(sound):len(sound)], some...)), secrets.other())
		took := time.Since(began)
		if err != nil {
			im.wasted += took
		}
		switch {
		case err == nil:
			sound, merged, im.took = append(sound, some...), together, took
		case len(some) == 1:
			im.results[some[0].index].Err = err
		default:
			add(some[:len(some)/2])
			add(some[len(some)/2:])
		}
	}
	var asked []indexedChange
	for _, c := range im.left {
		if c.IfRevision != "" && c.IfRevision != seen.Revision() {
			im.results[c.index].Err = errRevisionDiffers
			continue
		}
		asked = append(asked, c)
	}
	add(asked)
	im.left = sound
	return merged
}

func setsOf(changes []indexedChange) []*storefile.ChangeSet {
	sets := make([]*storefile.ChangeSet, len(changes))
	for i, c := range changes {
		sets[i] = c.Set
	}
	return sets
}

// carriedOut answers the changes whose entries exist.
func (im *changeImport) carriedOut(existing, keyed []int) {
	gone := map[int]bool{}
	for _, entry := range existing {
		gone[keyed[entry]] = true
	}
	var left []indexedChange
	for i, c := range im.left {
		if gone[i] {
			im.results[c.index].Err = ErrCarriedOut
			continue
		}
		left = append(left, c)
	}
	im.left = left
}

// done answers all changes that are left.
func (im *changeImport) done(revision string, merged *storefile.Merged) {
	im.imported = true
	for i, c := range im.left {
		im.results[c.index] = changeResult{CatalogueChanged: engine.CatalogueChanged{
			Revision: revision, Products: len(merged.Store.Products), Changed: c.Set.Changed, Removed: merged.Removed[i],
		}}
	}
	im.left = nil
}
