package accounts

import (
	"time"

	"cartd/engine"
)

// Passwords hashes and checks passwords, which takes long and much memory, in a
// bounded pool.
type Passwords struct {
	// places are all who are at work or wait, working those at work.
	places, working chan struct{}
}

// NewPasswords makes a pool of so many at work and so many more that wait.
func NewPasswords(workers, waiting int) *Passwords {
	return &Passwords{places: make(chan struct{}, workers+waiting), working: make(chan struct{}, workers)}
}

// Hash returns the argon2id text of a new password. Errors: ErrUnavailable where the
// pool is full, or no turn came before the deadline.
func (p *Passwords) Hash(password string, deadline time.Time) (hash string, err error) {
	turnErr := p.turn(deadline, func() { hash, err = HashPassword(password) })
	if turnErr != nil {
		return "", turnErr
	}
	return hash, err
}

// Verify reports whether a password is the one of a hash. No hash, and one that
// cannot be read, take the work of a real one, and match nothing.
// Errors: ErrUnavailable, as Hash.
func (p *Passwords) Verify(hash, password string, deadline time.Time) (ok bool, err error) {
	err = p.turn(deadline, func() {
		check, known := parseHash(hash)
		if !known {
			check, _ = parseHash(dummyHash)
		}
		ok = check(password) && known
	})
	return ok, err
}

func (p *Passwords) turn(deadline time.Time, work func()) error {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	default:
		return engine.ErrUnavailable
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case p.working <- struct{}{}:
		defer func() { <-p.working }()
	case <-timer.C:
		return engine.ErrUnavailable
	}
	work()
	return nil
}
