package actors

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

type (
	cartStorage    = fakeStorage[*commerce.Cart]
	contactStorage = fakeStorage[*commerce.Contact]
	cartCommand    = commerce.Command[*commerce.Cart]
)

var (
	_ Storage[*commerce.Cart]    = (*cartStorage)(nil)
	_ Storage[*commerce.Contact] = (*contactStorage)(nil)
)

// fakeStorage is a slow, obvious model of visits to records of one kind, with the faults of
// faults_test.go. It answers inside the call, so that a test decides the order. In a storm it
// answers from another goroutine.
type fakeStorage[S any] struct {
	mu      sync.Mutex
	kind    *engine.Kind[S]
	shop    *commerce.Store
	records map[engine.RecordKey]engine.Record[S]
	// entries are the idempotency entries.
	entries map[[16]byte]*engine.IdempotencyEntry
	// tokens have customers and session numbers. numbers are the session numbers of the contacts.
	tokens  map[commerce.KeyHash]string
	numbers map[string]string
	// ownHead is true if the record is the contact of its visitors' tokens.
	ownHead bool
	// head and limit belong to the store. counted is the number of requests that visits have counted.
	head           string
	limit, counted int
	// slack is added to the tolerance of visits, for tests that a slow machine must not disturb.
	slack time.Duration
	// ahead is the distance by which the store's clock was set forward.
	began time.Time
	ahead time.Duration
	// history holds every visit that wrote, in that order, foreign ones included.
	history []applied[S]

	plan  []fateOf[S] // of the next sendings, one each
	usual fateOf[S]   // of every further sending
	dice  *dice       // nil: nothing is random
	away  bool
	// outage counts the operations until a random outage ends.
	outage int
	// travelling are the sendings that have not reached the store yet.
	travelling []*travelling[S]

	// orders are the orders made. stock is the stock of some items; orders do not reduce it.
	orders []*commerce.Order
	stock  map[uuid.UUID]commerce.Micros

	packed          []engine.Record[S]
	loads, sendings int
	foreign         uint64 // sequence of the foreign writer
}

// applied is one visit that wrote, with the names of its idempotency entries and of its orders' events.
type applied[S any] struct {
	key    engine.RecordKey
	before engine.Record[S]
	after  engine.Record[S]
	names  [][16]byte
	events []string
}

// travelling is a sending that reaches the store after some further operations.
type travelling[S any] struct {
	visit engine.Visit[S]
	after int
	reply bool // its sender still listens
}

// noon is where the fake's clock starts.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// unlimited is a request limit that no test reaches.
const unlimited = 1 << 40

func newFakeStorage(shop *commerce.Store) *cartStorage { return newStorageOf(engine.CartKind, shop) }

func newStorageOf[S any](kind *engine.Kind[S], shop *commerce.Store) *fakeStorage[S] {
	return &fakeStorage[S]{
		kind: kind, shop: shop, head: "head 0", limit: unlimited, began: time.Now(),
		records: map[engine.RecordKey]engine.Record[S]{},
		entries: map[[16]byte]*engine.IdempotencyEntry{},
		tokens:  map[commerce.KeyHash]string{},
		numbers: map[string]string{},
	}
}

func (s *fakeStorage[S]) Kind() *engine.Kind[S] { return s.kind }

