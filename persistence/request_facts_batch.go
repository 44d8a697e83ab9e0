package persistence

import (
	"context"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

var background = context.Background()

// Join is part of redisdb.Operation: it counts the request, and reads its record and token.
func (a *admission) Join(p *redisdb.Pipeline) {
	a.joinBudget(p)
	switch {
	case a.record == "":
	case a.resident != nil:
		a.readRecord = p.Add(a.readStamp)
	default:
		a.readRecord = p.Do(false, "GET", &a.record)
	}
	if a.token != nil && a.entry != nil {
		a.readToken = p.Script(false, accounts.ReadTokenScript, []string{accounts.TokenKey(a.store, *a.token)},
			accounts.TokenArgs(a.contacts, a.contact && !a.contactResident)...)
	}
}

// Done is part of redisdb.Operation.
func (a *admission) Done(p *redisdb.Pipeline) {
	err := p.Err()
	if err == nil {
		err = a.read(p)
	}
	if err != nil {
		a.err = engine.ErrUnavailable
	}
	a.end()
}

// Lost is part of redisdb.Operation.
func (a *admission) Lost() {
	if !a.ended {
		a.err = engine.ErrUnavailable
		a.end()
	}
}

// end wakes the request.
func (a *admission) end() {
	a.ended = true
	a.Answer()
}

// read reads the request's replies.
func (a *admission) read(p *redisdb.Pipeline) error {
	budget := a.ask
	if err := budget.result(p); err != nil {
		if redisdb.IsReply(err) && !redisdb.CertainlyRefused(err) {
			go a.db.client.LogWrongType(budget.log, budget.head)
		}
		return err
	}
	a.decision = budget.reply.Decide(a.index, budget.reply.Bound(budget.bound), commerce.RateWindow)
	a.now, a.head = budget.reply.Now, budget.reply.Head
	if a.readToken != nil {
		v, err := p.Result(a.readToken)
		if err == nil {
			err = a.seeVisitor(v)
		}
		if err != nil {
			a.db.client.Unreadable(err, accounts.TokenKey(a.store, *a.token))
			return err
		}
	}
	if a.readRecord == nil {
		return nil
	}
	v, err := p.Result(a.readRecord)
	if err == nil {
		text, _ := v.(string)
		err = a.see(text)
	}
	a.db.client.Unreadable(err, a.record)
	return err
}

// seeVisitor reads the token script's reply: the visitor and, if it was asked for, the contact
// or only its stamp.
func (a *admission) seeVisitor(reply any) error {
	text, contact, err := accounts.ParseTokenReply(a.store, *a.token, reply)
	if err != nil {
		return err
	}
	a.text, a.visitor = text, accounts.ResolveToken(*a.token, text, a.now)
	if !a.visitor.Known || !a.contact {
		return nil
	}
	if a.contactResident {
		a.contactSeen.Stamp = records.ContactStamp(contact)
		return nil
	}
	record, err := records.Contacts.Decode(engine.RecordKey{Store: a.store, ID: a.visitor.CustomerID}, contact)
	if err != nil {
		return accounts.BrokenContact(a.store, text)
	}
	a.contactSeen = engine.Sighting[*commerce.Contact]{Stamp: record.Stamp, Record: &record}
	return nil
}

// see reads the record, or its stamp if it is in memory; "" if there is no record.
func (a *admission) see(text string) (err error) {
	switch {
	case text == "":
		return nil
	case a.resident != nil:
		if a.cartSeen.Stamp, err = records.ParseStamp(text); err == nil && a.cartSeen.Stamp == a.resident.Stamp {
			a.cartSeen.Record, a.cartSeen.Resident = a.resident, true
		}
		return err
	}
	record, err := records.Carts.Decode(engine.RecordKey{}, text)
	if err != nil {
		return err
	}
	a.cartSeen.Stamp, a.cartSeen.Record = record.Stamp, &record
	return nil
}

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
