package engine

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Login checks a password and issues a token. A login counts as failed from its begin; one that does
// not fail is taken back. The budget counts failed logins; errors carry it too.
// Until a refusal, known and unknown addresses cause the same trips to Redis. Errors: *Refusal
// (CredentialsRefused, TooManyAttempts), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) Login(r *Request, c *Credentials) (SignedIn, Budget, error) {
	budget, takeBack, err := e.storage.BeginLogin(r.Store.ID, c.Email, r.Caller, r.Deadline)
	if err != nil {
		return SignedIn{}, Budget{}, err
	}
	if !budget.Granted {
		return SignedIn{}, budget, commerce.TooManyAttempts
	}
	found, err := e.authenticate(r, c)
	if errors.Is(err, commerce.CredentialsRefused) {
		budget.Remaining--
	} else {
		takeBack()
	}
	if err != nil {
		constantTime(r.Began, loginStep)
		return SignedIn{}, budget, err
	}
	contact := found.State
	signedIn, session := newSession(contact, r.Now, sessionLifetime)
	if err = e.storage.SaveSession(r.Store.ID, contact.ID, &session, r.Deadline); err == nil {
		e.rehash(r, found, c.Password)
	}
	return signedIn, budget, err
}

// authenticate returns the account of an address and its password. An
// unknown address and an account without a password cost the same lookup and the same hashes.
func (e *Engine) authenticate(r *Request, c *Credentials) (*Record[*commerce.Contact], error) {
	if e.costliest.due(r.Store.ID, time.Now()) {
		hashes, _ := e.storage.SampleHashes(r.Store.ID, r.Deadline) // without one a later sample counts
		for _, hash := range hashes {
			e.costliest.meet(r.Store.ID, hash)
		}
	}
	found, err := e.storage.FindAccount(r.Store.ID, c.Email, r.Deadline)
	if err != nil {
		return nil, err
	}
	hash := ""
	if found.Record != nil {
		hash = found.Record.State.PasswordHash
	}
	matches, err := e.passwords.Verify(r.Store.ID, hash, c.Password, e.costliest.meet(r.Store.ID, hash), r.Deadline)
	if err == nil && !matches {
		err = commerce.CredentialsRefused
	}
	return found.Record, err
}

// rehash replaces a hash that costs more than a new one, now that its password is known. The login is
// done without it: an error is that of a later login's try.
func (e *Engine) rehash(r *Request, found *Record[*commerce.Contact], password string) {
	old := found.State.PasswordHash
	if !commerce.HashCostOf(old).Exceeds(commerce.NewHashCost) {
		return
	}
	hash, err := e.passwords.Hash(r.Store.ID, password, r.Deadline)
	if err == nil {
		_ = e.changeAccount(r, found, commerce.RehashPassword{Verified: old, Hash: hash})
	}
}

// sessionLifetime is the lifetime of a customer token.
const sessionLifetime = 30 * 24 * time.Hour

// SignedIn is the answer of login and registration. Only it shows the token.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Contact   *commerce.Contact
}

// newSecret returns 32 random bytes as base64url: a customer token or a reset token.
func newSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// newSession makes a token with the contact's current session number.
func newSession(c *commerce.Contact, now time.Time, lifetime time.Duration) (SignedIn, commerce.Session) {
	signedIn := SignedIn{Token: newSecret(), ExpiresAt: now.Add(lifetime), Contact: c}
	return signedIn, commerce.Session{
		Token: commerce.HashSecret([]byte(signedIn.Token)), ExpiresAt: signedIn.ExpiresAt.UnixMilli(), Number: c.Session,
	}
}

// The time of an answer must not show whether an address has an account: a refused login costs as much as
// the costliest hash of its store, and is answered at a step of time.

const (
	// Refused logins and all reset requests are answered at a multiple of loginStep and forgotStep.
	// Hashes of different cost, and a commit, fit into one step. So the time of the answer does not
	// show whether the address is known.
	loginStep  = 500 * time.Millisecond
	forgotStep = 250 * time.Millisecond
)

// costliestHashes are the costs of the costliest password hashes of stores that this node has met, at logins
// and in samples. All refused logins of a store cost as much. The zero value is empty.
type costliestHashes struct {
	mu     sync.Mutex
	stores map[uuid.UUID]*costliestHash
}

// costliestHash is the costliest cost of a store's hashes; sampled is the time of the last sample.
type costliestHash struct {
	cost    commerce.HashCost
	sampled time.Time
}

// sampleEvery is the minimum time between two samples of a store's hashes.
const sampleEvery = time.Minute

// of returns the entry of a store. The lock is held.
func (d *costliestHashes) of(store uuid.UUID) *costliestHash {
	own := d.stores[store]
	if own == nil {
		if d.stores == nil {
			d.stores = map[uuid.UUID]*costliestHash{}
		}
		own = &costliestHash{cost: commerce.NewHashCost}
		d.stores[store] = own
	}
	return own
}

// due reports whether a store needs a sample, and notes that it is taken.
func (d *costliestHashes) due(store uuid.UUID, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.of(store)
	if now.Sub(own.sampled) < sampleEvery {
		return false
	}
	own.sampled = now
	return true
}

// meet returns the costliest cost of a store once the hash of an account was found; "" for no account.
func (d *costliestHashes) meet(store uuid.UUID, hash string) commerce.HashCost {
	d.mu.Lock()
	defer d.mu.Unlock()
	costliest := d.of(store)
	if cost := commerce.HashCostOf(hash); cost.Exceeds(costliest.cost) {
		costliest.cost = cost
	}
	return costliest.cost
}

// constantTime waits until a whole number of steps has passed since the request began.
func constantTime(began time.Time, step time.Duration) {
	time.Sleep(step - time.Since(began)%step)
}
