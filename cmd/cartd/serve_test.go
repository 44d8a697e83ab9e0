package main

import (
	"io"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// bookkeeper is a node that is called without HTTP, for a visitor with the demo's token.
type bookkeeper struct {
	*testing.T
	node   *node
	engine *engine.Engine
}

func bookkeepers(t *testing.T, r *redistest.Server) (all [2]bookkeeper) {
	for i := range all {
		n, err := newNode(&serveConfig{
			listen: "127.0.0.1:0", redis: redisFlags{url: r.URL(), timeout: 8 * time.Second}, storeIdle: time.Minute, demo: true,
			mailbox: 256, resident: 1 << 20, idle: time.Minute, requestTimeout: maxRequestTimeout, webhookTimeout: time.Second,
		}, &logWriter{to: io.Discard}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.close)
		all[i] = bookkeeper{t, n, engine.New(n.db, n.carts, n.contacts, nil, nil, nil, nil)}
	}
	return all
}

// admit admits a request that came at this moment.
func (b *bookkeeper) admit(cmd commerce.Command[*commerce.Contact], key *engine.IdempotencyKey, began time.Time) *engine.Request {
	b.Helper()
	apiKey, token := commerce.HashSecret([]byte("demo-storefront-key")), commerce.HashSecret([]byte("demo-token-ada"))
	r := &engine.Request{
		Guards: &engine.Guards{}, KeyHash: apiKey, Token: &token, OfContact: true, Caller: engine.Caller{Addr: netip.MustParseAddr("192.0.2.1")},
		Began: began, Deadline: began.Add(maxRequestTimeout), Command: cmd, Idempotency: key,
	}
	if err := b.engine.Admit(r); err != nil {
		b.Fatal(err)
	}
	r.ContactID = r.Visitor.CustomerID
	return r
}

func (b *bookkeeper) do(r *engine.Request) engine.Reply {
	b.Helper()
	reply, err := b.engine.ChangeContact(r)
	if err != nil {
		b.Fatalf("%T: %v", r.Command, err)
	}
	return reply
}

// changePassword changes the password, so that the session gets its next number.
func (b *bookkeeper) changePassword() {
	b.Helper()
	r := b.admit(nil, nil, time.Now())
	found, err := b.engine.ReadContact(r)
	if err != nil {
		b.Fatal(err)
	}
	r.Facts = *found.Facts
	r.Command = commerce.ChangePassword{Verified: found.Contact.PasswordHash, Hash: uuid.NewString()}
	b.do(r)
}

func phone(number string) commerce.PatchProfile { return commerce.PatchProfile{Phone: &number} }

// Another node has changed the password. A request that came earlier than this node's last commit
// may be admitted with the new session number, while the actor has the record with the old number.
// The session goes on.
func TestASessionIsNewerThanTheRecordInMemory(t *testing.T) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		nodes := bookkeepers(t, r)
		here, there := &nodes[0], &nodes[1]
		here.do(here.admit(phone("1"), nil, time.Now()))
		for _, read := range []bool{false, true} {
			began := time.Now()
			here.do(here.admit(phone("2"), nil, time.Now()))
			there.changePassword()
			late := here.admit(phone("3"), nil, began)
			if read {
				late.Command = nil
			}
			if !late.Visitor.Known {
				t.Fatal("the session has ended")
			}
			do := here.engine.ChangeContact
			if read {
				do = here.engine.ReadContact
			}
			if _, err := do(late); err != nil {
				t.Errorf("read %t: %v, with a session that goes on", read, err)
			}
		}
	})
}

// Of two deletions with one Idempotency-Key the second replays, even if the password changed
// between its admission and its judgement.
func TestARetryIsKnownAfterAPasswordChange(t *testing.T) {
	redistest.Each(t, func(t *testing.T, r *redistest.Server) {
		nodes := bookkeepers(t, r)
		here, there := &nodes[0], &nodes[1]
		remove := commerce.RemoveAddress{AddressID: "80000000-0000-4000-8000-000000000001"}
		key := &engine.IdempotencyKey{Name: [16]byte{1}, Request: [16]byte{2}, Status: 204}
		late := here.admit(remove, key, time.Now())
		there.do(there.admit(remove, key, time.Now()))
		there.changePassword()
		if reply, err := here.engine.ChangeContact(late); err != nil || !reply.Replayed {
			t.Errorf("replayed %t, %v", reply.Replayed, err)
		}
	})
}
