package accounts

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// TokenKey is the key of a customer token, which expires with it: {<store>}:token:<sha256 hex>
// → customer id, expiry (Unix ms), session number.
func TokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	return records.HashKey(store, "token", hash[:])
}

// TokenText is the value of a token's key.
func TokenText(customer uuid.UUID, expires time.Time, session uint64) string {
	return customer.String() + " " + strconv.FormatInt(expires.UnixMilli(), 10) + " " + strconv.FormatUint(session, 10)
}

// Token is the decoded value of a token's key.
type Token struct {
	Customer uuid.UUID
	expires  int64 // Unix milliseconds
	Session  uint64
}

// ParseToken reads what is stored of a token; false if the text is damaged.
func ParseToken(text string) (Token, bool) {
	id, rest, _ := strings.Cut(text, " ")
	expiry, number, _ := strings.Cut(rest, " ")
	customer, ok := commerce.ParseID(id)
	expires, err := strconv.ParseInt(expiry, 10, 64)
	session, err2 := strconv.ParseUint(number, 10, 64)
	return Token{Customer: customer, expires: expires, Session: session}, ok && err == nil && err2 == nil
}

// ResolveToken finds the visitor of a token at now, from Redis's values. No visitor is found if
// the token is unknown, expired or of an ended session. Spec: Customer token.
func ResolveToken(hash commerce.KeyHash, text engine.TokenText, now time.Time) commerce.Visitor {
	t, ok := ParseToken(text.Value)
	c, isHead := records.ParseContactHead(text.Contact)
	if !ok || !isHead || c.Guest || c.Session != t.Session || now.UnixMilli() >= t.expires {
		return commerce.Visitor{}
	}
	return commerce.Visitor{
		Known: true, CustomerID: t.Customer, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge,
		Session: commerce.Session{Token: hash, ExpiresAt: t.expires, Number: t.Session},
	}
}

// TokenArgs are the token script's arguments: to read a contact's head, or the whole record of
// a contact that the node does not have.
func TokenArgs(contacts string, whole bool) []any {
	if whole {
		return []any{contacts, "-1"}
	}
	return []any{contacts, lastHeadByte}
}

// lastHeadByte is the last byte of a contact's head, for the token script.
var lastHeadByte = strconv.Itoa(records.HeadFrom + records.ContactHeadSize - 1)

// ParseTokenReply reads the script's reply: the values of the token, and the contact from its
// format byte on. Errors: redisdb.BrokenKey.
func ParseTokenReply(store uuid.UUID, hash commerce.KeyHash, reply any) (text engine.TokenText, contact string, err error) {
	parts, _ := reply.([]any)
	if len(parts) < 2 {
		return text, "", nil
	}
	text.Value, _ = parts[0].(string)
	if _, ok := ParseToken(text.Value); !ok {
		return text, "", redisdb.BrokenKey(TokenKey(store, hash))
	}
	contact, isText := parts[1].(string)
	if text.Contact, err = records.HeadText(contact); err != nil || !isText {
		return text, "", BrokenContact(store, text)
	}
	return text, contact, nil
}

// BrokenContact is the error of a token's contact that cannot be read.
func BrokenContact(store uuid.UUID, text engine.TokenText) redisdb.BrokenKey {
	t, _ := ParseToken(text.Value)
	return redisdb.BrokenKey(records.Contacts.Key(engine.RecordKey{Store: store, ID: t.Customer}))
}

// ReadToken reads the visitor of the request's token. Errors: ErrUnavailable.
func (a *Accounts) ReadToken(store uuid.UUID, r *engine.Request) error {
	reply, err := a.client.Run(r.Deadline, &redisdb.Call{
		Script: ReadTokenScript, Keys: []string{TokenKey(store, *r.Token)}, Args: TokenArgs(records.ContactPrefix(store), false),
	})
	if err == nil {
		r.TokenText, _, err = ParseTokenReply(store, *r.Token, reply)
	}
	if err != nil {
		return a.client.Unreadable(err, TokenKey(store, *r.Token))
	}
	a.Remember(store, *r.Token, r.TokenText)
	return nil
}

// tokenCache has the values of recent tokens, in bounded memory.
type tokenCache [maxTokens]atomic.Pointer[cachedToken]

// maxTokens bounds the remembered tokens.
const maxTokens = 1 << 14

type cachedToken struct {
	store uuid.UUID
	token commerce.KeyHash
	text  engine.TokenText
}

func (c *tokenCache) entry(token *commerce.KeyHash) *atomic.Pointer[cachedToken] {
	return &c[binary.LittleEndian.Uint32(token[:])%maxTokens]
}

// KnownToken returns the remembered values of a token. It returns false if there are none.
func (a *Accounts) KnownToken(store uuid.UUID, token *commerce.KeyHash) (engine.TokenText, bool) {
	if known := a.tokens.entry(token).Load(); known != nil && known.token == *token && known.store == store {
		return known.text, true
	}
	return engine.TokenText{}, false
}

// Remember remembers the values of a token. An unknown token replaces only its own values.
func (a *Accounts) Remember(store uuid.UUID, token commerce.KeyHash, text engine.TokenText) {
	if before, known := a.KnownToken(store, &token); known && before == text || text.Value == "" && !known {
		return
	}
	a.tokens.entry(&token).Store(&cachedToken{store: store, token: token, text: text})
}

// CustomerOf returns the customer of a remembered token; zero if none is remembered.
func (a *Accounts) CustomerOf(store uuid.UUID, token *commerce.KeyHash) uuid.UUID {
	text, _ := a.KnownToken(store, token)
	t, _ := ParseToken(text.Value)
	return t.Customer
}

// SessionText is the value of a customer token's key.
func SessionText(customer uuid.UUID, s *commerce.Session) string {
	return TokenText(customer, time.UnixMilli(s.ExpiresAt), s.Number)
}

// SaveSession is part of engine.Storage. A late sending must not restore a session that has ended. A token that no client has seen
// does no harm.
func (a *Accounts) SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error {
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, s), "NX", "PXAT", s.ExpiresAt}})
}

// EndSession is part of engine.Storage. The key keeps the end until the token's expiry, so that no import restores it.
func (a *Accounts) EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error {
	s.Number = commerce.EndedSession
	key := TokenKey(store, s.Token)
	return a.client.WriteUntilAnswered(deadline, redisdb.Call{Keys: []string{key}, Args: []any{"SET", key, SessionText(customer, &s), "XX", "KEEPTTL"}})
}
