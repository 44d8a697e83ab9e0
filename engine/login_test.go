package engine

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The costliest hash that a node has met decides the work of all refused logins of its store,
// whether the address is known or not. Other stores' logins are not dearer.
func TestRefusedLoginsCostTheDearestHash(t *testing.T) {
	var costliest costliestHashes
	one, other := uuid.UUID{1}, uuid.UUID{2}
	const salt = "abcdefghijklmnopqrstuv"
	for i, c := range []struct {
		store uuid.UUID
		hash  string
		cost  commerce.HashCost
	}{
		{one, "", commerce.NewHashCost},
		{one, "$2b$08$" + salt, commerce.NewHashCost},
		{one, "$2b$12$" + salt, "$2b$12$"},
		{one, "$argon2id$v=19$m=65536,t=3,p=4$a$b", "$2b$12$"},
		{one, "$argon2id$v=19$m=65536,t=4,p=4$a$b", "$argon2id$v=19$m=65536,t=4,p=4$"},
		{one, "", "$argon2id$v=19$m=65536,t=4,p=4$"},
		{one, "$2b$13$" + salt, "$argon2id$v=19$m=65536,t=4,p=4$"}, // is not checked
		{other, "", commerce.NewHashCost},
	} {
		if got := costliest.meet(c.store, c.hash); got != c.cost {
			t.Errorf("%d: after %q a refusal costs %q, want %q", i, c.hash, got, c.cost)
		}
	}
}

// loginPasswords notes the work of each check, and knows one password.
type loginPasswords struct {
	fakePasswords
	checked []commerce.HashCost
	full    bool
}

func (p *loginPasswords) Verify(_ uuid.UUID, hash, password string, costliest commerce.HashCost, _ time.Time) (bool, error) {
	p.checked = append(p.checked, costliest)
	return hash != "" && password == "right", nil
}

func (p *loginPasswords) Hash(store uuid.UUID, password string, deadline time.Time) (string, error) {
	if p.full {
		return "", PasswordsFull
	}
	return p.fakePasswords.Hash(store, password, deadline)
}

func (s *fakeStore) BeginLogin(uuid.UUID, string, Caller, time.Time) (Budget, func(), error) {
	return Budget{Granted: true}, func() {}, nil
}

// SampleHashes has a dear hash in each second sample.
func (s *fakeStore) SampleHashes(uuid.UUID, time.Time) ([]string, error) {
	if s.samples++; s.samples%2 == 0 {
		return []string{"$2b$12$abcdefghijklmnopqrstuv"}, nil
	}
	return []string{"", string(commerce.NewHashCost) + "a$b"}, nil
}

func (s *fakeStore) SaveSession(uuid.UUID, uuid.UUID, *commerce.Session, time.Time) error { return nil }

// A node learns the costliest hash of a store also from samples, one in a minute at most, ahead of the
// first login of such an account.
func TestHashesAreSampled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s, _, r := newWrite(done)
		passwords := &loginPasswords{}
		e.passwords, r.Counted = passwords, true
		login := func(after time.Duration, samples int, want commerce.HashCost) {
			t.Helper()
			time.Sleep(after)
			s.accounts = []Account{{}}
			r.Began, r.Deadline = time.Now(), time.Now().Add(time.Minute)
			_, _, err := e.Login(r, &Credentials{Email: "nobody@example.com", Password: "wrong"})
			if err != commerce.CredentialsRefused || s.samples != samples || passwords.checked[len(passwords.checked)-1] != want {
				t.Errorf("%v after %d samples, costs %v; want %d samples, %q", err, s.samples, passwords.checked, samples, want)
			}
		}
		login(0, 1, commerce.NewHashCost)
		login(sampleEvery/2, 1, commerce.NewHashCost)
		login(sampleEvery/2, 2, "$2b$12$")
		login(sampleEvery/2, 2, "$2b$12$")
		login(sampleEvery/2, 3, "$2b$12$")
	})
}

// rehashes notes the changes of contacts.
type rehashes struct {
	Contacts
	commands []any
	err      error
}

func (c *rehashes) Change(r *Request) (Reply, error) {
	c.commands = append(c.commands, r.Command)
	return Reply{}, c.err
}

// A login with the right password replaces a hash that costs more than a new one, once. It succeeds also
// if that fails. Checks of unknown and of known addresses cost the same.
func TestDearHashesAreHashedAnew(t *testing.T) {
	const dear, cheap = "$2b$12$abcdefghijklmnopqrstuv", "$2b$04$abcdefghijklmnopqrstuv"
	for _, c := range []struct {
		name, hash, password string
		full                 bool
		err                  error // of the change
		want                 error
		rehashed             bool
	}{
		{"a dear hash", dear, "right", false, nil, nil, true},
		{"a new hash", string(commerce.NewHashCost) + "a$b", "right", false, nil, nil, false},
		{"a cheap hash", cheap, "right", false, nil, nil, false},
		{"a wrong password", dear, "wrong", false, nil, commerce.CredentialsRefused, false},
		{"an unknown address", "", "right", false, nil, commerce.CredentialsRefused, false},
		{"no room for another hash", dear, "right", true, nil, nil, false},
		{"a change that fails", dear, "right", false, ErrUnavailable, nil, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			e, s, _, r := newWrite(done)
			passwords, contacts := &loginPasswords{full: c.full}, &rehashes{err: c.err}
			e.passwords, e.contacts, r.Counted = passwords, contacts, true
			account := Account{}
			if c.hash != "" {
				account.Record = &Record[*commerce.Contact]{State: &commerce.Contact{ID: uuid.UUID{9}, PasswordHash: c.hash}}
			}
			e.costliest.meet(r.Store.ID, dear)
			s.accounts = []Account{account}
			began := time.Now()
			r.Began, r.Deadline = began, began.Add(time.Minute)
			_, _, err := e.Login(r, &Credentials{Email: "ada@example.com", Password: c.password})
			if err != c.want || (err != nil) != (time.Since(began) == loginStep) {
				t.Errorf("%s: %v after %v, want %v", c.name, err, time.Since(began), c.want)
			}
			if len(passwords.checked) != 1 || passwords.checked[0] != "$2b$12$" {
				t.Errorf("%s: the check costs %v", c.name, passwords.checked)
			}
			if len(contacts.commands) > 0 != c.rehashed {
				t.Fatalf("%s: the changes are %v", c.name, contacts.commands)
			}
			if want := (commerce.RehashPassword{Verified: dear, Hash: "hash"}); c.rehashed && contacts.commands[0] != any(want) {
				t.Errorf("%s: the change is %+v", c.name, contacts.commands[0])
			}
		})
	}
}
