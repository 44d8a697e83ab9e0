package actors

import (
	"strconv"
	"sync"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

var _ Store[*commerce.Cart] = (*fakeStore)(nil)

// fakeStore keeps carts in memory as the commit script does, and plays the faults
// of faults_test.go. It answers inside the call, so that a test decides the order;
// in a storm, from another goroutine.
type fakeStore struct {
	mu      sync.Mutex
	shop    *commerce.Store
	records map[engine.RecordKey]engine.CartRecord
	// entries are what is remembered under idempotency keys.
	entries map[[16]byte]*engine.IdempotencyEntry
	// head is the store as nodes presume it; limit is its request limit and
	// counted how many requests commits have counted against it.
	head           *engine.Presumption
	limit, counted int
	// history holds every commit that had its effect, in that order, foreign ones
	// included.
	history []applied

	plan  []fate // of the next sendings, one each
	usual fate   // of every further sending
	dice  *dice  // nil: nothing is random
	away  bool
	// outage counts the operations until an outage of the dice ends.
	outage int
	// travelling are the sendings that have not reached the store yet.
	travelling []*travelling

	// maxLines is how many lines a cart may have at most; 0: any number.
	maxLines int

	packed                      []engine.CartRecord
	operations, loads, sendings int
	foreign                     uint64 // sequence of the foreign writer
}

// applied is one commit that had its effect, once the names it remembered.
type applied struct {
	key    engine.RecordKey
	before engine.CartRecord
	after  engine.CartRecord
	once   [][16]byte
}

// travelling is a sending that reaches the store after some further operations.
type travelling struct {
	commit *engine.Commit[*commerce.Cart]
	after  int
	reply  bool // its sender still listens
}

// noon is where the fake's clock starts; each operation takes a millisecond.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func newFakeStore(shop *commerce.Store) *fakeStore {
	return &fakeStore{
		shop:    shop,
		head:    new(engine.Presumption),
		limit:   unlimited,
		records: map[engine.RecordKey]engine.CartRecord{},
		entries: map[[16]byte]*engine.IdempotencyEntry{},
	}
}

// Load reads a record, and the entry of a key; away: ErrUnavailable.
func (s *fakeStore) Load(key engine.RecordKey, once *engine.IdempotencyKey, done func(engine.CartRecord, *engine.IdempotencyEntry, error)) {
	s.mu.Lock()
	s.tick()
	s.loads++
	record, entry, away := s.records[key], s.remembered(once), s.away
	s.mu.Unlock()
	if away {
		done(engine.CartRecord{}, nil, engine.ErrUnavailable)
		return
	}
	done(record, entry, nil)
}

// Send plays the next fate of the plan.
func (s *fakeStore) Send(c *engine.Commit[*commerce.Cart]) {
	s.mu.Lock()
	s.sendings++
	f := s.next()
	if h := f.hold; h != nil {
		if !h.unsent {
			h.sent = c.Claim()
		}
		s.mu.Unlock()
		h.arrived <- c
		return
	}
	stormy := s.dice != nil
	s.mu.Unlock()
	if stormy {
		go s.travel(c, f)
		return
	}
	s.travel(c, f)
}

// travel takes a sending to the store and its reply back.
func (s *fakeStore) travel(c *engine.Commit[*commerce.Cart], f fate) {
	s.mu.Lock()
	o, replied := s.deliver(c, f)
	s.mu.Unlock()
	if replied {
		c.Done(o)
	}
}

// Fits refuses a cart with too many lines.
func (s *fakeStore) Fits(_, next *commerce.Cart) error {
	if s.maxLines > 0 && len(next.Lines) > s.maxLines {
		return commerce.CartTooLarge
	}
	return nil
}

// Flush has nothing to do: what was sent has left.
func (*fakeStore) Flush(time.Time) {}

// Pack keeps the record and returns a ticket for it.
func (s *fakeStore) Pack(dst []byte, r *engine.CartRecord) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packed = append(s.packed, *r)
	return strconv.AppendInt(dst, int64(len(s.packed)-1), 10)
}

// Unpack returns the record that the ticket was for.
func (s *fakeStore) Unpack(_ engine.RecordKey, ticket string) (engine.CartRecord, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := strconv.Atoi(ticket)
	if err != nil {
		return engine.CartRecord{}, false
	}
	return s.packed[n], true
}

// Away reports whether an outage lasts.
func (s *fakeStore) Away() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.away
}

// facts are what a request is admitted with that every guard lets pass.
func facts(shop *commerce.Store, now time.Time) engine.Facts {
	return engine.Facts{Store: shop, Key: &commerce.APIKey{}, Now: now, Budget: engine.Budget{Granted: true}}
}

// cartCommand is a change of a cart.
type cartCommand = commerce.Command[*commerce.Cart]

// admit is one admission's round trip: the whole record, or only its stamp where
// the node holds it and no key is to be read with it.
func (s *fakeStore) admit(key engine.RecordKey, once *engine.IdempotencyKey, held bool) (engine.Facts, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	if s.away {
		return engine.Facts{}, engine.ErrUnavailable
	}
	record := s.records[key]
	a := facts(s.shop, s.now())
	a.Entry = s.remembered(once)
	a.Cart.Stamp = record.Stamp
	if (!held || once != nil) && !record.Stamp.Zero() {
		a.Cart.Record = &record
	}
	return a, nil
}

// set is the commit script, or the one that counts as well. The lock is held.
func (s *fakeStore) set(c *engine.Commit[*commerce.Cart]) engine.Outcome[*commerce.Cart] {
	if c.Presumed != nil {
		return s.tally(c)
	}
	return s.compareAndSet(c)
}

// compareAndSet is the commit script: compare and set on the stamp; "done" where the record
// carries the commit's stamp already; refused where one of its keys has an entry.
// The lock is held.
func (s *fakeStore) compareAndSet(c *engine.Commit[*commerce.Cart]) engine.Outcome[*commerce.Cart] {
	current := s.records[c.Key]
	if current.Stamp == c.Next.Stamp {
		return engine.Outcome[*commerce.Cart]{Kind: engine.Committed}
	}
	entries, refused := s.entriesOf(c.Effects), current.Stamp != c.Expect
	for _, e := range entries {
		refused = refused || e != nil
	}
	if refused {
		return engine.Outcome[*commerce.Cart]{Kind: engine.Conflicted, Current: current, Entries: entries}
	}
	s.replace(c.Key, current, c.Next, c.Effects)
	return engine.Outcome[*commerce.Cart]{Kind: engine.Committed}
}

// tick begins an operation: what has travelled long enough arrives first.
func (s *fakeStore) tick() {
	s.operations++
	if s.outage > 0 {
		s.outage--
		s.away = s.outage > 0
	}
	s.arrive(1)
}

// arrive moves the travelling sendings on.
func (s *fakeStore) arrive(operations int) {
	var left []*travelling
	for _, t := range s.travelling {
		if t.after -= operations; t.after > 0 {
			left = append(left, t)
		} else if o := s.set(t.commit); t.reply {
			go t.commit.Done(o) // the lock is held
		}
	}
	s.travelling = left
}

func (s *fakeStore) now() time.Time {
	return noon.Add(time.Duration(s.operations) * time.Millisecond)
}

// record returns a record as it stands.
func (s *fakeStore) record(key engine.RecordKey) engine.CartRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.records[key]
}

// commits counts the commits of one writer that had their effect.
func (s *fakeStore) commits(writer uint64) int {
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

// counts returns how many loads and sendings there have been.
func (s *fakeStore) counts() (loads, sendings int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads, s.sendings
}
