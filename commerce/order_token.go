package commerce

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/google/uuid"
)

// orderTokenLength is the length of every order's token: an id and an HMAC as base64url.
const orderTokenLength = 64

// OrderToken is the token with which everybody can read the order: its id, then an HMAC of it with
// the store's secret. It is not stored, and cannot be revoked.
func (s *Store) OrderToken(id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(append(id[:], s.sign("order", id)...))
}

// OrderOfToken returns the id in an order's token. It returns false if the token is not one of the
// store's, in a time that does not depend on the HMAC.
func (s *Store) OrderOfToken(token string) (id uuid.UUID, ok bool) {
	var text [orderTokenLength / 4 * 3]byte
	if len(token) != orderTokenLength {
		return uuid.Nil, false
	}
	if n, err := base64.RawURLEncoding.Strict().Decode(text[:], []byte(token)); err != nil || n != len(text) {
		return uuid.Nil, false
	}
	copy(id[:], text[:])
	if !hmac.Equal(text[len(id):], s.sign("order", id)) {
		return uuid.Nil, false
	}
	return id, true
}

// sign is the HMAC of an id with the store's secret, for one purpose.
func (s *Store) sign(purpose string, id uuid.UUID) []byte {
	mac := hmac.New(sha256.New, s.Secret[:])
	mac.Write([]byte(purpose + "\x00"))
	mac.Write(id[:])
	return mac.Sum(nil)
}
