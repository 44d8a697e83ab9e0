package stores

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

// maxFirst is the number of first numbers of items and discounts that a visit of change sets writes. More are written ahead
// of it, under the lease of an import.
const maxFirst = 1000

// setsCommit is the commit of change sets.
type setsCommit struct {
	storeCommit
	sets *engine.StoreSets
}

// SetsReady is what was written ahead of a visit of change sets. The zero value is nothing.
type SetsReady struct {
	ahead *aheadPages
	// lease is that under which the first numbers were written; nil if the visit writes them itself.
	lease *importLease
	end   func()
}

// End gives back the lease, if there is one. The visit has ended, or no one waits for it.
func (r *SetsReady) End() {
	if r.end != nil {
		r.end()
	}
}

// heldBy reports whether the value of the check of the lease means that an import holds it, or that the own one was lost.
func (r *SetsReady) heldBy(lease string) bool {
	if r.lease != nil {
		return !isLease(lease, r.lease.writer)
	}
	return lease != ""
}

// first are the first numbers of the sets.
func (c *setsCommit) first() []firstNumber {
	return firstNumbers(c.store, c.sets.Stock, c.sets.Discounts)
}

// writesAhead reports whether something has to be written ahead of the visit.
func (c *setsCommit) writesAhead() bool {
	if len(c.sets.Stock)+len(c.sets.Discounts) > maxFirst {
		return true
	}
	size := 0
	for _, packed := range c.sets.Pages {
		size += len(packed)
	}
	return len(c.sets.Pages) > tripPages || size > visitBytes
}

// prepare writes ahead what is too much for the visit. Errors: ErrImportRunning, errHeadMoved.
func (s *Stores) prepare(ctx context.Context, c *setsCommit) (ready *SetsReady, err error) {
	ready = &SetsReady{}
	if first := c.first(); len(first) > maxFirst {
		if ready.lease, ready.end, err = s.beginImport(ctx, c.store, c.seen.head); err != nil {
			return &SetsReady{}, err
		}
		if err = ready.lease.saveNumbers(ctx, first); err != nil {
			ready.End()
			return &SetsReady{}, err
		}
	}
	ready.ahead, err = s.writeAhead(ctx, c.store, c.seen.state(), c.next.State, c.sets.Pages, ctx.Err)
	if err != nil {
		ready.End()
		return &SetsReady{}, err
	}
	return ready, nil
}

// checkAndWrite adds the checks and the writes of the visit to its plan: the check of the lease comes first.
func (c *setsCommit) checkAndWrite(ready *SetsReady) {
	if ready.lease != nil {
		ready.lease.guard(c.plan)
	} else {
		c.plan.CheckAbsent(leaseKey(c.store))
	}
	if ready.ahead != nil {
		c.plan.CheckValue(ready.ahead.mark, marked)
	}
	c.write(c.sets.Pages, ready.ahead)
	if ready.lease == nil {
		for _, n := range c.first() {
			n.write(c.plan)
		}
	}
	was, is := c.seen.state().Paged.Store.Discounts, c.next.State.Paged.Store.Discounts
	if len(was) != len(is) || len(is) > 0 && &was[0] != &is[0] {
		c.keepUses(withBatches(was), is)
	}
	line := importLine(Imported{
		Revision: c.next.State.Revision(), Products: c.next.State.Products, By: c.next.State.Last.By, Sets: c.next.State.Last.Sets,
		Prices: c.next.State.Last.Prices,
	})
	if c.sets.Continues {
		c.plan.List("LTRIM", line.list.key(c.store), "0", "-2")
	}
	c.tell(line)
	if ready.lease != nil {
		c.plan.Hash("HSET", importsKey(c.store), "moved", ready.lease.number)
		c.plan.Write("DEL", leaseKey(c.store))
	}
}

