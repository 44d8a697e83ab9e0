package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/outage"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// A store's keys are: its head, its record, the pages that the record names, its secret and, while an
// import writes, the import's lease. Head, record and pages change together, in one visit of the record.

// recordKey is the key of a store's record: {<store>}:store.
func recordKey(store uuid.UUID) string { return records.Stores.Key(engine.RecordKey{Store: store}) }

// present is a store as Redis has it at one moment. The record of a store that was never there is zero.
type present struct {
	head   Head
	record engine.Record[*engine.StoreState]
}

// state is what the record says.
func (p *present) state() *engine.StoreState { return p.record.State }

// exists reports whether the store is there, and was not dropped.
func (p *present) exists() bool { return p.head.Text != "" && !p.record.State.Dropped }

var (
	errNoStore = errors.New("there is no such store")
	errBusy    = errors.New("the store is being changed all the time: try again")
	// errHeadMoved means that the store has changed since a commit was judged.
	errHeadMoved = errors.New("the store has changed meanwhile")
)

// readPresent reads the head and the record of a store. Errors: errNoStore, also of a store that was dropped.
func (s *Stores) readPresent(ctx context.Context, store uuid.UUID) (present, error) {
	p, err := s.readAny(ctx, store)
	switch {
	case err != nil:
		return p, err
	case p.head.Text == "":
		return p, fmt.Errorf("%w: %s", errNoStore, store)
	case p.record.State.Dropped:
		return p, fmt.Errorf("%w, it was dropped (if cartd stores still lists it, drop it again): %s", errNoStore, store)
	}
	return p, nil
}

// readAny is readPresent also of a store that does not exist, or was dropped.
func (s *Stores) readAny(ctx context.Context, store uuid.UUID) (present, error) {
	values, err := s.client.Redis.MGet(ctx, HeadKey(store), recordKey(store)).Result()
	if err != nil {
		return present{}, err
	}
	return presentOf(store, values)
}

// presentOf reads the values of a head and a record.
func presentOf(store uuid.UUID, values []any) (p present, err error) {
	head, _ := values[0].(string)
	record, _ := values[1].(string)
	if head == "" && record == "" {
		p.record.State = &engine.StoreState{}
		return p, nil
	}
	if p.head, err = ParseHead(head); err != nil {
		return p, err
	}
	p.record, err = records.Stores.Decode(engine.RecordKey{Store: store}, record)
	if err == nil && p.record.Stamp != p.head.Stamp {
		err = redisdb.ErrCorrupt
	}
	if err != nil {
		return p, fmt.Errorf("record of store %s: %w", store, err)
	}
	return p, nil
}

// ReadHead reads the head of a store. Errors: errNoStore, also of a store that was dropped.
func (s *Stores) ReadHead(ctx context.Context, store uuid.UUID) (Head, error) {
	p, err := s.readPresent(ctx, store)
	return p.head, err
}

// Changed reports whether change sets have changed a store since its last whole document. Errors: errNoStore.
func (s *Stores) Changed(ctx context.Context, store uuid.UUID) (bool, error) {
	p, err := s.readPresent(ctx, store)
	return err == nil && p.state().Changed, err
}

// commitAttempts bounds the compare-and-set of a store's record against other writers.
const commitAttempts = 50

// storeCommit is the next record of a store with what its visit writes beside it. Checks of its plan stand
// ahead of write.
type storeCommit struct {
	store uuid.UUID
	seen  present
	now   time.Time // Redis's time of the judgement
	next  engine.Record[*engine.StoreState]
	limit int
	plan  *records.Plan
}

// beginCommit prepares a commit of the state, which must not be in use. The request limit is the document's.
func (s *Stores) beginCommit(ctx context.Context, store uuid.UUID, seen present, state engine.StoreState) (*storeCommit, error) {
	now, _, err := s.client.Now(ctx, HeadKey(store))
	if err != nil {
		return nil, err
	}
	next := records.Next(records.MakeWriter(), &seen.record, &state, now)
	return &storeCommit{store: store, seen: seen, now: now, next: next, limit: state.Limit, plan: new(records.Plan)}, nil
}

// revise makes the commit one that changes the document.
func (c *storeCommit) revise() {
	c.next.State.Revised, c.next.State.At = c.next.Stamp, c.now
}

// write adds the writes of the head and of the pages to the plan. pages are all that may be new. A page that was
// written ahead only loses its expiry.
func (c *storeCommit) write(pages newPages, ahead *aheadPages) {
	head := makeHead(c.limit, c.next.Stamp, cmp.Or(c.seen.head.Usage, NewRevision()))
	c.plan.Write("SET", HeadKey(c.store), head.Text)
	was, is := c.seen.state().Named(), c.next.State.Named()
	for name := range is {
		switch {
		case was[name]:
		case ahead != nil && ahead.names[name]:
			c.plan.Write("PERSIST", records.PageKey(c.store, name))
		default:
			c.plan.Write("SET", records.PageKey(c.store, name), pages[name])
		}
	}
	for name := range was {
		if !is[name] {
			c.plan.Write("PEXPIRE", records.PageKey(c.store, name), leftFor)
		}
	}
	if ahead != nil {
		c.plan.Write("DEL", ahead.mark)
	}
}

// tell adds a line to a list of the store's history.
func (c *storeCommit) tell(line historyLine) {
	key := line.list.key(c.store)
	c.plan.List("RPUSH", key, records.Millis(c.now)+" "+line.text)
	c.plan.List("LTRIM", key, strconv.Itoa(-line.list.max), "-1")
}

