package persistence

import (
	"context"
	"strconv"
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
}

// wire is a commit as the script takes it, made once and sent as often as needed.
type wire struct {
	keys []string
	args []any
}

// newWire is the commit of one record, by itself; expiry is empty for none.
func newWire(key string, expect commerce.Stamp, record []byte, expiry string) *wire {
	return &wire{keys: []string{key}, args: []any{stampText(expect), record, expiry, 0, onceTTL}}
}

// add writes a value beside the record. The idempotency keys come first.
func (w *wire) add(key string, value []byte) {
	w.keys = append(w.keys, key)
	w.args = append(w.args, value)
}

// Send sends a cart's commit once.
func (d *DB) Send(c *commerce.Commit[*commerce.Cart]) {
	w, ok := c.Wire.(*wire)
	if !ok {
		w = cartWire(c)
		c.Wire = w
	}
	d.sendCommit(commit{wire: w, claim: c.Claim, done: func(kind commerce.OutcomeKind, way obstacle) {
		o := commerce.Outcome[*commerce.Cart]{Kind: kind}
		if err := way.read(&o); err != nil {
			d.log.Error("cart record", "key", w.keys[0], "error", err.Error())
			o.Kind = commerce.Refused
		}
		c.Done(o)
	}})
}

func (w obstacle) read(o *commerce.Outcome[*commerce.Cart]) (err error) {
	if w.record != "" {
		if o.Current, err = decodeCart(w.record); err != nil {
			return err
		}
	}
	o.Entries, err = parseEntries(w.entries)
	return err
}

func cartWire(c *commerce.Commit[*commerce.Cart]) *wire {
	expiry := strconv.FormatInt(c.Next.State.ExpiresAt.UnixMilli(), 10)
	w := newWire(cartKey(c.Key), c.Expect, appendCart(make([]byte, 0, 512), &c.Next), expiry)
	once := 0
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Key != nil {
			w.add(onceKey(c.Key.Store, e.Key.Name), makeEntry(e, c.Next.Stamp))
			once++
		}
	}
	w.args[3] = once
	for i := range c.Effects {
		if g := c.Effects[i].Guest; g != nil {
			w.add(contactKey(commerce.RecordKey{Store: c.Key.Store, ID: g.ID}), guestRecord(g, c.Next.Stamp))
		}
	}
	return w
}

// Load reads a cart's record and, where a key is given, its entry of the same moment.
func (d *DB) Load(key commerce.RecordKey, once *commerce.IdempotencyKey, done func(commerce.CartRecord, *commerce.IdempotencyEntry, error)) {
	if d.Away() {
		done(commerce.CartRecord{}, nil, commerce.ErrUnavailable)
		return
	}
	keys := []string{cartKey(key)}
	if once != nil {
		keys = append(keys, onceKey(key.Store, once.Name))
	}
	go func() { done(d.load(keys)) }()
}

// load reads a record and the entry of a key (none where there is only one key).
func (d *DB) load(keys []string) (record commerce.CartRecord, entry *commerce.IdempotencyEntry, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), d.main.timeout)
	defer cancel()
	values, err := d.main.client.MGet(ctx, keys...).Result()
	if err != nil {
		if !isReply(err) {
			d.main.lost(err)
		}
		return record, nil, commerce.ErrUnavailable
	}
	return parseTogether(values)
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
		cmds[i] = commitScript.EvalSha(background, pipe, c.wire.keys, c.wire.args...)
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
		return commerce.Committed, obstacle{}
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
