package persistence

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// runScript runs a script that no replica is waited for, and returns its reply, which is a list.
// Errors: ErrUnavailable where it certainly had no effect.
func (d *DB) runScript(script *redis.Script, keys []string, args ...any) ([]any, error) {
	v, err := d.main.Run(d.soon(), &redisdb.Call{Script: script, Keys: keys, Args: args})
	if err != nil {
		return nil, orUnavailable(err)
	}
	values, _ := v.([]any)
	return values, nil
}

// orUnavailable is ErrUnavailable in the place of an error after which nothing was done for
// certain.
func orUnavailable(err error) error {
	if errors.Is(err, redisdb.ErrNotSent) || redisdb.CertainlyRefused(err) {
		return engine.ErrUnavailable
	}
	return err
}

// readKey returns the text of a key, "" where there is none. Errors: ErrUnavailable.
func (d *DB) readKey(ctx context.Context, key string) (string, error) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = d.soon()
	}
	v, err := d.main.Run(deadline, &redisdb.Call{Keys: []string{key}, Args: []any{"GET", key}})
	if err != nil {
		switch {
		case redisdb.IsReply(err) && !redisdb.CertainlyRefused(err):
			d.broken(key)
		case redisdb.IsReply(err) && !d.alreadyLogged(err):
			d.log.Error("reading a key", "key", key, "error", err.Error())
		}
		return "", engine.ErrUnavailable
	}
	text, _ := v.(string)
	return text, nil
}

// soon is by when Redis answers, or counts as away.
func (d *DB) soon() time.Time { return time.Now().Add(2 * d.main.Timeout()) }

// alreadyLogged reports whether the way to Redis logs an error by itself, once: that Redis takes
// no writes, or that a server of a cluster is silent.
func (d *DB) alreadyLogged(err error) bool {
	if d.main.Cluster() {
		return !redisdb.IsReply(err) && !errors.Is(err, errCorrupt)
	}
	return redisdb.TakesNoWrites(err)
}

// AwaitReplicas returns once as many replicas as have to have all that was written before,
// by whomever. Errors: ErrUnavailable, ErrUnknownOutcome (not by the deadline).
func (d *DB) AwaitReplicas(store uuid.UUID, deadline time.Time) error {
	if d.wait == 0 {
		return nil
	}
	return d.TakeTrip(store, deadline)
}

// TakeTrip takes the trip to Redis that a commit takes, and changes nothing: for an answer
// that must not tell by its time whether there was something to commit.
// Errors: ErrUnavailable, ErrUnknownOutcome (not by the deadline).
func (d *DB) TakeTrip(store uuid.UUID, deadline time.Time) error {
	return d.insist(deadline, redisdb.Call{Script: nowScript, Keys: []string{headKey(store)}})
}