// carryOut sends the commit until Redis has answered, or the context ends. Errors: errHeadMoved, which says that
// another judgement is worth it, *otherFacts, engine.ErrUnknownOutcome, or why Redis does not carry it out.
func (s *Stores) carryOut(ctx context.Context, c *storeCommit) error {
	visit := records.NewVisit(records.Stores,
		&engine.Visit[*engine.StoreState]{Key: engine.RecordKey{Store: c.store}, Seen: c.seen.record.Stamp, Writes: true, Next: c.next}, nil)
	visit.Plan = *c.plan
	result, err := s.carryVisit(ctx, c.store, c.seen.head.Text, c.now, &visit)
	if result.Kind == engine.OtherRecord && result.Record != "" { // perhaps after this commit, whose answer was lost
		found, broken := records.Stores.Decode(engine.RecordKey{Store: c.store}, result.Record)
		if broken == nil && found.Applied(c.next.Stamp) {
			return nil
		}
	}
	return err
}

// carryVisit is carryOut of any visit of a store's own records.
func (s *Stores) carryVisit(ctx context.Context, store uuid.UUID, head string, now time.Time, visit *records.Visit) (records.Result, error) {
	if err := ctx.Err(); err != nil {
		return records.Result{}, err
	}
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = s.client.Soon()
	}
	results, err := s.CarryOut(store, deadline, &records.Call{
		Head: head, Judged: now, Tolerance: max(engine.Drift, time.Until(deadline)), Visits: []*records.Visit{visit},
	})
	r := results[0]
	switch r.Kind {
	case engine.Done:
		return r, nil
	case engine.OtherHead, engine.OtherRecord, engine.TooLate:
		return r, errHeadMoved
	case engine.OtherFacts:
		return r, &otherFacts{r.Values}
	case engine.Unknown:
		return r, errors.Join(engine.ErrUnknownOutcome, err)
	case engine.Broken:
		if r.Key != "" {
			err = fmt.Errorf("%s: %w", r.Key, redisdb.ErrCorrupt)
		}
	}
	return r, cmp.Or[error](err, engine.ErrUnavailable)
}

// otherFacts are the values of the checks of a visit that was not carried out because of them.
type otherFacts struct{ values []any }

func (*otherFacts) Error() string { return "the store has other facts" }

// value is that of the n-th check.
func (o *otherFacts) value(n int) string {
	text, _ := o.values[n].(string)
	return text
}

// newPages are packed pages that a commit may need.
type newPages map[storefile.PageName][]byte

// add adds a page with this text and returns its name.
func (n newPages) add(text []byte) storefile.PageName {
	p := storefile.Page{Name: storefile.NameOf(text), Text: text}
	n[p.Name] = new(storefile.Packer).Pack(p)
	return p.Name
}

// addAll adds the pages of a document.
func (n newPages) addAll(document *storefile.Paged) {
	for i, name := range document.Pages {
		n[name] = document.Packed[i]
	}
}

// commit is a call of write.lua that a caller waits for.
type commit struct {
	*records.Call
	results []records.Result
	err     error
	// resent is true if an earlier sending may have had its effect. again means that the call is to be
	// sent once more.
	resent, again bool
}

// CarryOut is the driver of every write without an actor: docs/design.md#two-drivers. It sends calls of
// one store together, whose Log and HeadKey it sets, and sends those with an unknown outcome again until
// Redis has answered them or the deadline is near. It returns the result of each visit, in their order.
// The error, nil if Redis carried all calls out, is why it did not carry out one of them: its visits are
// engine.Refused, Broken or Unknown.
func (s *Stores) CarryOut(store uuid.UUID, deadline time.Time, calls ...*records.Call) (results []records.Result, err error) {
	commits := make([]*commit, len(calls))
	for i, c := range calls {
		c.Log, c.HeadKey = ratelimit.StoreKey(store.String()), HeadKey(store)
		commits[i] = &commit{Call: c, again: true}
	}
	outage.Until(deadline, func() (again bool) {
		s.sendCommits(deadline, slices.DeleteFunc(slices.Clone(commits), func(c *commit) bool { return !c.again }))
		return slices.ContainsFunc(commits, func(c *commit) bool { return c.again })
	})
	for _, c := range commits {
		results = append(results, c.results...)
		if c.err != nil {
			err = c.err
		}
	}
	return results, err
}

// sendCommits sends calls once.
func (s *Stores) sendCommits(deadline time.Time, commits []*commit) {
	calls := make([]*redisdb.Call, len(commits))
	for i, c := range commits {
		calls[i] = &redisdb.Call{Keys: []string{c.HeadKey}, Args: c.Args(), Writes: true}
	}
	for i, reply := range s.client.RunAll(deadline, calls) {
		c := commits[i]
		if c.onReply(reply); c.err != nil && c.results[0].Kind == engine.Broken {
			s.client.LogWrongType(c.Log, c.HeadKey)
		}
	}
}

// onReply takes the end of one sending over. After a sending with an unknown outcome, one that certainly
// had no effect proves nothing, nor does a shortage: the earlier one may still be on its way. A key that
// cannot be read stays so.
func (c *commit) onReply(reply redisdb.Reply) {
	c.results, _, c.err = c.Ended(reply.Value, reply.Err)
	c.again = false
	for i := range c.results {
		switch kind := c.results[i].Kind; kind {
		case engine.Done:
			c.results[i].Earlier = c.results[i].Earlier && !c.resent // else it was a sending of this commit
		case engine.Unknown:
			c.again = true
		case engine.Refused, engine.Short, engine.Broken:
			if c.resent {
				c.results[i].Kind = engine.Unknown
				c.again = c.again || kind != engine.Broken
			}
		}
	}
	c.resent = c.resent || c.again
}
