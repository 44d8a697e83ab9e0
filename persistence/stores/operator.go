package stores

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/records"
)

// Operator are the settings of a store that only the operator changes. They stand with the API keys,
// so that imports keep them and nodes read them with the next request. Each counts beside the
// document's own.
type Operator struct {
	Suspended bool `json:"suspended,omitempty"`
	// Limit is the request limit in place of the document's; 0 for the document's.
	Limit int `json:"limit,omitempty"`
	// Closed is true if the store takes no orders. Notice is the text that its visitors get then; empty
	// for the usual one.
	Closed bool   `json:"closed,omitempty"`
	Notice string `json:"notice,omitempty"`
	// MerchantClosed and MerchantNotice are the merchant's own closing: the store is closed while one of both stands.
	MerchantClosed bool   `json:"merchant_closed,omitempty"`
	MerchantNotice string `json:"merchant_notice,omitempty"`
}

// under returns the store under the operator's settings.
func (l *Loaded) under(o Operator) *Loaded {
	next := *l.Store
	next.Suspended, next.RateLimit = l.document.Suspended || o.Suspended, cmp.Or(o.Limit, l.document.Limit)
	switch next.Closed = nil; {
	case o.Closed:
		next.Closed = commerce.StoreClosed.Saying(o.Notice)
	case o.MerchantClosed:
		next.Closed = commerce.StoreClosed.Saying(o.MerchantNotice)
	}
	l.Store, l.operator = &next, o
	return l
}

// Suspend suspends a store, or ends the operator's suspension of it, and its closing for orders. Every
// node follows with its next request.
func (s *Stores) Suspend(ctx context.Context, store uuid.UUID, suspended bool) error {
	act := Act{Name: actResume}
	if suspended {
		act.Name = actSuspend
	}
	return s.changeRing(ctx, store, act, func(ring *keyRing) error {
		ring.Suspended = suspended
		if !suspended {
			ring.Closed, ring.Notice = false, ""
		}
		return nil
	})
}

// CloseForOrders closes a store for orders, with a text for its visitors or the usual one.
func (s *Stores) CloseForOrders(ctx context.Context, store uuid.UUID, notice string) error {
	return s.changeRing(ctx, store, Act{Name: actClose, On: notice}, func(ring *keyRing) error {
		ring.Closed, ring.Notice = true, notice
		return nil
	})
}

// OpenForOrders ends the closing of a store for orders. A suspension stays.
func (s *Stores) OpenForOrders(ctx context.Context, store uuid.UUID) error {
	return s.changeRing(ctx, store, Act{Name: actOpen}, func(ring *keyRing) error {
		ring.Closed, ring.Notice = false, ""
		return nil
	})
}

// Limit sets the requests that a store may have in commerce.RateWindow; 0 for the document's limit.
func (s *Stores) Limit(ctx context.Context, store uuid.UUID, limit int) error {
	return s.changeRing(ctx, store, Act{Name: actLimit, On: strconv.Itoa(limit)}, func(ring *keyRing) error {
		ring.Limit = limit
		return nil
	})
}

// WriteAct adds an act to a plan, which writes it into the store's history.
func WriteAct(plan *records.Plan, store uuid.UUID, act Act, now time.Time) {
	key := actHistory.key(store)
	plan.List("RPUSH", key, records.Millis(now)+" "+actLine(act).text)
	plan.List("LTRIM", key, strconv.Itoa(-actHistory.max), "-1")
}
