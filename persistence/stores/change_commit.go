package stores

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
)

// maxFirst is the number of items and discounts whose first numbers the visit of change sets writes. More are written ahead
// of it, under the lease of an import.
const maxFirst = 1000

// missing are those of the numbers whose fields do not exist.
func (s *Stores) missing(ctx context.Context, all []firstNumber) (first []firstNumber, err error) {
	for len(all) > 0 && err == nil {
		n := slices.IndexFunc(all, func(f firstNumber) bool { return f.key != all[0].key })
		if n < 0 {
			n = len(all)
		}
		fields := make([]string, n)
		for i := range fields {
			fields[i] = all[i].field
		}
		var values []any
		if values, err = s.hashValues(ctx, all[0].key, fields); err == nil {
			for i, value := range values {
				if value == nil {
					first = append(first, all[i])
				}
			}
		}
		all = all[n:]
	}
	return first, err
}

// mergedCommit is the commit of merged change sets.
type mergedCommit struct {
	*changeImport
	merged *storefile.Merged
	// state is the next one but for the keys and the stamp, pages are those of its document.
	state engine.StoreState
	pages newPages
	ahead *aheadPages
	// first are the numbers of new items and discounts. lease is that under which they were written ahead; nil if they
	// were not.
	first []firstNumber
	lease *importLease
	// before are the discounts that had batches of codes.
	before []uuid.UUID
}

// commit carries out the visit. If the store has only new keys or usage counts meanwhile, it takes them over. Errors:
// errHeadMoved, ErrImportRunning, engine.ErrUnknownOutcome.
func (m *mergedCommit) commit(seen present) error {
	revised := seen.state().Revised
	for range commitAttempts {
		next, err := m.carryOut(seen)
		var other *otherFacts
		switch {
		case err == nil:
			m.done(next.Revision(), m.merged)
			return nil
		case errors.As(err, &other):
			return m.otherFacts(other)
		case !errors.Is(err, errHeadMoved):
			return err
		}
		if seen, err = m.readPresent(m.ctx, m.store); err != nil {
			return err
		}
		if seen.state().Revised != revised {
			return errHeadMoved
		}
	}
	return errHeadMoved
}

// carryOut sends one visit.
func (m *mergedCommit) carryOut(seen present) (*engine.StoreState, error) {
	state := m.state
	state.Ring = seen.state().Ring
	ring, err := m.loadRing(m.ctx, m.store, state.Ring)
	if err != nil {
		return nil, err
	}
	if m.ahead == nil {
		if m.ahead, err = m.writeAhead(m.ctx, m.store, seen.state(), &state, m.pages, m.ctx.Err); err != nil {
			return nil, err
		}
	}
	c, err := m.beginCommit(m.ctx, m.store, seen, state)
	if err != nil {
		return nil, err
	}
	c.revise()
	by := m.left[0].By
	c.next.State.Last = engine.StoreLine{By: by, At: c.now, Sets: len(m.left)}
	if ring.Limit > 0 {
		c.limit = ring.Limit
	}
	if m.lease != nil {
		m.lease.guard(&c.plan)
	} else {
		c.plan.CheckAbsent(leaseKey(m.store))
	}
	if m.ahead != nil {
		c.plan.CheckValue(m.ahead.mark, marked)
	}
	for _, change := range m.keyed() {
		c.plan.CheckAbsent(change.EntryKey)
	}
	c.write(m.pages, m.ahead)
	m.writeBeside(c, by)
	return c.next.State, m.Stores.carryOut(m.ctx, c)
}

// writeBeside adds what is written with the record.
func (m *mergedCommit) writeBeside(c *storeCommit, by string) {
	for _, n := range m.first {
		n.write(&c.plan)
	}
	if len(m.merged.Discounts) > 0 || slices.Max(m.merged.Removed) > 0 {
		c.keepUses(m.before, m.merged.Store.Discounts)
	}
	for _, change := range m.keyed() {
		c.plan.Write("SET", change.EntryKey, change.Entry(c.next.Stamp), "PX", records.IdempotencyTTL)
	}
	c.tell(importLine(Imported{Revision: c.next.State.Revision(), Products: c.next.State.Products, By: by}))
	c.plan.Hash("HSET", importsKey(m.store), "took", strconv.FormatInt(max(1, m.took.Milliseconds()), 10))
	if m.lease != nil {
		c.plan.Hash("HSET", importsKey(m.store), "moved", m.lease.number)
		c.plan.Write("DEL", leaseKey(m.store))
	}
}

// keyed are the changes that are left, of those with an idempotency entry.
func (m *mergedCommit) keyed() (changes []indexedChange) {
	for _, c := range m.left {
		if c.Entry != nil {
			changes = append(changes, c)
		}
	}
	return changes
}

// otherFacts says what has prevented a visit, and answers the changes whose entries exist.
func (m *mergedCommit) otherFacts(other *otherFacts) error {
	values := other.values
	lease, _ := values[0].(string)
	values = values[1:]
	switch {
	case m.lease == nil && lease != "":
		return ErrImportRunning
	case m.lease != nil && !isLease(lease, m.lease.writer):
		return errLeaseLost
	}
	if m.ahead != nil {
		values = values[1:]
	}
	var existing, keyed []int
	for i, value := range values {
		if text, _ := value.(string); text != "" {
			existing = append(existing, i)
		}
	}
	for i, c := range m.left {
		if c.Entry != nil {
			keyed = append(keyed, i)
		}
	}
	m.carriedOut(existing, keyed)
	return errHeadMoved // merged again without them
}
