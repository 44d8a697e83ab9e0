package actors

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

var _ Store[*commerce.Contact] = (*contactStore)(nil)

// contactStore keeps one contact as the commit script does.
type contactStore struct {
	mu      sync.Mutex
	record  engine.Record[*commerce.Contact]
	commits int
	// gate, where it is set, holds the first commit until it is closed.
	gate chan struct{}
}

func (s *contactStore) Load(_ engine.RecordKey, _ *engine.IdempotencyKey, done func(engine.Record[*commerce.Contact], *engine.IdempotencyEntry, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	go done(s.record, nil, nil)
}

func (s *contactStore) Send(c *engine.Commit[*commerce.Contact]) {
	go func() {
		if s.gate != nil {
			<-s.gate
		}
		if !c.Claim() {
			c.Done(engine.Outcome[*commerce.Contact]{Kind: engine.NotSent})
			return
		}
		s.mu.Lock()
		o := engine.Outcome[*commerce.Contact]{Kind: engine.Conflicted, Current: s.record}
		if s.record.Stamp == c.Expect {
			s.record, o = c.Next, engine.Outcome[*commerce.Contact]{Kind: engine.Committed}
			s.commits++
		}
		s.mu.Unlock()
		c.Done(o)
	}()
}

func (*contactStore) Fits(_, _ *commerce.Contact) error { return nil }

func (*contactStore) Flush(time.Time) {}

func (*contactStore) Pack([]byte, *engine.Record[*commerce.Contact]) []byte { return nil }

func (*contactStore) Unpack(engine.RecordKey, string) (r engine.Record[*commerce.Contact], ok bool) {
	return r, false
}

func (*contactStore) Away() bool { return false }

func (s *contactStore) now() engine.Record[*commerce.Contact] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.record
}

// contactScene is two nodes over one contact.
type contactScene struct {
	*testing.T
	store *contactStore
	nodes [2]*Contacts
	shop  *commerce.Store
}

func newContactScene(t *testing.T) *contactScene {
	s := &contactScene{T: t, shop: testShop(1), store: &contactStore{record: engine.Record[*commerce.Contact]{
		Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: 1}, State: &commerce.Contact{ID: account.CustomerID},
	}}}
	for i := range s.nodes {
		carts := NewCarts(newFakeStore(s.shop), config(uint64(i+1)))
		s.nodes[i] = NewContacts(s.store, carts)
		t.Cleanup(func() { s.nodes[i].Close(); carts.Close() })
	}
	return s
}

// request is one as it is admitted now.
func (s *contactScene) request(cmd commerce.Command[*commerce.Contact]) *engine.Request {
	seen, began := s.store.now(), time.Now()
	f := facts(s.shop, noon)
	f.Visitor, f.Contact = account, engine.Sighting[*commerce.Contact]{Stamp: seen.Stamp, Record: &seen}
	var part uuid.UUID
	if add, is := cmd.(commerce.AddAddress); is {
		part = add.Address.ID
	}
	return &engine.Request{
		Guards: &engine.Guards{}, Facts: f,
		ContactID: account.CustomerID, ContactCommand: cmd, Part: part, Began: began, Deadline: began.Add(patience),
	}
}

func defaultAddress(n int) commerce.AddAddress {
	return commerce.AddAddress{Address: commerce.Address{ID: testID(n), Type: "billing", IsDefault: true, Name: fmt.Sprint(n)}}
}

// Two nodes, many defaults at once: every one is there, one is the default, and far
// fewer commits than answers.
func TestSimultaneousDefaultsOnTwoNodes(t *testing.T) {
	s := newContactScene(t)
	s.store.gate = make(chan struct{})
	const many = 60
	var all sync.WaitGroup
	for i := range many {
		request := s.request(defaultAddress(i + 1))
		all.Go(func() {
			reply, err := s.nodes[i%2].Change(request)
			if err != nil || reply.Part != testID(i+1) || reply.Contact.Address(testID(i+1)) == nil {
				t.Errorf("address %d: %+v, %v", i+1, reply, err)
			}
		})
	}
	close(s.store.gate)
	all.Wait()
	live, defaults := s.store.now().State.Addresses, 0
	for _, a := range live {
		if a.IsDefault {
			defaults++
		}
	}
	if len(live) != many || defaults != 1 {
		t.Errorf("%d addresses, %d defaults; want %d and one", len(live), defaults, many)
	}
	if s.store.commits > many {
		t.Errorf("%d commits for %d answers", s.store.commits, many)
	}
}

func TestAContactIsReadAsItWasAdmitted(t *testing.T) {
	s := newContactScene(t)
	if _, err := s.nodes[0].Change(s.request(defaultAddress(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.nodes[1].Change(s.request(defaultAddress(2))); err != nil {
		t.Fatal(err)
	}
	for i, node := range s.nodes {
		reply, err := node.Read(s.request(nil))
		if err != nil || len(reply.Contact.Addresses) != 2 || reply.Stamp != s.store.now().Stamp {
			t.Errorf("node %d shows %+v, %v", i, reply, err)
		}
	}
	gone := s.request(nil)
	gone.Facts.Contact = engine.Sighting[*commerce.Contact]{}
	gone.ContactID = uuid.New()
	if _, err := s.nodes[0].Read(gone); err != error(commerce.InvalidCustomerToken) {
		t.Errorf("a contact that is not there: %v", err)
	}
	if records, _ := s.nodes[0].Resident(); records != 1 {
		t.Errorf("%d contacts are resident, want one", records)
	}
}

// A session that ends between a request's admission and its commit ends the request.
func TestASessionThatEndsMeanwhileEndsItsRequests(t *testing.T) {
	s := newContactScene(t)
	late, read := s.request(defaultAddress(1)), s.request(nil)
	change := s.request(commerce.ChangePassword{Hash: "new"})
	if _, err := s.nodes[0].Change(change); err != nil {
		t.Fatal(err)
	}
	if _, err := s.nodes[0].Change(late); err != error(commerce.InvalidCustomerToken) {
		t.Errorf("on the same node: %v", err)
	}
	if _, err := s.nodes[1].Change(late); err != error(commerce.InvalidCustomerToken) {
		t.Errorf("on another node: %v", err)
	}
	if _, err := s.nodes[1].Read(read); err != nil { // was current when it was admitted
		t.Errorf("a read: %v", err)
	}
}

// Carts and contacts of a node never share a stamp.
func TestOneSequenceOfStampsForAllRecords(t *testing.T) {
	s := newScene(t)
	store := &contactStore{record: engine.Record[*commerce.Contact]{Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: 1}, State: &commerce.Contact{}}}
	contacts := NewContacts(store, s.node)
	defer contacts.Close()
	cs := &contactScene{T: t, store: store, shop: s.shop}
	seen := map[uint64]bool{}
	for i := range 10 {
		seen[s.do(add(1)).Stamp.Sequence] = true
		reply, err := contacts.Change(cs.request(defaultAddress(i + 1)))
		if err != nil {
			t.Fatal(err)
		}
		seen[reply.Stamp.Sequence] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d different sequence numbers of 20 commits", len(seen))
	}
}
