package accounts

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/turns"
)

// Passwords hashes and checks passwords, of all stores a few at a time, because that costs much time and
// memory.
type Passwords struct{ turns *turns.Turns }

// WaitingForHash is the maximum number of requests of a store, for each worker, that wait for a password
// hash. The next request of the store is answered 503.
const WaitingForHash = 32

// NewPasswords makes a pool in which workers callers work, all of one store if no other has one, and of
// each store waiting more wait.
func NewPasswords(workers, waiting int) *Passwords {
	return &Passwords{turns.New(workers, workers, waiting)}
}

// Hash returns the argon2id text of a new password. Errors: PasswordsFull if too many requests of the
// store wait, or if the deadline passes first.
func (p *Passwords) Hash(store uuid.UUID, password string, deadline time.Time) (hash string, err error) {
	poolErr := p.run(store, deadline, func() { hash, err = HashPassword(password) })
	if poolErr != nil {
		return "", poolErr
	}
	return hash, err
}

// Verify reports whether a password matches a hash. An empty hash, or one that cannot be read,
// costs the work of a new one and matches nothing. If the password does not match, Verify also does the
// work of the dearest cost, so that it takes as long for every hash. Errors: PasswordsFull, as Hash.
func (p *Passwords) Verify(store uuid.UUID, hash, password string, dearest commerce.HashCost, deadline time.Time) (ok bool, err error) {
	err = p.run(store, deadline, func() {
		check, known := parseHash(hash)
		if !known {
			check, _ = parseHash(dummyHash)
		}
		for _, spelling := range spellings(password) {
			ok = check(spelling) && known || ok
		}
		if also := furtherWork(commerce.HashCostOf(hash), dearest); also != "" && !ok {
			check, _ = parseHash(dummyOf(also))
			for _, spelling := range spellings(password) {
				check(spelling)
			}
		}
	})
	return ok, err
}

// furtherWork is the cost of the second hash of a refusal, in a store with dearer hashes than new ones:
// of each refusal one hash costs the dearest, the other one less. Empty for no second hash.
func furtherWork(own, dearest commerce.HashCost) commerce.HashCost {
	switch {
	case !dearest.Exceeds(commerce.NewHashCost):
		return ""
	case dearest.Exceeds(own):
		return dearest
	}
	return commerce.NewHashCost
}

// run does work in the turn of a store.
func (p *Passwords) run(store uuid.UUID, deadline time.Time, work func()) error {
	if !p.turns.Begin(store, deadline) {
		return engine.PasswordsFull
	}
	defer p.turns.End(store)
	work()
	return nil
}
