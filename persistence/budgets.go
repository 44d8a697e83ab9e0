package persistence

import (
	"time"

	"cartd/commerce"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// budgetAsk is one call of the limiter, for n requests that a pipeline counts in one log under one
// bound.
type budgetAsk struct {
	entry   *stores.StoreEntry // nil for a caller's log
	log     string
	head    string // the key of the store's head; empty for a caller's log
	bound   ratelimit.Bound
	n       int
	sentAt  time.Time
	command *redisdb.Command
	// read is true once reply and err are set.
	read  bool
	reply ratelimit.Reply
	err   error
}

// joinBudget adds the request to the pipeline's call for its log.
func (a *admission) joinBudget(p *redisdb.Pipeline) {
	a.ask = redisdb.Shared(p,
		func(q *budgetAsk) bool { return q.log == a.log && q.bound == a.bound },
		func() *budgetAsk {
			q := &budgetAsk{entry: a.entry, log: a.log, bound: a.bound, command: p.Reserve(false)}
			if a.entry != nil {
				q.head = stores.HeadKey(a.store)
			}
			return q
		})
	a.index = a.ask.n
	a.ask.n++
}

// Complete is part of redisdb.SharedCall.
func (q *budgetAsk) Complete() {
	q.sentAt = time.Now()
	q.command.SetScript(ratelimit.Script, ratelimit.Keys(q.log, q.head), ratelimit.Args(q.n, q.bound, commerce.RateWindow)...)
}

// result reads the limiter's reply once for all its requests.
func (q *budgetAsk) result(p *redisdb.Pipeline) error {
	if q.read {
		return q.err
	}
	q.read = true
	v, err := p.Result(q.command)
	if err == nil {
		if q.reply, err = ratelimit.ParseReply(v); err == nil && q.entry != nil {
			q.entry.Clock.Hear(q.reply.Now, q.sentAt)
		}
	}
	q.err = err
	return err
}