// visit does what write.lua does with one record. The lock is held.
func (s *fakeStorage[S]) visit(v *engine.Visit[S]) (o engine.Outcome[S]) {
	current, uncounted := s.records[v.Key], 0
	for _, r := range v.Requests {
		if !r.Counted {
			uncounted++
		}
	}
	apart := s.now().Sub(v.Judged).Abs()
	beyond := 0
	if len(v.Requests) > 0 {
		beyond = v.Requests[0].Beyond()
	}
	left := max(0, s.limit+beyond-s.counted)
	switch {
	case v.Writes && current.Stamp == v.Next.Stamp:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Done, Counted: true, Budget: s.budget(s.counted - uncounted - beyond)},
			Number: s.number(v.Effects)}
	case current.Stamp != v.Seen:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.OtherRecord, Budget: s.budget(s.counted - uncounted - beyond)}, Current: current}
	case v.Version.Head != s.head:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.OtherHead}}
	case apart > v.Tolerance+s.slack:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.TooLate}}
	case uncounted > left:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.OverLimit, Within: left, Budget: engine.Budget{Limit: s.limit, RetryAfter: time.Second}}}
	}
	o = engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Done, Counted: true, Budget: s.budget(s.counted - beyond)}}
	s.counted += uncounted
	facts, same := s.compare(v.Requests)
	fold, sameCarts := s.compareFold(v, facts)
	if !same || !sameCarts {
		o.Kind, o.Current, o.Facts = engine.OtherFacts, current, facts
		return o
	}
	if short := s.short(v.Effects); short != nil {
		o.Kind, o.Shortage = engine.Short, short
		return o
	}
	if v.Writes {
		s.replace(v.Key, current, v.Next, v.Effects)
		s.writeFold(v.Key.Store, fold)
		o.Number = s.number(v.Effects)
	}
	return o
}

// short is the missing stock; nil if there is enough.
func (s *fakeStorage[S]) short(effects []engine.Effects) *commerce.Shortage {
	for i := range effects {
		if sale := effects[i].Sale; sale != nil {
			for _, take := range sale.Takes {
				if has, limited := s.stock[take.Item]; limited && has < take.Quantity {
					take.Granted = has
					return &commerce.Shortage{Stock: []commerce.StockAsk{take}}
				}
			}
		}
	}
	return nil
}

// number is the number of the order that a visit has made; 0 if it has made none.
func (s *fakeStorage[S]) number(effects []engine.Effects) int64 {
	for i := range effects {
		for _, o := range s.orders {
			if sale := effects[i].Sale; sale != nil && sale.Order.ID == o.ID {
				return o.Number
			}
		}
	}
	return 0
}

// budget is the budget of a request after so many counted ones.
func (s *fakeStorage[S]) budget(before int) engine.Budget {
	return engine.Budget{Granted: true, Limit: s.limit, Remaining: s.limit - before - 1}
}

// compare returns the facts of requests. An idempotency key is compared with the entry that its
// first request was judged by.
func (s *fakeStorage[S]) compare(requests []*engine.Request) (facts []engine.VisitedFacts, same bool) {
	same = true
	compared := map[[16]byte]bool{}
	for _, r := range requests {
		found := engine.VisitedFacts{Visitor: r.Visitor, TokenText: r.TokenText}
		if r.Token != nil {
			found.TokenText = s.tokenText(*r.Token)
			same = same && found.TokenText.Value == r.TokenText.Value
			if r.TokenText.Value == "" { // no contact was looked at
				found.Unknown = found.TokenText.Value != ""
			} else if !s.ownHead {
				same = same && found.TokenText == r.TokenText
			}
			found.Visitor = visitorOf(*r.Token, found.TokenText)
		}
		if r.Idempotency != nil {
			found.Entry = s.entries[r.Idempotency.Name]
			if !compared[r.Idempotency.Name] {
				same = same && entryText(found.Entry) == entryText(r.Entry)
			}
			compared[r.Idempotency.Name] = true
		}
		facts = append(facts, found)
	}
	return facts, same
}

func entryText(e *engine.IdempotencyEntry) string {
	if e == nil {
		return ""
	}
	return e.Text
}

// replace puts a record in the place of another, with its effects. The lock is held.
func (s *fakeStorage[S]) replace(key engine.RecordKey, before, after engine.Record[S], effects []engine.Effects) {
	done := applied[S]{key: key, before: before, after: after}
	for i := range effects {
		e := &effects[i]
		if e.Idempotency != nil {
			s.entries[e.Idempotency.Name] = &engine.IdempotencyEntry{
				Request: e.Idempotency.Request, Status: e.Idempotency.Status, Stamp: after.Stamp, Made: e.Made, Text: fmt.Sprint(after.Stamp),
			}
			done.names = append(done.names, e.Idempotency.Name)
		}
		if e.Sale != nil {
			order := *e.Sale.Order
			order.Number = int64(len(s.orders) + 1)
			s.orders = append(s.orders, &order)
		}
		if e.OrderNews != nil {
			done.events = append(done.events, e.OrderNews.Event)
		}
		if move := e.Session; move != nil {
			s.signIn(move.To.Token, key.ID, move.To.Number)
		}
	}
	if c, is := any(after.State).(*commerce.Contact); is {
		s.numbers[key.ID.String()] = fmt.Sprint(c.Session)
	}
	s.records[key] = after
	s.history = append(s.history, done)
}