// withBatches are the discounts with batches of codes.
func withBatches(discounts []commerce.Discount) (all []uuid.UUID) {
	for i := range discounts {
		if len(discounts[i].CodeBatches) > 0 {
			all = append(all, discounts[i].ID)
		}
	}
	return all
}

// commitOf is the commit of a node's visit, under the version of the store that it was judged by.
func commitOf(v *engine.Visit[*engine.StoreState], plan *records.Plan) *setsCommit {
	head, _ := ParseHead(v.Version.Head)
	seen := present{head, engine.Record[*engine.StoreState]{Stamp: v.Seen, State: v.Before}}
	limit := cmp.Or(v.Next.State.OperatorLimit, v.Next.State.Limit)
	return &setsCommit{storeCommit{v.Key.Store, seen, v.Judged, v.Next, limit, plan}, v.Next.State.Sets}
}

// PrepareSets writes ahead what is too much for a visit of change sets. The outcome is engine.Done, or that of the visit,
// which is then not to be sent.
func (s *Stores) PrepareSets(ctx context.Context, v *engine.Visit[*engine.StoreState]) (*SetsReady, engine.OutcomeKind) {
	ready, err := s.prepare(ctx, commitOf(v, nil))
	switch {
	case err == nil, v.Resent: // an earlier sending may have had its effect, which only the visit finds out
		return ready, engine.Done
	case errors.Is(err, ErrImportRunning):
		return ready, engine.Held
	case errors.Is(err, errHeadMoved):
		return ready, engine.OtherHead
	}
	return ready, engine.Refused
}

// Bytes is the length of the pages that were written ahead.
func (r *SetsReady) Bytes() int {
	if r.ahead == nil {
		return 0
	}
	return r.ahead.bytes
}

// WritesAhead reports whether PrepareSets has something to write.
func WritesAhead(v *engine.Visit[*engine.StoreState]) bool {
	return commitOf(v, nil).writesAhead()
}

// WriteSets adds the checks and writes of a visit of change sets to its plan. The first check is that of the lease, whose
// value HeldBy reads.
func WriteSets(plan *records.Plan, v *engine.Visit[*engine.StoreState], ready *SetsReady) {
	commitOf(v, plan).checkAndWrite(ready)
}

// HeldBy reports whether the value of the check of the lease means that an import runs.
func (r *SetsReady) HeldBy(lease any) bool {
	text, _ := lease.(string)
	return r.heldBy(text)
}

// Present is the record of a store with its document, as this node has it, with the store's version; nil if the node does not have
// all of it.
func (s *Stores) Present(store uuid.UUID) (*Loaded, *engine.Record[*engine.StoreState]) {
	l := s.Entry(store).Current.Load()
	if l == nil || l.lags() || l.state().Dropped {
		return l, nil
	}
	record := l.record
	state := *record.State
	state.Paged, state.Packed, state.Sets = l.paged, func(name storefile.PageName) []byte { return s.pages.get(store, name) }, nil
	state.OperatorLimit = l.operator.Limit
	record.State = &state
	return l, &record
}

// InstallSets makes the store as a visit has left it the node's present version, unless the node has a later one.
func (s *Stores) InstallSets(ctx context.Context, v *engine.Visit[*engine.StoreState]) error {
	entry := s.Entry(v.Key.Store)
	if !entry.following.lock(ctx) {
		return engine.ErrUnavailable
	}
	defer entry.following.unlock()
	s.pages.add(entry.ID, v.Next.State.Sets.Pages)
	before := entry.Current.Load()
	if before == nil || before.record.Stamp != v.Seen || before.lags() {
		return nil // the next request reads it
	}
	record := v.Next
	state := *record.State
	state.Sets, state.Packed, state.Paged = nil, nil, nil
	record.State = &state
	head := makeHead(cmp.Or(before.operator.Limit, state.Limit), record.Stamp, before.Head.Usage)
	l := loadedOf(head, record, v.Next.State.Paged)
	l.keys = before.keys
	l.under(before.operator)
	if err := s.withUsageAfter(ctx, l, before); err != nil {
		return err
	}
	followCatalogue(entry, l)
	s.install(entry, l)
	s.indexAnew(entry)
	s.evictAboveBound()
	return nil
}

