package commerce

import (
	"crypto/subtle"
	"time"
)

// ResetLifetime is the time within which a password reset can be used, once.
const ResetLifetime = time.Hour

const (
	// MaxResets is the maximum number of resets that an account may request within ResetLifetime.
	MaxResets = 3
	// validResets is the number of valid resets, the newest ones. So a stranger who requests a reset
	// for the account does not end the one that its owner has just requested.
	validResets = 2
)

// PasswordReset is a requested reset. Its token is stored only as a hash.
type PasswordReset struct {
	// Hash is zero after a new password was set. The reset still counts for MaxResets.
	Hash      KeyHash
	ExpiresAt time.Time
}

// opens reports whether a token belongs to the reset and the reset has not expired.
func (p *PasswordReset) opens(token KeyHash, now time.Time) bool {
	same := subtle.ConstantTimeCompare(p.Hash[:], token[:]) == 1
	return same && p.Hash != KeyHash{} && now.Before(p.ExpiresAt)
}

// MayReset checks a reset token. A missing contact and a guest have no reset.
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

// AskReset records a requested reset. The previous reset stays valid, older ones do not.
// docs/api/customers.md#account.
type AskReset struct {
	Token KeyHash
	// Event is for the store's webhook; nil if no webhook receives it.
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

// ResetPassword sets a new password with a reset token. It ends all resets and all sessions.
type ResetPassword struct {
	Token KeyHash
	// Hash is the hash of the new password.
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
