package persistence

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"cartd/commerce"
)

// jsonContact is the body of a contact in format 1, which is still read: accounts have
// no expiry, and one is written in the present format with its next change.
type jsonContact struct {
	Email              string                 `json:"email"`
	FirstName          string                 `json:"first_name"`
	LastName           string                 `json:"last_name"`
	Phone              string                 `json:"phone"`
	CompanyName        string                 `json:"company_name"`
	RegistrationNumber string                 `json:"registration_number"`
	VATID              string                 `json:"vat_id"`
	ExternalID         string                 `json:"external_id"`
	PasswordHash       string                 `json:"password_hash"`
	Own                commerce.ProfileFields `json:"own"`
	Reset              jsonToken              `json:"reset"`
	CreatedAt          time.Time              `json:"created_at"`
	UpdatedAt          time.Time              `json:"updated_at"`
	Addresses          []jsonAddress          `json:"addresses"`
	Tokens             []jsonToken            `json:"tokens"`
}

type jsonToken struct {
	Hash      string    `json:"sha256"`
	ExpiresAt time.Time `json:"expires_at"`
}

// jsonAddress has Address's own field names; deleted ones stood among the others.
type jsonAddress struct {
	commerce.Address
	DeletedAt time.Time
}

// readContactJSON reads a body of format 1. False: it is corrupt.
func readContactJSON(text string, c *commerce.Contact) bool {
	var b jsonContact
	if json.Unmarshal([]byte(text), &b) != nil {
		return false
	}
	c.Email, c.FirstName, c.LastName, c.Phone = b.Email, b.FirstName, b.LastName, b.Phone
	c.CompanyName, c.RegistrationNumber, c.VATID, c.ExternalID = b.CompanyName, b.RegistrationNumber, b.VATID, b.ExternalID
	c.PasswordHash, c.Own, c.CreatedAt, c.UpdatedAt = b.PasswordHash, b.Own, b.CreatedAt, b.UpdatedAt
	for _, a := range b.Addresses {
		if a.DeletedAt.IsZero() {
			c.Addresses = append(c.Addresses, a.Address)
		} else {
			c.Deleted = append(c.Deleted, commerce.DeletedAddress{Address: a.Address, At: a.DeletedAt})
		}
	}
	slices.SortStableFunc(c.Deleted, func(a, b commerce.DeletedAddress) int { return a.At.Compare(b.At) })
	for _, t := range b.Tokens {
		hash, ok := t.hash()
		if !ok {
			return false
		}
		c.Tokens = append(c.Tokens, commerce.CustomerToken{Hash: hash, ExpiresAt: t.ExpiresAt})
	}
	if b.Reset == (jsonToken{}) {
		return true
	}
	hash, ok := b.Reset.hash()
	c.Resets = []commerce.PasswordReset{{Hash: hash, ExpiresAt: b.Reset.ExpiresAt}}
	return ok
}

// hash is the token's; false: it is none.
func (t *jsonToken) hash() (hash commerce.KeyHash, ok bool) {
	if len(t.Hash) != hex.EncodedLen(len(hash)) {
		return hash, false
	}
	_, err := hex.Decode(hash[:], []byte(t.Hash))
	return hash, err == nil
}
