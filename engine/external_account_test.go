package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// FindExternal answers with the external accounts in turn.
func (s *fakeStore) FindExternal(uuid.UUID, string, time.Time) (Account, error) {
	found := s.external[0]
	s.external = s.external[1:]
	return found, s.err
}

// SaveExternal fails with the outcomes in turn, and notes what was seen.
func (s *fakeStore) SaveExternal(_ *Request, change *AccountChange) error {
	s.seen = append(s.seen, change.External.Entry+" "+change.Email.Entry)
	if change.Former {
		s.seen = append(s.seen, "gives up "+change.Before.State.Email)
	}
	return s.outcome()
}

// docs/decisions.md#account, Accounts that live elsewhere. An account whose index entries are different by
// the time of its visit is found anew, so that of several requests at once one makes it.
func TestExternalAccountAfterAConflict(t *testing.T) {
	mine, another := uuid.New(), uuid.New()
	accountOf := func(id uuid.UUID, email string) Account {
		return Account{Entry: id.String(), Record: &Record[*commerce.Contact]{State: &commerce.Contact{ID: id, Email: email, ExternalID: "x"}}}
	}
	others := accountOf(another, "new@example.com")
	others.Record.State.ExternalID = "y"
	none, held, taken := Account{}, accountOf(mine, "new@example.com"), others
	elsewhere, old := accountOf(mine, "old@example.com"), accountOf(mine, "old@example.com")
	for _, c := range []struct {
		rule             string
		external, emails []Account
		outcomes         []error
		want             error
		made             bool
		seen             []string
	}{
		{"a new one", []Account{none}, []Account{none}, []error{nil}, nil, true, []string{" "}},
		{"made meanwhile", []Account{none, held}, []Account{none, held}, []error{ErrOutdated}, nil, false, []string{" "}},
		{"made between the reads", []Account{none, held}, []Account{held, held}, []error{ErrOutdated}, nil, false, []string{" " + mine.String()}},
		{"without an entry", []Account{none}, []Account{held}, []error{nil}, nil, false, []string{" " + mine.String()}},
		{"the address is another's", []Account{none}, []Account{taken}, nil, commerce.EmailTaken, true, nil},
		{"of an account that has another address", []Account{elsewhere}, []Account{taken, old}, nil, commerce.EmailTaken, true, nil},
		{"the same again", []Account{held}, []Account{held}, nil, nil, false, nil},
		{"another address", []Account{elsewhere}, []Account{none, old}, []error{nil}, nil, false, []string{mine.String() + " ", "gives up old@example.com"}},
		{"its former address was given away", []Account{elsewhere}, []Account{none, accountOf(another, "old@example.com")}, []error{nil}, nil, false,
			[]string{mine.String() + " "}},
		{"an open outcome", []Account{none}, []Account{none}, []error{ErrUnknownOutcome}, ErrUnknownOutcome, true, []string{" "}},
	} {
		e, s, _, r := newWrite(done)
		s.external, s.accounts, s.outcomes, r.Counted = c.external, c.emails, c.outcomes, true
		account, made, err := e.PutAccount(r, &commerce.ExternalAccount{ExternalID: "x", Email: "new@example.com"})
		if err != c.want || err == nil && (made != c.made || account.Email != "new@example.com" || account.ID == uuid.Nil || !made && account.ID != mine) {
			t.Errorf("%s: %+v, made %v, %v; want made %v, %v", c.rule, account, made, err, c.made, c.want)
		}
		if !slices.Equal(s.seen, c.seen) || len(s.outcomes) > 0 {
			t.Errorf("%s: written with %q, want %q", c.rule, s.seen, c.seen)
		}
	}
}
