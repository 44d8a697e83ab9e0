package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
)

// sessionText is what the key of a customer's token holds.
func sessionText(customer uuid.UUID, s *commerce.Session) string {
	return tokenText(customer, time.UnixMilli(s.ExpiresAt), s.Number)
}

// movedToken is how a token goes over the end of all other sessions, as the commit
// script takes it. One that was ended meanwhile stays so.
func movedToken(customer uuid.UUID, m *commerce.SessionMove) string {
	return customer.String() + " " + strconv.FormatUint(m.From.Number, 10) + " " + strconv.FormatUint(m.To.Number, 10)
}

// SaveSession writes a customer's new token, where an earlier sending has not: one that
// arrives late must not bring back a session that has ended since. Errors: ErrUnavailable,
// ErrUnknownOutcome (a token that nobody was shown does no harm).
func (d *DB) SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error {
	return d.insist(deadline, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.Do(ctx, "SET", tokenKey(store, s.Token), sessionText(customer, s), "NX", "PXAT", s.ExpiresAt)
	})
}

// EndSession ends one token. It is remembered as ended until its expiry, so that no
// import brings it back. Errors: ErrUnavailable, ErrUnknownOutcome.
func (d *DB) EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error {
	s.Number = commerce.EndedSession
	return d.insist(deadline, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.Do(ctx, "SET", tokenKey(store, s.Token), sessionText(customer, &s), "XX", "KEEPTTL")
	})
}

// insist sends commands that may be sent again, until Redis answers (and as many
// replicas as have to) or the deadline passes. Errors: ErrUnavailable where none of
// them had an effect, ErrUnknownOutcome where they may have had one.
func (d *DB) insist(deadline time.Time, commands func(context.Context, redis.Pipeliner)) error {
	unknown := engine.ErrUnavailable
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		if !d.Away() {
			err := d.try(commands)
			if err == nil {
				return nil
			}
			if !certainlyRefused(err) {
				unknown = engine.ErrUnknownOutcome
			}
		}
		if unknown == engine.ErrUnavailable || time.Until(deadline) < pause {
			return unknown
		}
		time.Sleep(pause)
	}
}

// firstPause is before the second sending; each further one takes twice as long, up to
// longestPause: whoever waits is answered soon after Redis answers, and does not give up
// long before the deadline.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// errTooFewReplicas leaves a write's outcome unknown.
var errTooFewReplicas = engine.ErrUnknownOutcome

// try sends the commands, once more where Redis had forgotten a script.
func (d *DB) try(commands func(context.Context, redis.Pipeliner)) error {
	err := d.tryOnce(commands)
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		d.reloadScripts()
		err = d.tryOnce(commands)
	}
	return err
}

func (d *DB) tryOnce(commands func(context.Context, redis.Pipeliner)) error {
	ctx, cancel := context.WithTimeout(background, d.main.timeout)
	defer cancel()
	pipe := d.main.client.Pipeline()
	commands(ctx, pipe)
	var replicas *redis.Cmd
	if d.wait > 0 {
		replicas = pipe.Do(ctx, "WAIT", d.wait, d.main.timeout.Milliseconds()/2)
	}
	_, err := pipe.Exec(ctx)
	switch {
	case err != nil && err != redis.Nil: // which is a condition that did not hold
		if !isReply(err) {
			d.main.lost(err)
		}
		return err
	case replicas != nil && !enough(replicas, d.wait):
		return errTooFewReplicas
	}
	return nil
}
