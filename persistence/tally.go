package persistence

import (
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/ratelimit"
)

// tally is one call of the script that commits and counts at once: commits of one
// store, judged under one presumption. Where the limiter has a Redis of its own, nothing
// is left to count.
type tally struct {
	presumed *engine.Presumption
	commits  []*commit
	cmd      *redis.Cmd
}

// mostTallied bounds the work of one call.
const mostTallied = 32

// window is that of every request limit as scripts take it.
var window = strconv.FormatInt(commerce.RateWindow.Microseconds(), 10)

var tallyHash = tallyScript.Hash()

// newTallies puts commits into calls of a pipeline, in their order.
func newTallies(pipe redis.Pipeliner, presumed []commit) []*tally {
	var all []*tally
	for i := range presumed {
		c := &presumed[i]
		t := lastOf(all, c.presumed)
		if t == nil || len(t.commits) == mostTallied {
			t = &tally{presumed: c.presumed, commits: make([]*commit, 0, min(mostTallied, len(presumed)-i))}
			all = append(all, t)
		}
		t.commits = append(t.commits, c)
	}
	for _, t := range all {
		t.send(pipe)
	}
	return all
}

// lastOf is the last call under a presumption, or nil.
func lastOf(all []*tally, p *engine.Presumption) *tally {
	for _, t := range slices.Backward(all) {
		if t.presumed == p {
			return t
		}
	}
	return nil
}

func (t *tally) send(pipe redis.Pipeliner) {
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
	t.cmd = pipe.Do(background, args...) // pointers: an interface of a text is an allocation
}

// settleTally tells each commit what became of it; asked is when they were sent.
func (d *DB) settleTally(t *tally, asked time.Time, acknowledged bool) {
	reply, err := t.reply()
	if err == nil {
		d.clock.set(reply.Now, asked)
	}
	for i := range t.commits {
		c := t.commits[i]
		switch {
		case err != nil:
			c.settle(failed(err), acknowledged)
		case reply.records == nil:
			c.settle(result{kind: engine.Superseded}, acknowledged)
		default:
			r := reply.result(i, c.uncounted)
			if c.uncounted == 0 { // counted before
				r.budget = engine.Budget{}
			}
			c.settle(r, acknowledged)
		}
	}
}

// tallyReply is the script's reply. Granted is not told: each record has its own.
type tallyReply struct {
	ratelimit.Reply
	records []any // nil: the head is another one
}

func (t *tally) reply() (r tallyReply, err error) {
	v, err := t.cmd.Slice()
	if err != nil {
		return r, err
	}
	if len(v) != 2 && len(v) != 4+len(t.commits) {
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
