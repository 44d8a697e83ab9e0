package actors

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// contactScene is two nodes and one contact, whose account has two tokens.
type contactScene struct {
	*scene
	storage *contactStorage
	nodes   [2]*Contacts
	key     engine.RecordKey
}

var secondToken = commerce.KeyHash{2}

func newContactScene(t *testing.T) *contactScene {
	carts := newScene(t)
	s := &contactScene{scene: carts, storage: newStorageOf(engine.ContactKind, carts.shop)}
	s.storage.ownHead = true
	s.key = engine.RecordKey{Store: s.shop.ID, ID: account.CustomerID}
	s.storage.replaceForeign(s.key, &commerce.Contact{ID: account.CustomerID, Session: 1})
	s.storage.signIn(token, account.CustomerID, 1)
	s.storage.signIn(secondToken, account.CustomerID, 1)
	for i, beside := range []*testNode{s.node, s.other()} {
		s.nodes[i] = NewContacts(s.storage, beside.Carts)
		t.Cleanup(s.nodes[i].Close)
	}
	return s
}

// request is one of a token as its facts are gathered now.
func (s *contactScene) request(cmd commerce.Command[*commerce.Contact], token commerce.KeyHash) *engine.Request {
	r := s.node.request(uuid.Nil, nil, nil)
	r.ContactID, r.Command, r.Token = account.CustomerID, cmd, &token
	seen := s.storage.record(s.key)
	s.storage.set(func() { r.TokenText = s.storage.tokenText(token) })
	r.Visitor, r.Contact = visitorOf(token, r.TokenText), engine.Sighting[*commerce.Contact]{Stamp: seen.Stamp, Record: &seen}
	if add, is := cmd.(commerce.AddAddress); is {
		r.Part = add.Address.ID
	}
	return r
}

func defaultAddress(n int) commerce.AddAddress {
	return commerce.AddAddress{Address: commerce.Address{ID: testID(n), Type: "billing", IsDefault: true, Name: fmt.Sprint(n)}}
}

func TestAContactIsReadAsItWasFound(t *testing.T) {
	s := newContactScene(t)
	for i, node := range s.nodes {
		if _, err := node.Change(s.request(defaultAddress(i+1), token)); err != nil {
			t.Fatal(err)
		}
	}
	for i, node := range s.nodes {
		reply, err := node.Read(s.request(nil, token))
		if err != nil || len(reply.Contact.Addresses) != 2 || reply.Stamp != s.storage.record(s.key).Stamp {
			t.Errorf("node %d shows %+v, %v", i, reply, err)
		}
	}
	gone := s.request(nil, token)
	gone.Contact, gone.ContactID = engine.Sighting[*commerce.Contact]{}, uuid.New()
	if _, err := s.nodes[0].Read(gone); !errors.Is(err, commerce.InvalidCustomerToken) {
		t.Errorf("a contact that is not there: %v", err)
	}
	if records, _ := s.nodes[0].Resident(); records != 1 {
		t.Errorf("%d contacts are resident, want one", records)
	}
}

// A change uses the contact that its request has found, unless the one in memory is newer: it takes
// one sending and no load. If Redis has lost writes since then, it meets one conflict.
func TestChangeUsesTheContactThatItsRequestFound(t *testing.T) {
	s := newContactScene(t)
	first, next := s.storage.record(s.key), 0
	ask := func() *engine.Request { next++; return s.request(defaultAddress(next), token) }
	change := func(node int, r *engine.Request) {
		t.Helper()
		if _, err := s.nodes[node].Change(r); err != nil {
			t.Error(err)
		}
	}
	for _, row := range []struct {
		name     string
		since    func() // after the request has found the contact
		sendings int
	}{
		{"not in memory", func() {}, 1},
		{"in memory", func() {}, 1},
		{"changed here since", func() { change(0, ask()) }, 1},
		{"lost by Redis since", func() { s.storage.set(func() { s.storage.records[s.key] = first }) }, 2},
		{"changed elsewhere since", func() { change(1, ask()) }, 2},
	} {
		change(1, ask())
		r := ask()
		row.since()
		loads, sendings, _ := s.storage.counts()
		change(0, r)
		if l, n, _ := s.storage.counts(); l != loads || n != sendings+row.sendings {
			t.Errorf("%s: %d loads and %d sendings, want none and %d", row.name, l-loads, n-sendings, row.sendings)
		}
	}
}

// All sessions end except the one that changes the password, also for requests under way.
func TestASessionThatEndsMeanwhileEndsItsRequests(t *testing.T) {
	s := newContactScene(t)
	late, own, read := s.request(defaultAddress(1), secondToken), s.request(defaultAddress(2), token), s.request(nil, secondToken)
	if _, err := s.nodes[0].Change(s.request(commerce.ChangePassword{Hash: "new"}, token)); err != nil {
		t.Fatal(err)
	}
	for i, node := range s.nodes {
		if _, err := node.Change(late); !errors.Is(err, commerce.InvalidCustomerToken) {
			t.Errorf("the ended session on node %d: %v", i, err)
		}
		if _, err := node.Change(own); err != nil {
			t.Errorf("its own session on node %d: %v", i, err)
		}
	}
	if _, err := s.nodes[1].Read(read); err != nil { // the session was there when it was looked up
		t.Errorf("a read: %v", err)
	}
}

// Requests collected after the end of all sessions are judged by it.
func TestRequestsAfterTheEndOfTheirSessionAreRefused(t *testing.T) {
	s := newContactScene(t)
	h := s.storage.halt()
	change, late := s.request(commerce.ChangePassword{Hash: "new"}, token), s.request(defaultAddress(1), secondToken)
	first := make(chan error, 3)
	go func() { _, err := s.nodes[0].Change(s.request(defaultAddress(2), token)); first <- err }()
	v := await(s.scene, "the visit", h.arrived)
	second := make(chan error, 1)
	go func() { _, err := s.nodes[0].Change(change); first <- err }()
	s.eventually("it is collected", func() bool { return s.collected() == 2 })
	go func() { _, err := s.nodes[0].Change(late); second <- err }()
	s.eventually("it is collected", func() bool { return s.collected() == 3 })
	h.release(v, fateOf[*commerce.Contact]{})
	for range 2 {
		if err := await(s.scene, "an answer", first); err != nil {
			t.Error(err)
		}
	}
	if err := await(s.scene, "an answer", second); !errors.Is(err, commerce.InvalidCustomerToken) {
		t.Errorf("the ended session: %v", err)
	}
}

// collected counts the contact's unfinished requests on the first node.
func (s *contactScene) collected() int { return pendingOf(s.nodes[0].directory, s.key) }

// Carts and contacts of a node never share a stamp.
func TestOneSequenceOfStampsForAllRecords(t *testing.T) {
	s := newContactScene(t)
	seen := map[uint64]bool{}
	for i := range 10 {
		seen[s.do(add(1)).Stamp.Sequence] = true
		reply, err := s.nodes[0].Change(s.request(defaultAddress(i+1), token))
		if err != nil {
			t.Fatal(err)
		}
		seen[reply.Stamp.Sequence] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d different sequence numbers of 20 commits", len(seen))
	}
}