// signIn makes a token that resolves while the customer's contact has the session number.
func (s *fakeStorage[S]) signIn(token commerce.KeyHash, customer uuid.UUID, number uint64) {
	s.tokens[token] = fmt.Sprint(customer, number)
	s.numbers[customer.String()] = fmt.Sprint(number)
}

func (s *fakeStorage[S]) tokenText(token commerce.KeyHash) (text engine.TokenText) {
	if text.Value = s.tokens[token]; text.Value != "" {
		text.Contact = s.numbers[text.Value[:36]]
	}
	return text
}

// visitorOf is the visitor of a token.
func visitorOf(token commerce.KeyHash, text engine.TokenText) commerce.Visitor {
	if text.Value == "" || text.Value[37:] != text.Contact {
		return commerce.Visitor{}
	}
	number, _ := strconv.ParseUint(text.Contact, 10, 64)
	return commerce.Visitor{Known: true, CustomerID: uuid.MustParse(text.Value[:36]), Session: commerce.Session{Token: token, Number: number}}
}

// now is the store's time.
func (s *fakeStorage[S]) now() time.Time { return noon.Add(time.Since(s.began) + s.ahead) }

// Load reads a record. During an outage it returns ErrUnavailable.
func (s *fakeStorage[S]) Load(key engine.RecordKey, done func(engine.Record[S], error)) {
	s.mu.Lock()
	s.tick()
	s.loads++
	record, away := s.records[key], s.away
	s.mu.Unlock()
	if away {
		done(engine.Record[S]{}, engine.ErrUnavailable)
		return
	}
	done(record, nil)
}

// Send plays the next fate of the plan.
func (s *fakeStorage[S]) Send(v *engine.Visit[S]) {
	if cart, is := any(v.Next.State).(*commerce.Cart); is && v.Writes {
		v.Next.Size = cart.Size()
	}
	s.mu.Lock()
	s.sendings++
	f := s.next()
	if h := f.halt; h != nil {
		if !h.unsent {
			h.sent = v.MaySend()
		}
		s.mu.Unlock()
		h.arrived <- v
		return
	}
	stormy := s.dice != nil
	s.mu.Unlock()
	if stormy {
		go s.travel(v, f)
		return
	}
	s.travel(v, f)
}

// travel takes a sending to the store and its reply back.
func (s *fakeStorage[S]) travel(v *engine.Visit[S], f fateOf[S]) {
	s.mu.Lock()
	o, replied := s.deliver(v, f)
	s.mu.Unlock()
	if replied {
		v.Done(o)
	}
}

// Flush does nothing: a visit leaves when it is sent.
func (*fakeStorage[S]) Flush(time.Time) {}

// Pack keeps a cart and returns a ticket for it. Contacts are not packed.
func (s *fakeStorage[S]) Pack(dst []byte, r *engine.Record[S]) []byte {
	if s.ownHead {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packed = append(s.packed, *r)
	return strconv.AppendInt(dst, int64(len(s.packed)-1), 10)
}

// Unpack returns the record that the ticket was for.
func (s *fakeStorage[S]) Unpack(_ engine.RecordKey, ticket string) (r engine.Record[S], ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, err := strconv.Atoi(ticket); err == nil {
		return s.packed[n], true
	}
	return r, false
}

// Away reports whether an outage lasts.
func (s *fakeStorage[S]) Away() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.away
}

// tick begins an operation: a sending that has travelled long enough arrives first.
func (s *fakeStorage[S]) tick() {
	if s.outage > 0 {
		s.outage--
		s.away = s.outage > 0
	}
	s.arrive(1)
}

