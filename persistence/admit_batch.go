package persistence

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

var background = context.Background()

// Join is part of redisdb.Operation: it counts the request, and reads its record and token.
func (a *admission) Join(p *redisdb.Pipeline) {
	a.at = joinBudget(p, a)
	switch {
	case a.record == "":
	case a.once != "":
		a.readRecord = p.Do(false, "MGET", &a.record, &a.once)
	case a.held:
		a.readRecord = p.Do(false, "GETRANGE", &a.record, stampFrom, headFrom-1)
	default:
		a.readRecord = p.Do(false, "GET", &a.record)
	}
	if a.token != nil && a.store != uuid.Nil {
		a.readToken = p.Script(false, tokenScript, []string{tokenKey(a.store, *a.token)}, a.tokenArgs()...)
	}
}

// Done is part of redisdb.Operation.
func (a *admission) Done(p *redisdb.Pipeline) {
	err := p.Err()
	if err == nil {
		if err = a.read(p); err != nil && !a.db.alreadyLogged(err) && (redisdb.IsReply(err) || err == errCorrupt) {
			a.db.log.Error("admission", "error", err.Error())
		}
	}
	if err != nil {
		err = engine.ErrUnavailable
	}
	a.done <- err
}

// tokenArgs are the token script's arguments.
func (a *admission) tokenArgs() []any {
	last := lastHeadByte
	if a.contact && !a.contactHeld {
		last = wholeRecord
	}
	if a.onceName == "" {
		return []any{a.contacts, last}
	}
	return []any{a.contacts, last, a.onces, a.onceName}
}

// lastHeadByte is the last byte of a contact's head, as the token script takes it;
// wholeRecord asks for everything.
var lastHeadByte = strconv.Itoa(headFrom + contactHeadSize - 1)

const wholeRecord = "-1"

// read takes the request's share out of the replies.
func (a *admission) read(p *redisdb.Pipeline) error {
	budget := a.at.budget
	if err := budget.result(p); err != nil {
		return err
	}
	a.decision = a.at.decide()
	a.now, a.head = budget.reply.Now, budget.reply.Head
	if a.readToken != nil {
		v, err := p.Result(a.readToken)
		if err != nil {
			return err
		}
		if err := a.seeVisitor(v); err != nil {
			return err
		}
	}
	if a.readRecord == nil {
		return nil
	}
	v, err := p.Result(a.readRecord)
	switch {
	case err != nil:
		return err
	case a.once != "":
		return a.seeTogether(v)
	}
	text, _ := v.(string)
	return a.see(text)
}

// seeVisitor reads the token script's reply: who the visitor is and, where it was
// asked for, the contact, or only its stamp.
func (a *admission) seeVisitor(reply any) (err error) {
	a.visitor = resolveToken(reply, a.now)
	if !a.visitor.Known {
		return nil
	}
	a.visitor.Session.Token = *a.token
	if !a.contact {
		return nil
	}
	key := engine.RecordKey{Store: a.store, ID: a.visitor.CustomerID}
	parts := reply.([]any) // or the token would not have resolved
	if a.contactHeld {
		head, _ := parts[1].(string)
		r := reader{b: head}
		a.owner.Stamp = r.open(contactFormat)
		if len(parts) > 2 {
			entry, _ := parts[2].(string)
			a.entry, err = parseEntry(entry)
		}
		return err
	}
	record, entry, err := contactKind.parseTogether(key, parts[1:])
	a.owner = engine.Sighting[*commerce.Contact]{Stamp: record.Stamp, Record: &record}
	a.entry = entry
	return err
}

// seeTogether reads the record and the entry of an Idempotency-Key: of a record that the
// node holds as it stands, only the stamp.
func (a *admission) seeTogether(reply any) (err error) {
	values, _ := reply.([]any)
	if len(values) != 2 {
		return errCorrupt
	}
	if text, _ := values[0].(string); a.held && stampIs(text, a.holds) {
		text, _ = values[1].(string)
		a.seen.Stamp = a.holds
		a.entry, err = parseEntry(text)
		return err
	}
	record, entry, err := cartKind.parseTogether(engine.RecordKey{}, values)
	if err != nil {
		return err
	}
	a.entry, a.seen.Stamp = entry, record.Stamp
	if !record.Stamp.Zero() {
		a.seen.Record = &record
	}
	return nil
}

// see reads the record, or the stamp where the node holds it; "" where there is no record.
func (a *admission) see(text string) (err error) {
	switch {
	case text == "":
		return nil
	case a.held:
		a.seen.Stamp, err = parseStamp(text)
		return err
	}
	record, err := decodeCart(text)
	if err != nil {
		return err
	}
	a.seen.Stamp, a.seen.Record = record.Stamp, &record
	return nil
}
