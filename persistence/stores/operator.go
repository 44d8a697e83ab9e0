package stores

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/persistence/records"
)

// Operator are the settings of a store that only the operator changes. They stand with the API keys,
// so that imports keep them and nodes read them with the next request. Each counts beside the
// document's own.
type Operator struct {
	Suspended bool `json:"suspended,omitempty"`
	// Limit is the request limit in place of the document's; 0 for the document's.
	Limit int `json:"limit,omitempty"`
}

// under returns the store under the operator's settings.
func (l *Loaded) under(o Operator) *Loaded {
	next := *l.Store
	next.Suspended, next.RateLimit = l.document.Suspended || o.Suspended, cmp.Or(o.Limit, l.document.Limit)
	l.Store, l.operator = &next, o
	return l
}

// Suspend suspends a store, or ends the operator's suspension of it. Every node follows with its next
// request.
func (s *Stores) Suspend(ctx context.Context, store uuid.UUID, suspended bool) error {
	act := Act{Name: actResume}
	if suspended {
		act.Name = actSuspend
	}
	return s.changeRing(ctx, store, act, func(ring *keyRing, _ *Head) error {
		ring.Suspended = suspended
		return nil
	})
}

// Limit sets the requests that a store may have in commerce.RateWindow; 0 for the document's limit.
func (s *Stores) Limit(ctx context.Context, store uuid.UUID, limit int) error {
	l, err := s.LoadStore(ctx, store)
	if err != nil {
		return err
	}
	return s.changeRing(ctx, store, Act{Name: actLimit, On: strconv.Itoa(limit)}, func(ring *keyRing, next *Head) error {
		ring.Limit, next.Limit = limit, cmp.Or(limit, l.document.Limit)
		return nil
	})
}

// limitUnder is the limit that a document's store has under the operator's settings of its keys.
func (s *Stores) limitUnder(ctx context.Context, store uuid.UUID, keys string, document int) (int, error) {
	ring, err := s.loadRing(ctx, store, keys)
	if err != nil {
		return 0, err
	}
	return cmp.Or(ring.Limit, document), nil
}

// WriteAct adds an act to a plan, which writes it into the store's history.
func WriteAct(plan *records.Plan, store uuid.UUID, act Act, now time.Time) {
	key := actHistory.key(store)
	plan.List("RPUSH", key, records.Millis(now)+" "+actLine(act).text)
	plan.List("LTRIM", key, strconv.Itoa(-actHistory.max), "-1")
}
