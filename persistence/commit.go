package persistence

import (
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// commit is one sending of a record's compare-and-set on its way to Redis.
type commit struct {
	wire     *wire
	requests int // that wait for it
	claim    func() bool
	// presumed is what its requests were judged under, uncounted how many of them have
	// still to be counted; nil, 0: Redis admitted them.
	uncounted int
	presumed  *engine.Presumption
	// done receives what became of it.
	done func(result)
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
func (d *DB) Away() bool { return d.main.away.Load() }

// Ready reports whether requests can be served: Redis can be reached and takes writes.
func (d *DB) Ready() bool { return !d.Away() && !d.main.barred.Load() }

// SilentServers lists, by address, the servers of Redis Clusters that do not answer, while
// others do.
func (d *DB) SilentServers() []string {
	addrs := d.main.silentServers()
	slices.Sort(addrs)
	return addrs
}

func (d *DB) sendCommit(c commit) {
	if d.Away() || !d.commits.push(c) {
		go c.done(result{kind: engine.Refused}) // later: the sender is at work
	}
}

// Flush sends the commits that wait: on the caller's goroutine, where that waits for
// at least as long as Redis may be silent.
func (d *DB) Flush(deadline time.Time) {
	if !deadline.IsZero() && time.Until(deadline) >= d.config.Timeout {
		d.commits.lead()
		return
	}
	d.commits.start()
}

// flushCommits sends a batch of commits. Where Redis has forgotten the script it is
// loaded, and what it refused is sent once more.
func (d *DB) flushCommits(batch []commit) {
	if d.Away() {
		for _, c := range batch {
			c.done(result{kind: engine.Refused})
		}
		return
	}
	claimed := batch[:0]
	for _, c := range batch {
		if c.claim() {
			claimed = append(claimed, c)
		} else {
			c.done(result{kind: engine.NotSent})
		}
	}
	if forgotten := d.pipelineCommits(claimed); len(forgotten) > 0 {
		d.reloadScripts()
		for _, c := range d.pipelineCommits(forgotten) {
			c.done(result{kind: engine.Refused})
		}
	}
}

// pipelineCommits sends commits in one pipeline, and one WAIT for all of them where
// replicas have to acknowledge. It returns those whose script Redis did not know.
func (d *DB) pipelineCommits(batch []commit) (forgotten []commit) {
	if len(batch) == 0 {
		return nil
	}
	pipe := d.main.client.Pipeline()
	plain, presumed := split(batch)
	cmds := make([]*redis.Cmd, len(plain))
	for i, c := range plain {
		cmds[i] = c.wire.send(pipe)
	}
	tallies := newTallies(pipe, presumed)
	var replicas *redis.Cmd
	if d.wait > 0 {
		replicas = pipe.Do(background, "WAIT", d.wait, d.main.timeout.Milliseconds()/2)
	}
	more := max(0, requestsOf(batch)-int32(len(batch)))
	d.main.conns.awake.waiting.Add(more)
	asked := time.Now()
	d.main.exec(pipe)
	d.main.conns.awake.waiting.Add(-more)
	acknowledged := replicas == nil || enough(replicas, d.wait)
	for i, cmd := range cmds {
		if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
			forgotten = append(forgotten, plain[i])
			continue
		}
		r := commitReply(cmd)
		if r.way.lapses {
			go d.clearWay(plain[i])
			continue
		}
		plain[i].settle(r, acknowledged)
	}
	for _, t := range tallies {
		if redis.HasErrorPrefix(t.cmd.Err(), "NOSCRIPT") {
			for _, c := range t.commits {
				forgotten = append(forgotten, *c)
			}
			continue
		}
		d.settleTally(t, asked, acknowledged)
	}
	return forgotten
}

func requestsOf(batch []commit) (n int32) {
	for i := range batch {
		n += int32(batch[i].requests)
	}
	return n
}

// split puts the commits that are judged under a presumption behind the others.
func split(batch []commit) (plain, presumed []commit) {
	n := 0
	for i := range batch {
		if batch[i].presumed == nil {
			plain := batch[i]
			copy(batch[n+1:i+1], batch[n:i])
			batch[n] = plain
			n++
		}
	}
	return batch[:n], batch[n:]
}

// settle tells what became of a sending. What replicas lack is not known to last: neither
// the commit, nor what stands in its way, which may be its own effect.
func (c *commit) settle(r result, acknowledged bool) {
	if !acknowledged && (r.kind == engine.Committed || r.kind == engine.Conflicted) {
		r = result{kind: engine.Unknown}
	}
	c.done(r)
}

func enough(replicas *redis.Cmd, want int) bool {
	n, err := replicas.Int()
	return err == nil && n >= want
}

// certainRefusals are the replies after which a sending had no effect for certain.
var certainRefusals = []string{
	"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY",
	"MASTERDOWN", "OOM", "MISCONF", "NOREPLICAS", "BUSY", "NOAUTH", "WRONGPASS",
}

// commitReply reads the script's reply. Every error that is no certain refusal
// leaves the outcome unknown.
func commitReply(cmd *redis.Cmd) result {
	v, err := cmd.Result()
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
	if certainlyRefused(err) {
		return result{kind: engine.Refused}
	}
	return result{kind: engine.Unknown}
}

func certainlyRefused(err error) bool {
	if isDial(err) {
		return true
	}
	text := err.Error()
	for _, prefix := range certainRefusals {
		if strings.HasPrefix(text, prefix) && isReply(err) {
			return true
		}
	}
	return false
}
