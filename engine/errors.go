package engine

import (
	"errors"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/outage"
)

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
