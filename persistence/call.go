package persistence

import (
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// call is one run of a script for a request that waits. Calls share pipelines as
// admissions and commits do, so that requests which wait for a silent Redis never
// fill the pool with connections.
type call struct {
	script *redis.Script
	keys   []string
	args   []any
	// writes: as many replicas as have to must have it.
	writes bool
	done   chan callReply // of capacity 1
}

type callReply struct {
	values []any
	err    error
}

// errNoAnswer means that a call was queued and not answered in time.
var errNoAnswer = errors.New("redis has not answered")

// run sends a call and waits, until the deadline, for its reply, which is a list.
// Errors: ErrUnavailable where it certainly had no effect.
func (d *DB) run(deadline time.Time, c *call) ([]any, error) {
	c.done = make(chan callReply, 1)
	if d.Away() || !d.calls.add(c) {
		return nil, engine.ErrUnavailable
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case reply := <-c.done:
		if reply.err != nil && certainlyRefused(reply.err) {
			return nil, engine.ErrUnavailable
		}
		return reply.values, reply.err
	case <-timer.C:
		return nil, errNoAnswer
	}
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
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		_, err := d.run(deadline, &call{script: nowScript, keys: []string{headKey(store)}, writes: true})
		if err == nil || err == engine.ErrUnavailable {
			return err
		}
		if time.Until(deadline) < pause {
			return engine.ErrUnknownOutcome
		}
		time.Sleep(pause)
	}
}

// flushCalls sends a batch of calls, once more those whose script Redis has forgotten.
func (d *DB) flushCalls(batch []*call) {
	if d.Away() {
		for _, c := range batch {
			c.done <- callReply{err: errDial}
		}
		return
	}
	if forgotten := d.pipelineCalls(batch, false); len(forgotten) > 0 {
		d.reloadScripts()
		d.pipelineCalls(forgotten, true)
	}
}

// pipelineCalls returns the calls whose script Redis did not know, unless it is the
// last time.
func (d *DB) pipelineCalls(batch []*call, last bool) (forgotten []*call) {
	pipe := d.main.client.Pipeline()
	cmds := make([]*redis.Cmd, len(batch))
	writes := false
	for i, c := range batch {
		cmds[i] = c.script.EvalSha(background, pipe, c.keys, c.args...)
		writes = writes || c.writes
	}
	var replicas *redis.Cmd
	if d.wait > 0 && writes {
		replicas = pipe.Do(background, "WAIT", d.wait, d.main.timeout.Milliseconds()/2)
	}
	d.main.exec(pipe)
	acknowledged := replicas == nil || enough(replicas, d.wait)
	for i, c := range batch {
		if !last && redis.HasErrorPrefix(cmds[i].Err(), "NOSCRIPT") {
			forgotten = append(forgotten, c)
			continue
		}
		values, err := cmds[i].Slice()
		if err == nil && c.writes && !acknowledged {
			err = errTooFewReplicas
		}
		c.done <- callReply{values, err}
	}
	return forgotten
}
