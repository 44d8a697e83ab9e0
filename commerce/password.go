package commerce

import (
	"crypto/subtle"
	"time"
)

// MinPassword is the least number of code points of a password.
const MinPassword = 8

// ResetLifetime is how long a password reset can be used, once.
const ResetLifetime = time.Hour

// PasswordReset is a reset that was asked for; its token is kept as a hash only.
type PasswordReset struct {
	Hash      KeyHash
	ExpiresAt time.Time
}

// opens reports whether a token is the reset's, and its time not over.
func (p *PasswordReset) opens(token KeyHash, now time.Time) bool {
	return subtle.ConstantTimeCompare(p.Hash[:], token[:]) == 1 && now.Before(p.ExpiresAt)
}

// MayReset judges a reset token; a contact that is none of the store's has no reset.
func MayReset(c *Contact, token KeyHash, now time.Time) *Refusal {
	if c == nil || c.Guest || !c.Reset.opens(token, now) {
		return ResetTokenInvalid
	}
	return nil
}

// AskReset notes that a reset was asked for; the one before cannot be used any more.
type AskReset struct {
	Token KeyHash
	// Event tells the store's webhook of it; nil: no webhook takes it.
	Event *Event
}

func (AskReset) Locate(*Contact) *Refusal { return nil }

func (a AskReset) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	next.Reset = PasswordReset{Hash: a.Token, ExpiresAt: in.Now.Add(ResetLifetime)}
	return Effects{Event: a.Event}, nil
}

// ResetPassword sets a new password under a reset token, which is used up, and ends
// all sessions.
type ResetPassword struct {
	Token KeyHash
	// Hash is of the new password.
	Hash string
}

func (ResetPassword) Locate(*Contact) *Refusal { return nil }

func (p ResetPassword) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	if r := MayReset(next, p.Token, in.Now); r != nil {
		return Effects{}, r
	}
	next.setPassword(p.Hash)
	return Effects{}, nil
}

// ChangePassword sets a new password in the place of the one that the contact just
// gave, and ends all sessions but its own.
type ChangePassword struct {
	// Verified is the hash that the given password was found to match, Hash of the
	// new one.
	Verified, Hash string
}

func (ChangePassword) Locate(*Contact) *Refusal { return nil }

func (p ChangePassword) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	if next.PasswordHash != p.Verified { // changed meanwhile
		return Effects{}, PasswordIncorrect
	}
	ended := in.Visitor.Session
	next.setPassword(p.Hash)
	kept := ended
	kept.Number = next.Session
	return Effects{Session: &SessionMove{From: ended, To: kept}}, nil
}

// setPassword ends all sessions, and the reset that may have been asked for.
func (c *Contact) setPassword(hash string) {
	c.PasswordHash, c.Reset = hash, PasswordReset{}
	c.Session++
}
