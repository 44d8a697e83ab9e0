package stores

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// warnings are those of a store's document, made in the background when they are asked for, at most once in warnEvery.
type warnings struct {
	mu   sync.Mutex
	list []string
	// known is true once there is a list. of is the document that it is of, began when the last one was begun.
	known   bool
	of      *Loaded
	began   time.Time
	running bool
}

// warnEvery is the least time between two lists of warnings of a store.
const warnEvery = time.Minute

// warningsOf returns the last warnings that are known, and has those of another document made.
func (e *StoreEntry) warningsOf(l *Loaded) (list []string, known bool) {
	w := &e.warnings
	w.mu.Lock()
	defer w.mu.Unlock()
	stale := !w.known || w.of.paged != l.paged
	if stale && !w.running && time.Since(w.began) >= warnEvery {
		w.running, w.began = true, time.Now()
		go func() {
			list := engine.Warnings(l.paged.Store, time.Now())
			w.mu.Lock()
			defer w.mu.Unlock()
			w.list, w.of, w.known, w.running = list, l, true, false
		}()
	}
	return w.list, w.known
}

// StoreStatus is what the node knows of the store of a request. Errors: engine.ErrUnavailable.
func (s *Stores) StoreStatus(r *engine.Request) (engine.StoreStatus, error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	entry := s.Entry(r.Store.ID)
	l, err := s.inForce(ctx, entry)
	if err != nil {
		return engine.StoreStatus{}, err
	}
	return entry.statusOf(l), nil
}

func (e *StoreEntry) statusOf(l *Loaded) engine.StoreStatus {
	status := engine.StoreStatus{
		Revision: l.state().Revision(), Products: len(l.Store.Products), Suspended: l.Store.Suspended, Closed: l.Store.Closed,
	}
	switch {
	case l.operator.Closed:
		status.ClosedBy = engine.ByOperator
	case l.operator.MerchantClosed:
		status.ClosedBy = engine.ByMerchant
	}
	status.Warnings, status.Warned = e.warningsOf(l)
	return status
}

// CloseStore closes the store of a request for orders, OpenStore ends that closing. The operator's stays. Errors: engine.ErrUnavailable,
// ErrUnknownOutcome.
func (s *Stores) CloseStore(r *engine.Request, message string) (engine.StoreStatus, error) {
	return s.setClosed(r, true, message)
}

// OpenStore is described there.
func (s *Stores) OpenStore(r *engine.Request) (engine.StoreStatus, error) {
	return s.setClosed(r, false, "")
}

// errClosedAlready means that a closing changes nothing.
var errClosedAlready = errors.New("the store is so already")

func (s *Stores) setClosed(r *engine.Request, closed bool, message string) (engine.StoreStatus, error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	store := r.Store.ID
	err := s.changeRing(ctx, store, Act{Name: r.Operation, Key: r.Key.Name}, func(ring *keyRing) error {
		if ring.MerchantClosed == closed && ring.MerchantNotice == message {
			return errClosedAlready
		}
		ring.MerchantClosed, ring.MerchantNotice = closed, message
		return nil
	})
	switch {
	case err == nil, errors.Is(err, errClosedAlready):
	case errors.Is(err, engine.ErrUnknownOutcome):
		return engine.StoreStatus{}, engine.ErrUnknownOutcome
	default:
		s.client.Unanswered(ctx, err)
		return engine.StoreStatus{}, redisdb.OrUnavailable(err)
	}
	head, err := s.client.ReadKey(ctx, HeadKey(store))
	if err != nil {
		return engine.StoreStatus{}, err
	}
	entry := s.Entry(store)
	l, err := s.LoadUnder(ctx, entry, head)
	if err != nil {
		return engine.StoreStatus{}, s.Unavailable(entry, err)
	}
	return entry.statusOf(l), nil
}

// Imports counts the imports that this node has followed.
func (s *Stores) Imports() uint64 { return s.imports.Load() }

// Evicted counts the stores that left this node's memory because all took more than the bound.
func (s *Stores) Evicted() uint64 { return s.evicted.Load() }

// Age is the age of a loaded store's version. Moved is the time of its document's commit by Redis's clock.
// Lags is true while the node still serves the earlier version. Memory is about what the store takes.
type Age struct {
	ID     uuid.UUID
	Name   string
	Moved  time.Time
	Lags   bool
	Memory int64
}

// Ages lists the stores in the node's memory.
func (s *Stores) Ages() (all []Age) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil {
			all = append(all, Age{entry.ID, l.Store.Name, l.state().At, l.lags(), l.memory})
		}
	}
	return all
}

// Count returns the number of stores in Redis.
func (s *Stores) Count(ctx context.Context) (int64, error) {
	return s.client.Redis.SCard(ctx, StoresKey).Result()
}

// WithWebhooks lists the loaded stores that have webhooks.
func (s *Stores) WithWebhooks() (all []*Loaded) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil && len(l.Store.Webhooks) > 0 {
			all = append(all, l)
		}
	}
	return all
}

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
