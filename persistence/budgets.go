package persistence

import (
	"time"

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
	// headCmd and timeCmd are used where the limiter has a Redis of its own.
	headCmd  *redis.StringCmd
	timeCmd  *redis.TimeCmd
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
		if q.cmd != nil && redis.HasErrorPrefix(q.cmd.Err(), "NOSCRIPT") {
			return true
		}
	}
	return false
}

// adopt takes over what was answered to the same call before, if it was.
func (q *budgetAsk) adopt(before *budgetAsk) bool {
	if before.cmd == nil || before.cmd.Err() != nil {
		return false
	}
	q.cmd, q.headCmd, q.timeCmd = before.cmd, before.headCmd, before.timeCmd
	return true
}

// send asks the limiter, and where that has a Redis of its own the main one for the
// store's head and the time.
func (q *budgetAsk) send(b *admissionBatch) {
	head := q.head
	if b.limiter != b.main {
		head = ""
		q.timeCmd = b.main.Time(background)
		if q.head != "" {
			q.headCmd = b.main.Get(background, q.head)
		}
	}
	if q.n > 0 {
		q.count(b.limiter, head)
	}
}

// count is the limiter's script alone.
func (q *budgetAsk) count(pipe redis.Pipeliner, head string) {
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
	if err == nil && q.timeCmd != nil { // TIME and head are the main Redis's
		q.now, err = q.timeCmd.Result()
	}
	if err == nil && q.headCmd != nil {
		if q.headText, err = q.headCmd.Result(); err == redis.Nil {
			err = nil
		}
	}
	q.err = err
	return err
}

// decide is what the limiter said to the first request of a place.
func (p place) decide() ratelimit.Decision {
	return p.budget.reply.Decide(p.index, p.budget.reply.Limit(p.budget.limit), commerce.RateWindow)
}
