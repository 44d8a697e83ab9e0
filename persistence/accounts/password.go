package accounts

import (
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// Passwords hashes and checks passwords in a bounded pool, because that costs much time and
// memory.
type Passwords struct {
	// admitted has an entry for each caller that works or waits, working for each that works.
	admitted, working chan struct{}
}

// WaitingForHash is the maximum number of requests, for each worker, that wait for a password hash.
// The next request is answered 503.
const WaitingForHash = 32

// NewPasswords makes a pool in which workers callers work and waiting more wait.
func NewPasswords(workers, waiting int) *Passwords {
	return &Passwords{admitted: make(chan struct{}, workers+waiting), working: make(chan struct{}, workers)}
}

// Hash returns the argon2id text of a new password. Errors: PasswordsFull if the pool is full,
// or if the deadline passes first.
func (p *Passwords) Hash(password string, deadline time.Time) (hash string, err error) {
	poolErr := p.run(deadline, func() { hash, err = HashPassword(password) })
	if poolErr != nil {
		return "", poolErr
	}
	return hash, err
}

// Verify reports whether a password matches a hash. An empty hash, or one that cannot be read,
// costs the work of a new one and matches nothing. If the password does not match, Verify also does the
// work of the dearest cost, so that it takes as long for every hash. Errors: PasswordsFull, as Hash.
func (p *Passwords) Verify(hash, password string, dearest commerce.HashCost, deadline time.Time) (ok bool, err error) {
	err = p.run(deadline, func() {
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

func (p *Passwords) run(deadline time.Time, work func()) error {
	select {
	case p.admitted <- struct{}{}:
		defer func() { <-p.admitted }()
	default:
		return engine.PasswordsFull
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case p.working <- struct{}{}:
		defer func() { <-p.working }()
	case <-timer.C:
		return engine.PasswordsFull
	}
	work()
	return nil
}
