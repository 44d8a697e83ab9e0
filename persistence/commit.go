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
	// done receives what became of it and, where it conflicted, the record in the
	// way ("": none).
	done func(kind commerce.OutcomeKind, current string)
}

// wire is a commit as the script takes it, made once and sent as often as needed.
type wire struct {
	keys []string
	args []any
}

// Send sends a cart's commit once. Spec of the promise: docs/reliability in README,
// Durable.
func (d *DB) Send(c *commerce.Commit[*commerce.Cart]) {
	w, ok := c.Wire.(*wire)
	if !ok {
		w = cartWire(c)
		c.Wire = w
	}
	d.sendCommit(commit{wire: w, claim: c.Claim, done: func(kind commerce.OutcomeKind, current string) {
		o := commerce.Outcome[*commerce.Cart]{Kind: kind}
		if kind == commerce.Conflicted && current != "" {
			var err error
			if o.Current, err = decodeCart(current); err != nil {
				d.log.Error("cart record", "key", w.keys[0], "error", err.Error())
				o.Kind = commerce.Refused
			}
		}
		c.Done(o)
	}})
}

func cartWire(c *commerce.Commit[*commerce.Cart]) *wire {
	w := &wire{
		keys: []string{cartKey(c.Key)},
		args: []any{
			stampText(c.Expect),
			appendCart(make([]byte, 0, 512), &c.Next),
			strconv.FormatInt(c.Next.State.ExpiresAt.UnixMilli(), 10),
		},
	}
	for _, e := range c.Effects {
		if e.Guest != nil {
			w.keys = append(w.keys, contactKey(commerce.RecordKey{Store: c.Key.Store, ID: e.Guest.ID}))
			w.args = append(w.args, guestRecord(e.Guest, c.Next.Stamp))
		}
	}
	return w
}

// Load reads a cart's record.
func (d *DB) Load(key commerce.RecordKey, done func(commerce.CartRecord, error)) {
	if d.Away() {
		done(commerce.CartRecord{}, commerce.ErrUnavailable)
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), d.main.timeout)
		defer cancel()
		b, err := d.main.client.Get(ctx, cartKey(key)).Result()
		switch {
		case err == redis.Nil:
			done(commerce.CartRecord{}, nil)
		case err != nil:
			if !isReply(err) {
				d.main.lost(err)
			}
			done(commerce.CartRecord{}, commerce.ErrUnavailable)
		default:
			done(decodeCart(b))
		}
	}()
}

// Away reports whether Redis is known to be out of reach.
func (d *DB) Away() bool { return d.main.away.Load() }

// Ready reports whether requests can be admitted: nothing that admission asks is
// known to be out of reach, the limiter's own Redis included.
func (d *DB) Ready() bool { return !d.Away() && !d.limiter.away.Load() }

func (d *DB) sendCommit(c commit) {
	if d.Away() || !d.commits.add(c) {
		c.done(commerce.Refused, "")
	}
}

// flushCommits sends a batch of commits in one pipeline, and one WAIT for all of
// them where replicas have to acknowledge.
func (d *DB) flushCommits(batch []commit) {
	if d.Away() {
		for _, c := range batch {
			c.done(commerce.Refused, "")
		}
		return
	}
	pipe := d.main.client.Pipeline()
	cmds := make([]*redis.Cmd, len(batch))
	for i, c := range batch {
		if !c.claim() {
			c.done(commerce.NotSent, "")
			continue
		}
		cmds[i] = commitScript.EvalSha(context.Background(), pipe, c.wire.keys, c.wire.args...)
	}
	if pipe.Len() == 0 {
		return
	}
	var replicas *redis.Cmd
	if d.wait > 0 {
		replicas = pipe.Do(context.Background(), "WAIT", d.wait, d.main.timeout.Milliseconds()/2)
	}
	d.main.exec(pipe)
	acknowledged := replicas == nil || enough(replicas, d.wait)
	noScript := false
	for i, cmd := range cmds {
		if cmd == nil {
			continue
		}
		kind, current := commitReply(cmd)
		if kind == commerce.Committed && !acknowledged {
			kind = commerce.Unknown
		}
		noScript = noScript || cmd.Err() != nil && redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT")
		batch[i].done(kind, current)
	}
	if noScript {
		d.reloadScripts()
	}
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
func commitReply(cmd *redis.Cmd) (commerce.OutcomeKind, string) {
	v, err := cmd.Result()
	if err != nil {
		if certainlyRefused(err) {
			return commerce.Refused, ""
		}
		return commerce.Unknown, ""
	}
	switch v := v.(type) {
	case string:
		return commerce.Conflicted, v
	case int64:
		if v == 1 {
			return commerce.Committed, ""
		}
		return commerce.Conflicted, ""
	}
	return commerce.Unknown, ""
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
