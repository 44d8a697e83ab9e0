package persistence

import (
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// tally is one call of the script that commits and counts at once: commits of one
// store, judged under one presumption.
type tally struct {
	db       *DB
	presumed *engine.Presumption
	commits  []*commit
	command  *redisdb.Command
	asked    time.Time
	// read is true once reply and err are the script's.
	read  bool
	reply tallyReply
	err   error
}

// maxTallied bounds the work of one call.
const maxTallied = 32

// window is that of every request limit as scripts take it.
var window = strconv.FormatInt(commerce.RateWindow.Microseconds(), 10)

var tallyHash = tallyScript.Hash()

// joins reports whether the commit may join a call.
func (c *commit) joins(t *tally) bool {
	return t.presumed == c.presumed && len(t.commits) < maxTallied
}

// Complete is part of redisdb.SharedCall. Texts are given by pointer: an interface of a text is
// an allocation.
func (t *tally) Complete() {
	n := len(t.commits)
	args := append(make([]any, 0, 7+5*n), "evalsha", &tallyHash, 2+n, &t.presumed.Log, &t.presumed.HeadKey)
	for i := range t.commits {
		args = append(args, &t.commits[i].wire.key)
	}
	args = append(args, &t.presumed.Head, &window)
	for i := range t.commits {
		w := t.commits[i].wire
		args = append(args, &w.seen, &w.record, &w.expiry, t.commits[i].uncounted)
	}
	t.asked = time.Now()
	t.command.Set(args...)
}

// result is what became of a commit of the call.
func (t *tally) result(p *redisdb.Pipeline, c *commit) result {
	if !t.read {
		t.read = true
		v, err := p.Result(t.command)
		if err == nil || err == redisdb.ErrTooFewReplicas {
			t.reply, t.err = parseTally(v, len(t.commits))
			if t.err == nil {
				t.db.clock.set(t.reply.Now, t.asked)
				t.err = err
			}
		} else {
			t.err = err
		}
	}
	if t.err != nil && t.err != redisdb.ErrTooFewReplicas {
		return failed(t.err)
	}
	if t.reply.records == nil {
		return result{kind: engine.Superseded}
	}
	r := t.reply.result(c.index, c.uncounted)
	if c.uncounted == 0 { // counted before
		r.budget = engine.Budget{}
	}
	if t.err != nil && (r.kind == engine.Committed || r.kind == engine.Conflicted) {
		return result{kind: engine.Unknown}
	}
	return r
}

// tallyReply is the script's reply. Granted is not told: each record has its own.
type tallyReply struct {
	ratelimit.Reply
	records []any // nil: the head is another one
}

// parseTally reads the reply to a call of so many commits.
func parseTally(value any, commits int) (r tallyReply, err error) {
	v, _ := value.([]any)
	if len(v) != 2 && len(v) != 4+commits {
		return r, errCorrupt
	}
	var numbers [3]int64 // Redis's time, counted before, oldest
	for i, at := range [...]int{0, 2, 3} {
		if at >= len(v) {
			break
		}
		n, ok := v[at].(int64)
		if !ok {
			return r, errCorrupt
		}
		numbers[i] = n
	}
	var ok bool
	if r.Head, ok = v[1].(string); !ok {
		return r, errCorrupt
	}
	r.Now, r.Count = time.UnixMicro(numbers[0]).UTC(), int(numbers[1])
	if numbers[2] != 0 {
		r.Oldest = time.UnixMicro(numbers[2]).UTC()
	}
	if len(v) > 2 {
		r.records = v[4:]
	}
	return r, nil
}

// result is what became of commit i, of so many requests. Those of one that was done by
// an earlier sending are among the counted.
func (r *tallyReply) result(i, requests int) result {
	done := r.budget(-requests, 0)
	if text, ok := r.records[i].(string); ok {
		return result{kind: engine.Conflicted, way: obstacle{record: text}, budget: done}
	}
	n, ok := r.records[i].(int64)
	switch {
	case !ok:
		return result{kind: engine.Unknown}
	case n >= 0:
		return result{kind: engine.Committed, budget: r.budget(int(n), int(n)+1)}
	case n == -1:
		return result{kind: engine.Committed, budget: done}
	}
	return result{kind: engine.Exceeded, within: int(-2 - n), budget: r.budget(0, 0)}
}

// budget is that of request i of the call, where so many were granted.
func (r *tallyReply) budget(i, granted int) engine.Budget {
	decided := r.Reply
	decided.Granted = granted
	if decided.Oldest.IsZero() { // the limit is below what one commit asks: those within it come first
		decided.Oldest = decided.Now
	}
	return budget(decided.Decide(i, decided.Limit(0), commerce.RateWindow))
}
