package engine

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/outage"
)

// Engine serves decoded requests.
//
// Its methods return a *commerce.Refusal for a client's fault, ErrUnavailable if nothing was done
// (503), and ErrUnknownOutcome if a write may have happened (504). Any other error is a fault of
// the server.
type Engine struct {
	storage   Storage
	carts     Carts
	contacts  Contacts
	quotes    Records[*commerce.Quote]
	orders    Records[*commerce.Order]
	stores    Records[*StoreState]
	passwords Passwords
	costliest costliestHashes
	watches   watches
}

// New makes an engine from the parts that serve requests.
func New(storage Storage, carts Carts, contacts Contacts, quotes Records[*commerce.Quote], orders Records[*commerce.Order],
	stores Records[*StoreState], passwords Passwords) *Engine {
	return &Engine{
		storage: storage, carts: carts, contacts: contacts, quotes: quotes, orders: orders, stores: stores, passwords: passwords,
		watches: watches{storage: storage},
	}
}

// BodyStore returns the id of the store of Request.KeyHash; zero if the key resolves to none, or if
// the request is refused whatever its body says, because of the store, its modules or the key's scopes.
// It costs a read if the node does not know the key. Errors: ErrUnavailable.
func (e *Engine) BodyStore(r *Request) (uuid.UUID, error) {
	err := e.storage.Identify(r)
	if err != nil || r.Key == nil || r.Store.Suspended || denied(r) != nil {
		return uuid.Nil, err
	}
	return r.Store.ID, nil
}

// Count counts a request that is answered without being judged. Errors: ErrUnavailable.
func (e *Engine) Count(r *Request) error { return e.storage.Admit(r) }

// Admit gathers a request's facts and judges all that needs no record. A write is counted later, by
// its visit. Any other request, and a write that is refused here, is counted at once.
func (e *Engine) Admit(r *Request) error {
	if r.Write {
		known, err := e.storage.Recall(r)
		if err != nil {
			return err
		}
		if known {
			if _, refusal := Judge(noRecord, r, nil); refusal == nil {
				return nil
			}
		}
	}
	began := r.Timing.Begin()
	err := e.storage.Admit(r)
	r.Timing.End(PhaseVisit, began)
	if err != nil {
		return err
	}
	_, refusal := Judge(noRecord, r, nil)
	return asError(refusal)
}

// refresh gathers the facts of a write again. A counted request stays counted.
func (e *Engine) refresh(r *Request) error {
	if !time.Now().Before(r.Deadline) {
		return ErrUnavailable
	}
	counted, budget := r.Counted, r.Budget
	began := r.Timing.Begin()
	err := e.storage.Refresh(r.Store.ID, r)
	r.Timing.End(PhaseVisit, began)
	if err != nil {
		return err
	}
	if counted {
		r.Counted, r.Budget = counted, budget
	}
	_, refusal := Judge(noRecord, r, nil)
	if refusal == nil || r.Counted {
		return asError(refusal)
	}
	return e.Admit(r)
}

// replayed returns the error of an answer. A replay waits here for the replicas, because the first
// request may not have waited for them.
func (e *Engine) replayed(r *Request, replayed bool, err error) error {
	if err != nil || !replayed {
		return err
	}
	return e.storage.AwaitReplicas(r.Store.ID, r.Deadline)
}

// KnownSize is the length of the cart or the order that a request changes, in bytes, as this node knows it; 0
// if it does not.
func (e *Engine) KnownSize(r *Request) int {
	if r.OrderID != uuid.Nil {
		if known := e.orders.Known(RecordKey{r.Store.ID, r.OrderID}); known != nil {
			return known.Size
		}
	} else if known := e.carts.Known(RecordKey{r.Store.ID, r.CartID}); known != nil {
		return known.Size
	}
	return 0
}

// Unready names why requests cannot be served; empty if they can.
func (e *Engine) Unready() Unavailable { return e.storage.Unready() }

// SilentServers lists, by address, the servers of a Redis Cluster that do not answer.
func (e *Engine) SilentServers() []string { return e.storage.SilentServers() }

var (
	// ErrUnavailable means that nothing was done: 503.
	ErrUnavailable = outage.ErrUnavailable
	// ErrOutdated means that nothing was done: the store, or another fact that the visit did not
	// return, has to be read again.
	ErrOutdated = errors.New("the facts are out of date")
	// ErrUnknownOutcome means that a write was sent and its outcome is not known: 504.
	ErrUnknownOutcome = outage.ErrUnknownOutcome
)

// Unavailable is an ErrUnavailable that names its cause.
type Unavailable string

// The causes. /readyz names those of Redis too.
const (
	RedisAway     Unavailable = "redis_away"
	RedisReadOnly Unavailable = "redis_read_only"
	// Starting: the node loads the documents of its start.
	Starting Unavailable = "starting"
	// StoresUnreadable: this program can read none of the stores in Redis.
	StoresUnreadable Unavailable = "stores_unreadable"
	MailboxFull      Unavailable = "mailbox"
	PasswordsFull    Unavailable = "passwords"
	GrowthFull       Unavailable = "growth"
	WatchesFull      Unavailable = "streams"
)

func (u Unavailable) Error() string { return string(u) + ": nothing was done" }

// Is makes errors.Is find ErrUnavailable.
func (Unavailable) Is(target error) bool { return target == ErrUnavailable }

// asError returns the refusal as an error; nil if there is none.
func asError(refusal *commerce.Refusal) error {
	if refusal == nil {
		return nil
	}
	return refusal
}

// ToRead reports whether an error means that a request has to read something ahead of its judgement.
func ToRead(err error) bool {
	return errors.As(err, new(UncountedUses)) || errors.As(err, new(*storefile.MissingPages))
}