// arrive brings the travelling sendings nearer and plays those that have arrived.
func (s *fakeStorage[S]) arrive(operations int) {
	var left []*travelling[S]
	for _, t := range s.travelling {
		if t.after -= operations; t.after > 0 {
			left = append(left, t)
		} else if o := s.visit(&t.visit); t.reply {
			t.visit.Version.Clock.Hear(s.now(), time.Now())
			go t.visit.Done(o) // the lock is held
		}
	}
	s.travelling = left
}

// record returns a record as it stands.
func (s *fakeStorage[S]) record(key engine.RecordKey) engine.Record[S] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.records[key]
}

// commits counts the visits of one writer that wrote.
func (s *fakeStorage[S]) commits(writer uint64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, a := range s.history {
		if a.after.Stamp.Writer == writer {
			n++
		}
	}
	return n
}

// counts returns how many loads and sendings there have been, and how many requests are counted.
func (s *fakeStorage[S]) counts() (loads, sendings, counted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads, s.sendings, s.counted
}

// left is a visit as it leaves the node.
func left[S any](v *engine.Visit[S]) engine.Visit[S] {
	copied := *v
	copied.Effects = slices.Clone(v.Effects)
	copied.Requests = nil
	for _, r := range v.Requests {
		request := *r
		copied.Requests = append(copied.Requests, &request)
	}
	return copied
}

// The fake must keep the promises of write.lua, or the other tests prove nothing.
func TestTheFakeStoreWritesOnlyOverTheStampThatWasSeen(t *testing.T) {
	for _, c := range []struct {
		fate   fate
		first  engine.OutcomeKind
		stands bool               // the visit is in the record after the first sending
		second engine.OutcomeKind // of the same visit, without a fault
	}{
		{fate{}, engine.Done, true, engine.Done},
		{fate{fault: conflict, foreign: add(1)}, engine.OtherRecord, false, engine.OtherRecord},
		{fate{fault: replyLost}, engine.Unknown, true, engine.Done},
		{fate{fault: requestLost}, engine.Unknown, false, engine.Done},
		{fate{fault: delayed, after: 1}, engine.Unknown, false, engine.Done},
		{fate{fault: refusal}, engine.Refused, false, engine.Done},
		{fate{fault: unreachable}, engine.Refused, false, engine.Refused},
		{fate{fault: restoredBackup}, engine.OtherRecord, false, engine.OtherRecord},
		{fate{fault: newHead}, engine.OtherHead, false, engine.OtherHead},
		{fate{fault: clockJump}, engine.TooLate, false, engine.TooLate},
		{fate{fault: broken}, engine.Broken, false, engine.Done},
	} {
		t.Run(c.fate.fault.String(), func(t *testing.T) {
			s := newScene(t)
			var got []engine.OutcomeKind
			r := s.withKey(add(1), key)
			seen := s.storage.record(s.key)
			v := &engine.Visit[*commerce.Cart]{
				Key: s.key, Version: r.Version, Seen: seen.Stamp, Writes: true, Requests: []*engine.Request{r},
				Next:      engine.CartRecord{Stamp: engine.Stamp{Counter: 2, Writer: 1, Sequence: 2}, State: seen.State},
				Effects:   []engine.Effects{{Idempotency: key}},
				Judged:    r.Now,
				Tolerance: engine.Drift,
				MaySend:   func() bool { return true },
				Done:      func(o engine.Outcome[*commerce.Cart]) { got = append(got, o.Kind) },
			}
			s.storage.will(c.fate)
			s.storage.Send(v)
			if stands := s.storage.record(s.key).Stamp == v.Next.Stamp; stands != c.stands {
				t.Errorf("after the first sending the visit stands: %v; want %v", stands, c.stands)
			}
			s.storage.Send(v)
			if got[0] != c.first || got[1] != c.second {
				t.Errorf("outcomes %v; want %v, %v", got, c.first, c.second)
			}
			if want := 1 + len(s.storage.entries); s.storage.counted != want {
				t.Errorf("%d requests are counted; want %d", s.storage.counted, want)
			}
		})
	}
}
