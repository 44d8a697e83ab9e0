package persistence

import (
	"cmp"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/ratelimit"
)

// budgets are calls of the limiter that go out together, one for each list and what is
// taken for its limit.
type budgets []*budgetAsk

// place is where some requests stand among those of a call.
type place struct {
	budget *budgetAsk
	index  int
}

// budgetAsk is one call of the limiter, for n requests.
type budgetAsk struct {
	log   string
	head  string
	limit int
	n     int // 0: all its requests were counted before
	cmd   *redis.Cmd
	// nowCmd is used where the limiter has a Redis of its own.
	nowCmd   *redis.Cmd
	reply    ratelimit.Reply
	headText string // the store's head, whichever Redis it came from
	// now is the main Redis's time; the reply's own judges the window only.
	now  time.Time
	err  error
	read bool
}

// ask puts n more requests into the call for a list.
func (b *budgets) ask(log string, limit, n int) place {
	for _, q := range *b {
		if q.log == log && q.limit == limit {
			q.n += n
			return place{q, q.n - n}
		}
	}
	q := &budgetAsk{log: log, limit: limit, n: n}
	*b = append(*b, q)
	return place{q, 0}
}

// forgotten reports whether Redis did not know the script.
func (b budgets) forgotten() bool {
	for _, q := range b {
		if forgotten(q.cmd) || forgotten(q.nowCmd) {
			return true
		}
	}
	return false
}

func forgotten(cmd *redis.Cmd) bool { return cmd != nil && redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") }

// adopt takes over what was answered to the same call before.
func (q *budgetAsk) adopt(before *budgetAsk) {
	q.cmd, q.nowCmd = answered(before.cmd), answered(before.nowCmd)
}

func answered(cmd *redis.Cmd) *redis.Cmd {
	if cmd == nil || cmd.Err() != nil {
		return nil
	}
	return cmd
}

// send asks the limiter, and where that has a Redis of its own the main one for the
// store's head and the time.
func (q *budgetAsk) send(b *admissionBatch) {
	head := q.head
	if b.limiter != b.main {
		head = ""
		if q.nowCmd == nil {
			q.nowCmd = nowScript.EvalSha(background, b.main, []string{cmp.Or(q.head, noHead)})
		}
	}
	if q.n > 0 {
		q.count(b.limiter, head)
	}
}

// count is the limiter's script alone, unless it was answered before.
func (q *budgetAsk) count(pipe redis.Pipeliner, head string) {
	if q.cmd != nil {
		return
	}
	args := ratelimit.Args(q.n, q.limit, commerce.RateWindow)
	q.cmd = ratelimit.Script.EvalSha(background, pipe, ratelimit.Keys(q.log, head), args...)
}

// result reads the limiter's reply once for all its requests.
func (q *budgetAsk) result() error {
	if q.read {
		return q.err
	}
	q.read = true
	var err error
	if q.cmd != nil {
		var v any
		if v, err = q.cmd.Result(); err == nil {
			q.reply, err = ratelimit.ParseReply(v)
		}
		q.now, q.headText = q.reply.Now, q.reply.Head
	}
	if err == nil && q.nowCmd != nil {
		q.now, q.headText, err = parseNow(q.nowCmd)
	}
	q.err = err
	return err
}

// noHead is the head of no store: a server of a cluster like any other.
var noHead = headKey(uuid.Nil)

// parseNow reads the reply of now.lua.
func parseNow(cmd *redis.Cmd) (now time.Time, value string, err error) {
	reply, err := cmd.Slice()
	if err != nil {
		return now, "", err
	}
	if len(reply) != 2 {
		return now, "", errCorrupt
	}
	micros, ok := reply[0].(int64)
	value, alsoOK := reply[1].(string)
	if !ok || !alsoOK {
		return now, "", errCorrupt
	}
	return time.UnixMicro(micros).UTC(), value, nil
}

// decide is what the limiter said to the first request of a place.
func (p place) decide() ratelimit.Decision {
	return p.budget.reply.Decide(p.index, p.budget.reply.Limit(p.budget.limit), commerce.RateWindow)
}
