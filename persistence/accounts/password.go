package accounts

import (
	"time"

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
// costs the work of a real one and matches nothing. Errors: PasswordsFull, as Hash.
func (p *Passwords) Verify(hash, password string, deadline time.Time) (ok bool, err error) {
	err = p.run(deadline, func() {
		check, known := parseHash(hash)
		if !known {
			check, _ = parseHash(dummyHash)
		}
		for _, spelling := range spellings(password) {
			ok = check(spelling) && known || ok
		}
	})
	return ok, err
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
