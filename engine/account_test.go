package engine

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// FindAccount answers with the accounts in turn.
func (s *fakeStore) FindAccount(uuid.UUID, string, time.Time) (Account, error) {
	found := s.accounts[0]
	s.accounts = s.accounts[1:]
	return found, s.err
}

// Register and AdjustStock fail with the outcomes in turn.
func (s *fakeStore) Register(r *Request, seen Account, _ *commerce.Contact, _ *commerce.Session) error {
	s.seen = append(s.seen, seen.Entry)
	return s.outcome()
}

func (s *fakeStore) AdjustStock(*Request, *commerce.StockAdjustment) (StockAdjusted, error) {
	return StockAdjusted{Level: commerce.StockLevel{OnHand: 1_000_000}}, s.outcome()
}

func (s *fakeStore) GiveCodes(*Request, *commerce.CodeRequest) (GivenCodes, error) {
	return GivenCodes{First: 7}, s.outcome()
}

func (s *fakeStore) outcome() (err error) {
	err, s.outcomes = s.outcomes[0], s.outcomes[1:]
	return err
}

// fakePasswords counts the hashes.
type fakePasswords struct {
	Passwords
	hashed int
}

func (p *fakePasswords) Hash(uuid.UUID, string, time.Time) (string, error) {
	p.hashed++
	return "hash", nil
}

// docs/design.md#commands-over-several-records. A registration whose address, or store, is different by
// the time of its visit reads both again. It hashes its password once.
func TestRegistrationAfterAConflict(t *testing.T) {
	free := func(entry string) Account { return Account{Entry: entry} }
	taken := Account{Record: &Record[*commerce.Contact]{State: &commerce.Contact{}}}
	suspend := func(s *fakeStore) {
		shop := *s.redis.Store
		shop.Suspended = true
		s.redis.Store = &shop
	}
	for _, c := range []struct {
		rule      string
		raise     func(*fakeStore)
		accounts  []Account
		outcomes  []error
		want      error
		seen      int // visits
		refreshes int
		hashed    int
	}{
		{"no conflict", nil, []Account{free("")}, []error{nil}, nil, 1, 0, 1},
		{"the address is taken", nil, []Account{taken}, nil, commerce.EmailTaken, 0, 0, 0},
		{"taken meanwhile", nil, []Account{free(""), taken}, []error{ErrOutdated}, commerce.EmailTaken, 1, 1, 1},
		{"an erased account left it meanwhile", nil, []Account{free("erased"), free("")}, []error{ErrOutdated, nil}, nil, 2, 1, 1},
		{"suspended meanwhile", suspend, []Account{free("")}, []error{ErrOutdated}, commerce.TenantSuspended, 1, 1, 1},
		{"an open outcome", nil, []Account{free("")}, []error{ErrUnknownOutcome}, ErrUnknownOutcome, 1, 0, 1},
	} {
		e, s, _, r := newWrite(done)
		passwords := &fakePasswords{}
		e.passwords, s.accounts, s.outcomes = passwords, c.accounts, c.outcomes
		r.Counted = true
		if c.raise != nil {
			c.raise(s)
		}
		signedIn, err := e.Register(r, &Registration{Email: "new@example.com", Password: "a good password"})
		if err != c.want || (signedIn.Contact != nil) != (c.want == nil) || (signedIn.Token != "") != (c.want == nil) {
			t.Errorf("%s: %+v, %v; want %v", c.rule, signedIn, err, c.want)
		}
		if len(s.seen) != c.seen || s.refreshes != c.refreshes || passwords.hashed != c.hashed || !r.Counted {
			t.Errorf("%s: %d visits, %d refreshes, %d hashes, counted %v; want %d, %d, %d, counted", c.rule, len(s.seen), s.refreshes, passwords.hashed, r.Counted,
				c.seen, c.refreshes, c.hashed)
		}
	}
}

// A stock adjustment under another head than that of its judgement is judged again: its key may be
// revoked.
func TestAdjustmentAfterANewHead(t *testing.T) {
	for _, c := range []struct {
		rule      string
		revoked   bool
		outcomes  []error
		want      error
		refreshes int
	}{
		{"no conflict", false, []error{nil}, nil, 0},
		{"a new head", false, []error{ErrOutdated, nil}, nil, 1},
		{"a new head, the key revoked", true, []error{ErrOutdated}, commerce.Unauthenticated, 1},
		{"a refusal", false, []error{commerce.StockBelowZero}, commerce.StockBelowZero, 0},
	} {
		e, s, _, r := newWrite(done)
		s.outcomes, r.Counted = c.outcomes, true
		if c.revoked {
			s.redis.Key = &commerce.APIKey{Revoked: true}
		}
		made, err := e.AdjustStock(r, &commerce.StockAdjustment{})
		if err != c.want || err == nil && made.Level.OnHand != 1_000_000 || s.refreshes != c.refreshes || len(s.outcomes) > 0 {
			t.Errorf("%s: %+v, %v after %d refreshes; want %v after %d", c.rule, made, err, s.refreshes, c.want, c.refreshes)
		}
	}
}
