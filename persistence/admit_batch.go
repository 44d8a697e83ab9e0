package persistence

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/ratelimit"
)

// flushAdmissions admits a batch: the limiter's script once for each list, then
// each request's record and token. Where Redis has forgotten a script it is loaded,
// and the batch asked once more.
func (d *DB) flushAdmissions(batch []*admission) {
	if !d.Ready() {
		settle(batch, commerce.ErrUnavailable)
		return
	}
	b, err := d.ask(batch)
	if err == nil && b.forgotten() {
		d.reloadScripts()
		b, err = d.ask(batch)
	}
	if err != nil {
		settle(batch, commerce.ErrUnavailable)
		return
	}
	for i, a := range batch {
		err := b.read(i, a)
		if err == nil && i == 0 && !a.only {
			d.clock.set(a.now)
		}
		if err != nil {
			d.log.Error("admission", "error", err.Error())
			err = commerce.ErrUnavailable
		}
		a.done <- err
	}
}

func (d *DB) ask(batch []*admission) (*admissionBatch, error) {
	b := d.newAdmissionBatch(batch)
	return b, b.exec(d)
}

// forgotten reports whether Redis did not know a script.
func (b *admissionBatch) forgotten() bool {
	for _, q := range b.budgets {
		if q.cmd != nil && redis.HasErrorPrefix(q.cmd.Err(), "NOSCRIPT") {
			return true
		}
	}
	for _, token := range b.tokens {
		if token != nil && redis.HasErrorPrefix(token.Err(), "NOSCRIPT") {
			return true
		}
	}
	return false
}

func settle(batch []*admission, err error) {
	for _, a := range batch {
		a.done <- err
	}
}

// admissionBatch is one pipeline (two where the limiter has a Redis of its own).
type admissionBatch struct {
	main, limiter redis.Pipeliner
	budgets       []*budgetAsk
	// asked holds, for each request, its budget and its place in it.
	asked   []place
	records []*redis.StringCmd
	// repeats holds record and entry of requests with an Idempotency-Key.
	repeats []*redis.SliceCmd
	tokens  []*redis.Cmd
}

type place struct {
	budget *budgetAsk
	index  int
}

// budgetAsk is one call of the limiter, for n requests.
type budgetAsk struct {
	log   string
	head  string
	limit int
	n     int  // 0: all its requests were counted before
	main  bool // some request asks the main Redis too
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

func (d *DB) newAdmissionBatch(batch []*admission) *admissionBatch {
	b := &admissionBatch{main: d.main.client.Pipeline(), asked: make([]place, len(batch))}
	b.limiter = b.main
	if d.limiter != d.main {
		b.limiter = d.limiter.client.Pipeline()
	}
	for i, a := range batch {
		budget := b.budget(a)
		b.asked[i] = place{budget: budget, index: budget.n}
		if a.counted == nil {
			budget.n++
		}
		budget.main = budget.main || !a.only
	}
	for _, budget := range b.budgets {
		budget.send(b)
	}
	b.readRecords(batch)
	return b
}

// budget returns the limiter call that a request shares.
func (b *admissionBatch) budget(a *admission) *budgetAsk {
	for _, known := range b.budgets {
		if known.log == a.log {
			return known
		}
	}
	budget := &budgetAsk{log: a.log, limit: a.limit}
	if a.store != uuid.Nil {
		budget.head = headKey(a.store)
	}
	b.budgets = append(b.budgets, budget)
	return budget
}

var background = context.Background()

func (q *budgetAsk) send(b *admissionBatch) {
	head := q.head
	if b.limiter != b.main {
		head = ""
	}
	if b.limiter != b.main && q.main {
		q.timeCmd = b.main.Time(background)
		if q.head != "" {
			q.headCmd = b.main.Get(background, q.head)
		}
	}
	if q.n == 0 {
		return
	}
	args := ratelimit.Args(q.n, q.limit, commerce.RateWindow)
	q.cmd = ratelimit.Script.EvalSha(background, b.limiter, ratelimit.Keys(q.log, head), args...)
}

func (b *admissionBatch) readRecords(batch []*admission) {
	b.records = make([]*redis.StringCmd, len(batch))
	b.repeats = make([]*redis.SliceCmd, len(batch))
	b.tokens = make([]*redis.Cmd, len(batch))
	for i, a := range batch {
		switch {
		case a.record == "":
		case a.once != "":
			b.repeats[i] = b.main.MGet(background, a.record, a.once)
		case a.held:
			b.records[i] = b.main.GetRange(background, a.record, stampFrom, headFrom-1)
		default:
			b.records[i] = b.main.Get(background, a.record)
		}
		if a.token != nil && a.store != uuid.Nil {
			b.tokens[i] = tokenScript.EvalSha(background, b.main, []string{tokenKey(a.store, *a.token)}, a.tokenArgs()...)
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

func (b *admissionBatch) exec(d *DB) error {
	if b.limiter == b.main {
		return d.main.exec(b.main)
	}
	limited := make(chan error, 1)
	go func() { limited <- d.limiter.exec(b.limiter) }()
	err := d.main.exec(b.main)
	if limitedErr := <-limited; err == nil {
		err = limitedErr
	}
	return err
}

// read takes request i's share out of the replies.
func (b *admissionBatch) read(i int, a *admission) error {
	at := b.asked[i]
	reply, err := at.budget.result()
	if err != nil {
		return err
	}
	a.decision = reply.Decide(at.index, reply.Limit(at.budget.limit), commerce.RateWindow)
	a.now, a.head = at.budget.now, at.budget.headText
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

// result reads the limiter's reply once for all its requests.
func (q *budgetAsk) result() (ratelimit.Reply, error) {
	if q.read {
		return q.reply, q.err
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
	return q.reply, q.err
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
	key := commerce.RecordKey{Store: a.store, ID: a.visitor.CustomerID}
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
	a.owner = commerce.Sighting[*commerce.Contact]{Stamp: record.Stamp, Record: &record}
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
	if text, _ := values[0].(string); a.held && stampIs(text, a.holds) {
		text, _ = values[1].(string)
		a.seen.Stamp = a.holds
		a.entry, err = parseEntry(text)
		return err
	}
	record, entry, err := cartKind.parseTogether(commerce.RecordKey{}, values)
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
