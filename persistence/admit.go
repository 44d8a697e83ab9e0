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

// admission is one request's share of the round trip in which it is admitted.
type admission struct {
	// log is the limiter's list that the request counts in, limit its budget.
	log   string
	limit int
	// store is the store whose head, record and token are read; zero: none.
	store  uuid.UUID
	record string // the key of the record in the path; empty: none
	held   bool   // the node holds the record: read only its stamp
	token  *commerce.KeyHash
	// contact asks for the whole record of the token's contact, onceName for the
	// entry of an Idempotency-Key in its scope.
	contact  bool
	onceName string
	once     string // the key of the Idempotency-Key's entry, read with the record; empty: none

	decision ratelimit.Decision
	now      time.Time
	head     string
	seen     commerce.Sighting[*commerce.Cart]
	owner    commerce.Sighting[*commerce.Contact] // the token's contact
	visitor  commerce.Visitor
	entry    *commerce.IdempotencyEntry
	done     chan error
}

// Admit tells a request all that its guards need, in one round trip that it
// shares with every other request that waits (one more for an API key or a store
// that the node does not know yet). Errors: ErrUnavailable.
func (d *DB) Admit(ask *commerce.Ask) (commerce.Admission, error) {
	var s *slot
	if ask.Key != nil {
		var err error
		if s, err = d.stores.find(ask); err != nil {
			return commerce.Admission{}, err
		}
	}
	if !d.Ready() {
		return d.admitAlone(ask, s)
	}
	a := d.newAdmission(ask, s)
	if err := d.await(a, ask); err != nil {
		if err == commerce.ErrUnavailable && ask.Fallback {
			return d.admitAlone(ask, s)
		}
		return commerce.Admission{}, err
	}
	admitted := commerce.Admission{
		Now:     a.now.Truncate(time.Millisecond),
		Budget:  budget(a.decision),
		Seen:    a.seen,
		Contact: a.owner,
		Visitor: a.visitor,
		Entry:   a.entry,
	}
	if s == nil {
		return admitted, nil
	}
	l, err := d.stores.follow(s, a.head, a.now)
	if err != nil {
		return commerce.Admission{}, err
	}
	admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	return admitted, nil
}

// admitAlone answers under the node's own window while Redis is away, where the
// route allows it.
func (d *DB) admitAlone(ask *commerce.Ask, s *slot) (commerce.Admission, error) {
	if !ask.Fallback {
		return commerce.Admission{}, commerce.ErrUnavailable
	}
	now := time.Now()
	a := d.newAdmission(ask, s)
	admitted := commerce.Admission{
		Now:    now.Truncate(time.Millisecond),
		Budget: budget(d.windows.Take(a.log, a.limit, commerce.RateWindow, now)),
	}
	if s != nil {
		l := s.current.Load()
		admitted.Store, admitted.Key = l.store, l.key(*ask.Key)
	}
	return admitted, nil
}

func budget(d ratelimit.Decision) commerce.Budget {
	return commerce.Budget{
		Granted: d.Granted, Limit: d.Limit, Remaining: d.Remaining,
		RetryAfter: d.RetryAfter, Reset: d.Reset,
	}
}

func (d *DB) newAdmission(ask *commerce.Ask, s *slot) *admission {
	if s == nil {
		return &admission{
			log:   d.clients.Key(ask.Client, time.Now()),
			limit: commerce.DefaultRateLimit,
			done:  make(chan error, 1),
		}
	}
	a := &admission{
		store: s.id,
		log:   s.log,
		limit: s.current.Load().store.RateLimit,
		token: ask.Token,
		done:  make(chan error, 1),
	}
	if a.contact = ask.Contact; a.contact && ask.Once != nil {
		a.onceName = hexText(ask.Once[:])
	}
	if ask.Cart != uuid.Nil {
		key := commerce.RecordKey{Store: s.id, ID: ask.Cart}
		a.record, a.held = cartKey(key), d.config.Holds(key)
		if ask.Once != nil {
			a.once = onceKey(s.id, *ask.Once)
		}
	}
	return a
}

// await sends the admission with the next batch and waits for it, but never longer
// than Redis may be silent.
func (d *DB) await(a *admission, ask *commerce.Ask) error {
	if !d.admissions.add(a) {
		return commerce.ErrUnavailable
	}
	patience := min(d.config.Timeout, time.Until(ask.Deadline))
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-a.done:
		return err
	case <-timer.C:
		return commerce.ErrUnavailable
	}
}

// flushAdmissions admits a batch: the limiter's script once for each list, then
// each request's record and token.
func (d *DB) flushAdmissions(batch []*admission) {
	if !d.Ready() {
		settle(batch, commerce.ErrUnavailable)
		return
	}
	b := d.newAdmissionBatch(batch)
	if err := b.exec(d); err != nil {
		settle(batch, commerce.ErrUnavailable)
		return
	}
	noScript := false
	for i, a := range batch {
		err := b.read(i, a)
		if err != nil {
			noScript = noScript || redis.HasErrorPrefix(err, "NOSCRIPT")
			d.log.Error("admission", "error", err.Error())
			err = commerce.ErrUnavailable
		}
		a.done <- err
	}
	if noScript {
		d.reloadScripts()
	}
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
	n     int
	cmd   *redis.Cmd
	// headCmd and timeCmd are used where the limiter has a Redis of its own.
	headCmd *redis.StringCmd
	timeCmd *redis.TimeCmd
	reply   ratelimit.Reply
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
		budget.n++
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
		q.timeCmd = b.main.Time(background)
		if q.head != "" {
			q.headCmd = b.main.Get(background, q.head)
		}
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
			last := lastHeadByte
			if a.contact {
				last = "-1"
			}
			b.tokens[i] = tokenScript.EvalSha(background, b.main, []string{tokenKey(a.store, *a.token)},
				contactPrefix(a.store), last, oncePrefix(a.store), a.onceName)
		}
	}
}

// lastHeadByte is the last byte of a contact's head, as the token script takes it.
var lastHeadByte = strconv.Itoa(headFrom + contactHeadSize - 1)

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
	a.decision = reply.Decide(at.index, at.budget.limit, commerce.RateWindow)
	a.now, a.head = at.budget.now, reply.Head
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
	v, err := q.cmd.Result()
	if err == nil {
		q.reply, err = ratelimit.ParseReply(v)
		q.now = q.reply.Now
	}
	if err == nil && q.timeCmd != nil { // TIME and head are the main Redis's
		q.now, err = q.timeCmd.Result()
	}
	if err == nil && q.headCmd != nil {
		if q.reply.Head, err = q.headCmd.Result(); err == redis.Nil {
			err = nil
		}
	}
	q.err = err
	return q.reply, q.err
}

// seeVisitor reads the token script's reply: who the visitor is and, where it was
// asked for, the whole contact.
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
	parts := reply.([]any) // for the token resolved
	record, entry, err := contactKind.parseTogether(key, parts[1:])
	a.owner = commerce.Sighting[*commerce.Contact]{Stamp: record.Stamp, Record: &record}
	a.entry = entry
	return err
}

// seeTogether reads the record and the entry of an Idempotency-Key.
func (a *admission) seeTogether(cmd *redis.SliceCmd) error {
	values, err := cmd.Result()
	if err != nil {
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
