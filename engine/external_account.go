package engine

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// MaxSessionMinutes is the maximum lifetime of a token that a merchant's server asks for, and its default:
// the lifetime of a login's token.
const MaxSessionMinutes = int64(sessionLifetime / time.Minute)

// AccountChange is a new account of an external id, or another state of it, with what was seen of the
// index entries that it needs.
type AccountChange struct {
	// Before is nil for a new account.
	Before *Record[*commerce.Contact]
	Next   *commerce.Contact
	// External is what FindExternal saw of the external id, Email what FindAccount saw of Next's address.
	External, Email Account
	// Former is true if the index names the account for the address of Before, which Next gives up.
	Former bool
}

// PutAccount makes the account of an external id, or changes it. made is true if it made one. Errors:
// *Refusal (the faults of the fields, EmailTaken), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) PutAccount(r *Request, asked *commerce.ExternalAccount) (account *commerce.Contact, made bool, err error) {
	hash := ""
	_, err = e.write(r, func(r *Request) (Reply, error) {
		change, err := e.findAccounts(r, asked)
		if err != nil {
			return Reply{}, err
		}
		before, holder := change.Before, change.Email.Record
		var known *commerce.Contact
		if before != nil {
			known = before.State
		}
		if refusal := asked.Judge(known); refusal != nil {
			return Reply{}, refusal
		}
		if holder != nil && (before == nil || holder.State.ID != before.State.ID) {
			return Reply{}, commerce.EmailTaken
		}
		if asked.Password != nil && hash == "" {
			if hash, err = e.passwords.Hash(r.Store.ID, *asked.Password, r.Deadline); err != nil {
				return Reply{}, err
			}
		}
		changed := true
		if made = before == nil; made {
			change.Next = asked.Make(hash, r.Now)
			change.Next.ID = uuid.New()
		} else {
			change.Next, changed = asked.Change(before.State, hash, r.Now)
		}
		account = change.Next
		if !changed && change.External.Entry == account.ID.String() {
			return Reply{}, nil
		}
		return Reply{}, e.storage.SaveExternal(r, change)
	})
	return account, made, err
}

// findAccounts finds the accounts of an external id and of its address.
func (e *Engine) findAccounts(r *Request, asked *commerce.ExternalAccount) (change *AccountChange, err error) {
	change = &AccountChange{}
	if change.External, err = e.storage.FindExternal(r.Store.ID, asked.ExternalID, r.Deadline); err != nil {
		return nil, err
	}
	change.Before = change.External.Record
	if asked.Email == "" {
		return change, nil // the request will be refused
	}
	if change.Email, err = e.storage.FindAccount(r.Store.ID, asked.Email, r.Deadline); err != nil {
		return nil, err
	}
	if holder := change.Email.Record; change.Before == nil && holder != nil && holder.State.ExternalID == asked.ExternalID {
		change.Before = holder // made between the two reads, or imported by a release without the index
	}
	if before := change.Before; before != nil && before.State.Email != asked.Email {
		former, err := e.storage.FindAccount(r.Store.ID, before.State.Email, r.Deadline)
		if err != nil {
			return nil, err
		}
		change.Former = former.Entry == before.State.ID.String()
	}
	return change, nil
}

// IssueToken makes a customer token of an account, for a merchant's server that knows who the shopper is.
// A token that a lost answer had has no use, so a repeat makes another one. Errors: *Refusal (404 and
// Request.Fault), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) IssueToken(r *Request, id string, lifetime time.Duration) (SignedIn, error) {
	found, err := e.accountOf(r, id)
	switch {
	case err != nil:
		return SignedIn{}, err
	case r.Fault != nil:
		return SignedIn{}, r.Fault
	}
	signedIn, session := newSession(found.State, r.Now, lifetime)
	return signedIn, e.storage.SaveSession(r.Store.ID, found.State.ID, &session, r.Deadline)
}

// EndTokens ends all tokens of an account. Errors: *Refusal (404), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) EndTokens(r *Request, id string) error {
	found, err := e.accountOf(r, id)
	if err != nil {
		return err
	}
	if err = e.changeAccount(r, found, commerce.EndSessions{}); errors.Is(err, ContactKind.missing(r)) {
		err = commerce.NotFound("Contact", id) // erased meanwhile
	}
	return err
}

// accountOf reads the account of an id in a path. A guest has none.
func (e *Engine) accountOf(r *Request, id string) (*Record[*commerce.Contact], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return nil, commerce.NotFound("Contact", id)
	}
	found, err := e.contacts.Find(RecordKey{r.Store.ID, parsed}, true, r.Deadline)
	if err == nil && (found == nil || found.State.Guest) {
		err = commerce.NotFound("Contact", id)
	}
	return found, err
}
