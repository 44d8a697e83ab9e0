package persistence

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
)

// flushAdmissions admits a batch: the limiter's script once for each list, then
// each request's record and token. Where Redis has forgotten a script it is loaded,
// and the batch asked once more.
func (d *DB) flushAdmissions(batch []*admission) {
	if d.Away() {
		settle(batch, engine.ErrUnavailable)
		return
	}
	asked := time.Now()
	b, err := d.ask(batch, nil)
	if err == nil && b.forgotten() {
		d.reloadScripts()
		b, err = d.ask(batch, b.budgets)
	}
	if err != nil {
		settle(batch, engine.ErrUnavailable)
		return
	}
	for i, a := range batch {
		err := b.read(i, a)
		if err == nil && i == 0 {
			d.clock.set(a.now, asked)
		}
		if err != nil {
			if !d.told(err) {
				d.log.Error("admission", "error", err.Error())
			}
			err = engine.ErrUnavailable
		}
		a.done <- err
	}
}

// ask takes the round trip. What the limiter has answered before it is not asked again.
func (d *DB) ask(batch []*admission, before budgets) (*admissionBatch, error) {
	b := d.newAdmissionBatch(batch, before)
	return b, d.main.execEach(b.pipe)
}

// forgotten reports whether Redis did not know a script.
func (b *admissionBatch) forgotten() bool {
	if b.budgets.forgotten() {
		return true
	}
	return slices.ContainsFunc(b.tokens, forgotten)
}

func settle(batch []*admission, err error) {
	for _, a := range batch {
		a.done <- err
	}
}

// admissionBatch is one pipeline.
type admissionBatch struct {
	pipe    redis.Pipeliner
	budgets budgets
	// asked holds, for each request, its budget and its place in it.
	asked   []place
	records []*redis.StringCmd
	// repeats holds record and entry of requests with an Idempotency-Key.
	repeats []*redis.SliceCmd
	tokens  []*redis.Cmd
}

func (d *DB) newAdmissionBatch(batch []*admission, before budgets) *admissionBatch {
	b := &admissionBatch{pipe: d.main.client.Pipeline(), asked: make([]place, len(batch))}
	for i, a := range batch {
		b.asked[i] = b.budgets.ask(a.log, a.limit)
		if a.store != uuid.Nil {
			b.asked[i].budget.head = headKey(a.store)
		}
	}
	for i, budget := range b.budgets {
		if before != nil {
			budget.adopt(before[i])
		}
		budget.send(b.pipe)
	}
	b.readRecords(batch)
	return b
}

var background = context.Background()

func (b *admissionBatch) readRecords(batch []*admission) {
	b.records = make([]*redis.StringCmd, len(batch))
	b.repeats = make([]*redis.SliceCmd, len(batch))
	b.tokens = make([]*redis.Cmd, len(batch))
	for i, a := range batch {
		switch {
		case a.record == "":
		case a.once != "":
			b.repeats[i] = b.pipe.MGet(background, a.record, a.once)
		case a.held:
			b.records[i] = b.pipe.GetRange(background, a.record, stampFrom, headFrom-1)
		default:
			b.records[i] = b.pipe.Get(background, a.record)
		}
		if a.token != nil && a.store != uuid.Nil {
			b.tokens[i] = tokenScript.EvalSha(background, b.pipe, []string{tokenKey(a.store, *a.token)}, a.tokenArgs()...)
		}
	}
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

// read takes request i's share out of the replies.
func (b *admissionBatch) read(i int, a *admission) error {
	at := b.asked[i]
	if err := at.budget.result(); err != nil {
		return err
	}
	a.decision = at.decide()
	a.now, a.head = at.budget.reply.Now, at.budget.reply.Head
	if b.tokens[i] != nil {
		v, err := b.tokens[i].Result()
		if err != nil {
			return err
		}
		if err := a.seeVisitor(v); err != nil {
			return err
		}
	}
	switch {
	case b.repeats[i] != nil:
		return a.seeTogether(b.repeats[i])
	case b.records[i] != nil:
		return a.see(b.records[i])
	}
	return nil
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
func (a *admission) seeTogether(cmd *redis.SliceCmd) error {
	values, err := cmd.Result()
	if err != nil {
		return err
	}
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

// see reads the record, or the stamp where the node holds it.
func (a *admission) see(cmd *redis.StringCmd) error {
	v, err := cmd.Result()
	switch {
	case err == redis.Nil:
		return nil
	case err != nil:
		return err
	case a.held:
		a.seen.Stamp, err = parseStamp(v)
		return err
	}
	record, err := decodeCart(v)
	if err != nil {
		return err
	}
	a.seen.Stamp, a.seen.Record = record.Stamp, &record
	return nil
}
