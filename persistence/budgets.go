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
	n     int
	cmd   *redis.Cmd
	reply ratelimit.Reply
	err   error
	read  bool
}

// ask puts one more request into the call for a list.
func (b *budgets) ask(log string, limit int) place {
	for _, q := range *b {
		if q.log == log && q.limit == limit {
			q.n++
			return place{q, q.n - 1}
		}
	}
	q := &budgetAsk{log: log, limit: limit, n: 1}
	*b = append(*b, q)
	return place{q, 0}
}

// forgotten reports whether Redis did not know the script.
func (b budgets) forgotten() bool {
	for _, q := range b {
		if forgotten(q.cmd) {
			return true
		}
	}
	return false
}

func forgotten(cmd *redis.Cmd) bool { return cmd != nil && redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") }

// adopt takes over what was answered to the same call before.
func (q *budgetAsk) adopt(before *budgetAsk) {
	if before.cmd.Err() == nil {
		q.cmd = before.cmd
	}
}

// send asks the limiter, unless it was answered before.
func (q *budgetAsk) send(pipe redis.Pipeliner) {
	if q.cmd == nil {
		args := ratelimit.Args(q.n, q.limit, commerce.RateWindow)
		q.cmd = ratelimit.Script.EvalSha(background, pipe, ratelimit.Keys(q.log, q.head), args...)
	}
}

// result reads the limiter's reply once for all its requests.
func (q *budgetAsk) result() error {
	if q.read {
		return q.err
	}
	q.read = true
	v, err := q.cmd.Result()
	if err == nil {
		q.reply, err = ratelimit.ParseReply(v)
	}
	q.err = err
	return err
}

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
