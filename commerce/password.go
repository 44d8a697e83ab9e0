package commerce

import (
	"crypto/subtle"
	"slices"
	"time"
	"unicode/utf8"
)

// MinPassword is the least number of code points of a password.
const MinPassword = 8

// NewPassword judges a password that is to be set.
func (f *Faults) NewPassword(field, text string) {
	if utf8.RuneCountInString(text) < MinPassword {
		f.Add(field, MsgMinCharacters(field, MinPassword))
	}
}

// ResetLifetime is how long a password reset can be used, once.
const ResetLifetime = time.Hour

const (
	// MaxResets is how many resets an account may ask for within ResetLifetime.
	MaxResets = 3
	// validResets is how many of them can be used, the newest: a stranger who asks in the
	// account's name does not end the reset that its owner has just asked for.
	validResets = 2
)

// PasswordReset is a reset that was asked for; its token is kept as a hash only.
type PasswordReset struct {
	// Hash is zero once a new password was set: the reset only counts from then on.
	Hash      KeyHash
	ExpiresAt time.Time
}

// opens reports whether a token is the reset's, and its time not over.
func (p *PasswordReset) opens(token KeyHash, now time.Time) bool {
	same := subtle.ConstantTimeCompare(p.Hash[:], token[:]) == 1
	return same && p.Hash != KeyHash{} && now.Before(p.ExpiresAt)
}

// MayReset judges a reset token; a contact that is none of the store's has no reset.
func MayReset(c *Contact, token KeyHash, now time.Time) *Refusal {
	if c == nil || c.Guest {
		return ResetTokenInvalid
	}
	for i := range min(validResets, len(c.Resets)) {
		if c.Resets[i].opens(token, now) {
			return nil
		}
	}
	return ResetTokenInvalid
}

// AskReset notes that a reset was asked for. The reset before it can still be used, older
// ones cannot. The routes page, Account.
type AskReset struct {
	Token KeyHash
	// Event tells the store's webhook of it; nil: no webhook takes it.
	Event *Event
}

func (AskReset) Locate(*Contact) *Refusal { return nil }

func (a AskReset) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	resets := []PasswordReset{{Hash: a.Token, ExpiresAt: in.Now.Add(ResetLifetime)}}
	for _, earlier := range next.Resets {
		if in.Now.Before(earlier.ExpiresAt) {
			resets = append(resets, earlier)
		}
	}
	if len(resets) > MaxResets {
		return Effects{}, TooManyAttempts
	}
	next.Resets = resets
	return Effects{Event: a.Event}, nil
}

// ResetPassword sets a new password under a reset token, and ends all resets and all
// sessions.
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

// setPassword ends all sessions and all resets. The resets still count.
func (c *Contact) setPassword(hash string) {
	c.PasswordHash = hash
	c.Resets = slices.Clone(c.Resets)
	for i := range c.Resets {
		c.Resets[i].Hash = KeyHash{}
	}
	c.Session++
}