// withUsageAfter is withUsage after an earlier version, whose counts stay where no discount has changed.
func (s *Stores) withUsageAfter(ctx context.Context, l, before *Loaded) error {
	l.limited = limited(l.Store)
	known := map[uuid.UUID]int64{}
	for i := range before.Store.Discounts {
		if d := &before.Store.Discounts[i]; d.UsageLimit != nil {
			known[d.ID] = d.Used
		}
	}
	if slices.ContainsFunc(l.limited, func(d commerce.Discount) bool { _, has := known[d.ID]; return !has }) {
		return s.withUsage(ctx, l)
	}
	if len(l.limited) > 0 {
		l.Store = l.Store.WithUsage(func(d *commerce.Discount) int64 { return known[d.ID] })
	}
	return nil
}

// ReadPages is part of engine.Storage. Names are of pages beside those that the change has.
func (s *Stores) ReadPages(r *engine.Request, change *engine.CatalogueChange, names []storefile.PageName) error {
	if change.Set == nil {
		return nil
	}
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	entry := s.Entry(r.Store.ID)
	l, err := s.inForce(ctx, entry)
	if err != nil {
		return err
	}
	if names == nil {
		names = l.paged.PagesFor(change.Set)
		if change.Set.Sets("discounts") && l.state().Secrets != (storefile.PageName{}) {
			names = append(names, l.state().Secrets)
		}
		change.Pages = map[storefile.PageName][]byte{}
	}
	pages, err := s.packedPages(ctx, entry, l, names)
	if err == nil {
		maps.Copy(change.Pages, pages)
	}
	return err
}

// inForce is the store with the settings in force. Errors: engine.ErrUnavailable.
func (s *Stores) inForce(ctx context.Context, entry *StoreEntry) (*Loaded, error) {
	l := entry.Current.Load()
	if l != nil && !l.lags() {
		return l, nil
	}
	l, err := s.LoadUnder(ctx, entry, "")
	if err == nil && l.lags() {
		l, err = s.LoadUnder(ctx, entry, l.Head.Text)
	}
	if err != nil {
		return nil, s.Unavailable(entry, err)
	}
	return l, nil
}

// packedPages returns packed pages of a store: those that the node has in memory, and the others from Redis. Errors:
// engine.ErrOutdated if a page has left, engine.ErrUnavailable.
func (s *Stores) packedPages(ctx context.Context, entry *StoreEntry, l *Loaded, names []storefile.PageName) (map[storefile.PageName][]byte, error) {
	pages := map[storefile.PageName][]byte{}
	var lacks []storefile.PageName // names are those of other requests, too
	for _, name := range names {
		if packed := s.pages.get(entry.ID, name); packed != nil {
			pages[name] = packed
		} else {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) == 0 {
		return pages, nil
	}
	packed, err := s.readPacked(ctx, entry.ID, lacks)
	switch {
	case errors.Is(err, redis.Nil):
		return nil, s.pageGone(ctx, entry, l, err)
	case errors.As(err, new(formatError)):
		return nil, s.Unavailable(entry, err)
	case err != nil:
		s.client.Unanswered(ctx, err)
		return nil, engine.ErrUnavailable
	}
	s.pages.add(entry.ID, packed)
	maps.Copy(pages, packed)
	return pages, nil
}

// pageGone is the error of a page that is not there: it has left the store, unless the store is the same.
func (s *Stores) pageGone(ctx context.Context, entry *StoreEntry, l *Loaded, gone error) error {
	head, err := s.client.ReadKey(ctx, HeadKey(entry.ID))
	switch {
	case err != nil:
		return err
	case head == l.Head.Text:
		return s.Unavailable(entry, gone)
	}
	return engine.ErrOutdated
}
