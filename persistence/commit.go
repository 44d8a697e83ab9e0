package persistence

import (
	"slices"
	"time"

	"cartd/engine"
	"cartd/persistence/redisdb"
)

// commit is one sending of a record's compare-and-set on its way to Redis.
type commit struct {
	db       *DB
	wire     *wire
	requests int // that wait for it
	claim    func() bool
	// presumed is what its requests were judged under, uncounted how many of them have
	// still to be counted; nil, 0: Redis admitted them.
	uncounted int
	presumed  *engine.Presumption
	// done receives what became of it.
	done func(result)

	unclaimed bool
	command   *redisdb.Command
	// tally is the call that a presumed commit shares, index its place in it.
	tally *tally
	index int
}

// result is what became of a sending.
type result struct {
	kind   engine.OutcomeKind
	way    obstacle // only with Conflicted and Committed
	budget engine.Budget
	within int
}

// obstacle is what the commit script found or left where it said more than "done".
type obstacle struct {
	// record is what made it refuse ("": none), entries what is remembered under the
	// commit's idempotency keys ("": nothing).
	record  string
	entries []string
	// made is what the script made of a commit that is done; lapses: nothing was done,
	// for holds that have lapsed stand in the way.
	made   string
	lapses bool
}

// Away reports whether Redis is known to be out of reach.
func (d *DB) Away() bool { return d.main.Away() }

// Ready reports whether requests can be served: Redis can be reached and takes writes.
func (d *DB) Ready() bool { return !d.Away() && !d.main.ReadOnly() }

// SilentServers lists, by address, the servers of a Redis Cluster that do not answer, while
// others do.
func (d *DB) SilentServers() []string {
	addrs := d.main.SilentServers()
	slices.Sort(addrs)
	return addrs
}

func (d *DB) sendCommit(c *commit) {
	if !d.main.Queue(c.wire.key, c) {
		go c.done(result{kind: engine.Refused}) // later: the sender is at work
	}
}

// Flush sends the commits that wait: on the caller's goroutine, where that waits for
// at least as long as Redis may be silent.
func (d *DB) Flush(deadline time.Time) { d.main.Flush(deadline) }

// Join is part of redisdb.Operation.
func (c *commit) Join(p *redisdb.Pipeline) {
	if !c.claim() {
		c.unclaimed = true
		return
	}
	p.Waiting(c.requests - 1)
	if c.presumed != nil {
		c.tally = redisdb.Shared(p, c.joins, func() *tally {
			return &tally{db: c.db, presumed: c.presumed, command: p.Reserve(true)}
		})
		c.index = len(c.tally.commits)
		c.tally.commits = append(c.tally.commits, c)
		return
	}
	script, keys, args := c.wire.script()
	c.command = p.Script(true, script, keys, args...)
}

// Done is part of redisdb.Operation.
func (c *commit) Done(p *redisdb.Pipeline) {
	switch {
	case p.Err() != nil:
		c.done(result{kind: engine.Refused})
	case c.unclaimed:
		c.done(result{kind: engine.NotSent})
	case c.tally != nil:
		c.done(c.tally.result(p, c))
	default:
		r := commitReply(p.Result(c.command))
		if r.way.lapses {
			go c.db.clearWay(c)
			return
		}
		c.done(r)
	}
}

// commitReply reads the script's reply. Every error that is no certain refusal leaves the
// outcome unknown. What replicas lack is not known to last: neither the commit, nor what stands
// in its way, which may be its own effect.
func commitReply(v any, err error) result {
	if err != nil {
		return failed(err)
	}
	switch v := v.(type) {
	case int64:
		return result{kind: engine.Committed, way: obstacle{lapses: v == 0}}
	case string:
		return result{kind: engine.Committed, way: obstacle{made: v}}
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i], _ = v[i].(string)
		}
		if len(texts) > 0 {
			return result{kind: engine.Conflicted, way: obstacle{record: texts[0], entries: texts[1:]}}
		}
	}
	return result{kind: engine.Unknown}
}

// failed is what is known of a sending that Redis did not carry out.
func failed(err error) result {
	if redisdb.CertainlyRefused(err) {
		return result{kind: engine.Refused}
	}
	return result{kind: engine.Unknown}
}
