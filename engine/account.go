package engine

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Registration is a new account.
type Registration struct {
	// Email is valid and lower-cased.
	Email, Password, FirstName, LastName string
	// B2B is true for a business, which starts unapproved.
	B2B                                           bool
	CompanyName, RegistrationNumber, VATID, Phone string
}

// Credentials are an e-mail address, valid and lower-cased, and a password in clear text. They are
// never logged or stored.
type Credentials struct{ Email, Password string }

// PasswordReset is a new password and the hash of the reset token that permits it.
type PasswordReset struct {
	Email, Password string
	Token           commerce.KeyHash
}

// PasswordChange replaces the password Current by Password.
type PasswordChange struct{ Current, Password string }

// Register makes an account and signs it in. A guest customer with the same address, and its carts,
// stay as they are. Errors: *Refusal (EmailTaken), ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) Register(r *Request, asked *Registration) (signedIn SignedIn, err error) {
	hash := ""
	_, err = e.write(r, func(r *Request) (Reply, error) {
		found, err := e.storage.FindAccount(r.Store.ID, asked.Email, r.Deadline)
		switch {
		case err != nil:
			return Reply{}, err
		case found.Record != nil:
			return Reply{}, commerce.EmailTaken
		}
		if hash == "" {
			if hash, err = e.passwords.Hash(r.Store.ID, asked.Password, r.Deadline); err != nil {
				return Reply{}, err
			}
		}
		contact := &commerce.Contact{
			ID: uuid.New(), B2B: asked.B2B, Approved: !asked.B2B, Email: asked.Email, FirstName: asked.FirstName, LastName: asked.LastName,
			CompanyName: asked.CompanyName, RegistrationNumber: asked.RegistrationNumber, VATID: asked.VATID, Phone: asked.Phone,
			PasswordHash: hash, CreatedAt: r.Now, UpdatedAt: r.Now,
		}
		var session commerce.Session
		signedIn, session = newSession(contact, r.Now, sessionLifetime)
		return Reply{}, e.storage.Register(r, found, contact, &session)
	})
	if err != nil {
		return SignedIn{}, err
	}
	return signedIn, nil
}

// Logout ends the request's token.
func (e *Engine) Logout(r *Request) error {
	return e.storage.EndSession(r.Store.ID, r.Visitor.CustomerID, r.Visitor.Session, r.Deadline)
}

// ResetPassword sets a new password with a reset token. Errors: *Refusal (ResetTokenInvalid),
// ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) ResetPassword(r *Request, p *PasswordReset) error {
	found, err := e.storage.FindAccount(r.Store.ID, p.Email, r.Deadline)
	if err != nil {
		return err
	}
	if found.Record == nil {
		return commerce.ResetTokenInvalid
	}
	if refusal := commerce.MayReset(found.Record.State, p.Token, r.Now); refusal != nil {
		return refusal
	}
	hash, err := e.passwords.Hash(r.Store.ID, p.Password, r.Deadline)
	if err != nil {
		return err
	}
	return e.changeAccount(r, found.Record, commerce.ResetPassword{Token: p.Token, Hash: hash})
}

// ForgotPassword sends a reset token to the store's webhook. An unknown address, and an account
// with too many requests, get the same answer after the same time and the same trips to Redis.
// Errors: ErrUnavailable, ErrUnknownOutcome.
func (e *Engine) ForgotPassword(r *Request, email string) error {
	defer constantTime(r.Began, forgotStep)
	if !r.Store.Wants(commerce.EventPasswordReset) {
		return nil
	}
	found, err := e.storage.FindAccount(r.Store.ID, email, r.Deadline)
	if err != nil {
		return err
	}
	if found.Record == nil {
		return e.storage.EmptyTrip(r.Store.ID, r.Deadline)
	}
	if err = e.askReset(r, found.Record); errors.Is(err, commerce.TooManyAttempts) {
		err = nil
	}
	return err
}

// askReset writes a new token into the account's record and the outbox. Further error:
// TooManyAttempts.
func (e *Engine) askReset(r *Request, found *Record[*commerce.Contact]) error {
	token := newSecret()
	event, err := resetEvent(r, found.State, token)
	if err != nil {
		return err
	}
	return e.changeAccount(r, found, commerce.AskReset{Token: commerce.HashSecret([]byte(token)), Event: event})
}

// resetEvent is the only place where a reset token is written in clear text.
func resetEvent(r *Request, contact *commerce.Contact, token string) (*commerce.Event, error) {
	body, err := json.Marshal(struct {
		Event      string    `json:"event"`
		StoreID    uuid.UUID `json:"store_id"`
		ContactID  uuid.UUID `json:"contact_id"`
		Email      string    `json:"email"`
		Token      string    `json:"token"`
		ExpiresAt  time.Time `json:"expires_at"`
		OccurredAt time.Time `json:"occurred_at"`
	}{
		commerce.EventPasswordReset, r.Store.ID, contact.ID, contact.Email, token,
		r.Now.Add(commerce.ResetLifetime).Truncate(time.Second), r.Now.Truncate(time.Second),
	})
	return &commerce.Event{Name: commerce.EventPasswordReset, Body: body}, err
}

// ChangePassword replaces the password. It ends all sessions of the contact except the request's
// own. Errors: *Refusal (PasswordIncorrect, InvalidCustomerToken), ErrUnavailable,
// ErrUnknownOutcome.
func (e *Engine) ChangePassword(r *Request, p *PasswordChange) error {
	asked := *r
	asked.ContactID = r.Visitor.CustomerID
	found, err := e.ReadContact(&asked)
	if err != nil {
		return err
	}
	verified := found.Contact.PasswordHash
	matches, err := e.passwords.Verify(r.Store.ID, verified, p.Current, "", r.Deadline)
	if err != nil {
		return err
	}
	if !matches {
		return commerce.PasswordIncorrect
	}
	hash, err := e.passwords.Hash(r.Store.ID, p.Password, r.Deadline)
	if err != nil {
		return err
	}
	asked.Command = commerce.ChangePassword{Verified: verified, Hash: hash}
	_, err = e.ChangeContact(&asked)
	return err
}

// changeAccount applies a command to an account that was found by its address. The request has no
// customer token for it. The actor gets the record, so that a contact that is not in this node's
// memory takes no further trip.
func (e *Engine) changeAccount(r *Request, found *Record[*commerce.Contact], command commerce.Command[*commerce.Contact]) error {
	change := *r
	change.Visitor, change.TokenText, change.Token = commerce.Visitor{}, TokenText{}, nil
	change.ContactID, change.Command = found.State.ID, command
	change.Contact = Sighting[*commerce.Contact]{Stamp: found.Stamp, Record: found}
	_, err := e.ChangeContact(&change)
	return err
}
