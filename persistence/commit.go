package persistence

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
)

// commit is one sending of a record's compare-and-set on its way to Redis.
type commit struct {
	wire  *wire
	claim func() bool
	// done receives what became of it and, where it conflicted, what stands in the way.
	done func(kind commerce.OutcomeKind, way obstacle)
}

// obstacle is what made the commit script refuse: the record ("": none), and what
// is remembered under the commit's idempotency keys ("": nothing).
type obstacle struct {
	record  string
	entries []string
	// made is what the script made of a commit that is done; lapses: nothing was done,
	// for holds that have lapsed stand in the way.
	made   string
	lapses bool
}

// wire is a commit as the script takes it, made once and sent as often as needed.
type wire struct {
	keys []string
	args []any
	hold *holding // nil: no stock is asked for
}

// beside says how the commit script writes a value beside the record: one of the
// letters that its header lists.
type beside byte

const (
	onceEntry beside = 'o'
	setNew    beside = 'n'
	setValue  beside = 's'
	deleteOwn beside = 'd'
	moveToken beside = 't'
	appendTo  beside = 'q'
)

// besides is where a wire's arguments hold the letters.
const besides = 3

// newWire is the commit of one record, by itself; expiry is empty for none.
func newWire(key string, expect commerce.Stamp, record []byte, expiry string) *wire {
	return &wire{keys: []string{key}, args: []any{stampText(expect), record, expiry, "", onceTTL}}
}

// add writes a value beside the record.
func (w *wire) add(how beside, key string, value any) {
	w.keys = append(w.keys, key)
	w.args = append(w.args, value)
	w.args[besides] = w.args[besides].(string) + string(how)
}

// script is the one that the commit is sent to.
func (w *wire) script() *redis.Script {
	if w.hold != nil {
		return holdScript
	}
	return commitScript
}

// Away reports whether Redis is known to be out of reach.
func (d *DB) Away() bool { return d.main.away.Load() }

// Ready reports whether requests can be admitted: nothing that admission asks is
// known to be out of reach, the limiter's own Redis included.
func (d *DB) Ready() bool { return !d.Away() && !d.limiter.away.Load() }

func (d *DB) sendCommit(c commit) {
	if d.Away() || !d.commits.add(c) {
		c.done(commerce.Refused, obstacle{})
	}
}

// flushCommits sends a batch of commits. Where Redis has forgotten the script it is
// loaded, and what it refused is sent once more.
func (d *DB) flushCommits(batch []commit) {
	if d.Away() {
		for _, c := range batch {
			c.done(commerce.Refused, obstacle{})
		}
		return
	}
	claimed := batch[:0]
	for _, c := range batch {
		if c.claim() {
			claimed = append(claimed, c)
		} else {
			c.done(commerce.NotSent, obstacle{})
		}
	}
	if forgotten := d.pipelineCommits(claimed); len(forgotten) > 0 {
		d.reloadScripts()
		for _, c := range d.pipelineCommits(forgotten) {
			c.done(commerce.Refused, obstacle{})
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
	cmds := make([]*redis.Cmd, len(batch))
	for i, c := range batch {
		cmds[i] = c.wire.script().EvalSha(background, pipe, c.wire.keys, c.wire.args...)
	}
	var replicas *redis.Cmd
	if d.wait > 0 {
		replicas = pipe.Do(background, "WAIT", d.wait, d.main.timeout.Milliseconds()/2)
	}
	d.main.exec(pipe)
	acknowledged := replicas == nil || enough(replicas, d.wait)
	for i, cmd := range cmds {
		if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
			forgotten = append(forgotten, batch[i])
			continue
		}
		kind, way := commitReply(cmd)
		if way.lapses {
			go d.clearWay(batch[i])
			continue
		}
		if kind == commerce.Committed && !acknowledged {
			kind = commerce.Unknown
		}
		batch[i].done(kind, way)
	}
	return forgotten
}

func enough(replicas *redis.Cmd, want int) bool {
	n, err := replicas.Int()
	return err == nil && n >= want
}

// certainRefusals are the replies after which a sending had no effect for certain.
var certainRefusals = []string{
	"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY",
	"MASTERDOWN", "OOM", "MISCONF", "NOREPLICAS", "BUSY",
}

// commitReply reads the script's reply. Every error that is no certain refusal
// leaves the outcome unknown.
func commitReply(cmd *redis.Cmd) (commerce.OutcomeKind, obstacle) {
	v, err := cmd.Result()
	if err != nil {
		if certainlyRefused(err) {
			return commerce.Refused, obstacle{}
		}
		return commerce.Unknown, obstacle{}
	}
	switch v := v.(type) {
	case int64:
		return commerce.Committed, obstacle{lapses: v == 0}
	case string:
		return commerce.Committed, obstacle{made: v}
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i], _ = v[i].(string)
		}
		if len(texts) > 0 {
			return commerce.Conflicted, obstacle{record: texts[0], entries: texts[1:]}
		}
	}
	return commerce.Unknown, obstacle{}
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
