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

// TokenKey is a customer token: {<store>}:token:<sha256 hex> → customer id, expiry
// (Unix ms), session number; it leaves with its expiry.
func TokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	return records.HashKey(store, "token", hash[:])
}

// TokenText is what a token's key holds.
func TokenText(customer uuid.UUID, expires time.Time, session uint64) string {
	return customer.String() + " " + strconv.FormatInt(expires.UnixMilli(), 10) + " " + strconv.FormatUint(session, 10)
}

// token is what a token's key says.
type token struct {
	Customer uuid.UUID
	expires  int64 // Unix milliseconds
	Session  uint64
}

func ParseToken(text string) (token, bool) {
	id, rest, _ := strings.Cut(text, " ")
	expiry, number, _ := strings.Cut(rest, " ")
	customer, ok := commerce.ParseID(id)
	expires, err := strconv.ParseInt(expiry, 10, 64)
	session, err2 := strconv.ParseUint(number, 10, 64)
	return token{Customer: customer, expires: expires, Session: session}, ok && err == nil && err2 == nil
}

// ResolveToken says who the visitor with a token is at now, by what Redis holds of it. A token
// that is unknown, past its expiry or of an ended session resolves to no visitor.
// Spec: Customer token.
func ResolveToken(hash commerce.KeyHash, text engine.TokenText, now time.Time) commerce.Visitor {
	t, ok := ParseToken(text.Value)
	c, isHead := records.ParseContactHead(text.Contact)
	if !ok || !isHead || c.Guest || c.Session != t.Session || now.UnixMilli() >= t.expires {
		return commerce.Visitor{}
	}
	return commerce.Visitor{
		Known: true, CustomerID: t.Customer, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved,
		Session: commerce.Session{Token: hash, ExpiresAt: t.expires, Number: t.Session},
	}
}

// TokenArgs are the token script's arguments, to read a contact's head or, of one that the node does
// not hold, the whole record.
func TokenArgs(contacts string, whole bool) []any {
	if whole {
		return []any{contacts, "-1"}
	}
	return []any{contacts, lastHeadByte}
}

// lastHeadByte is the last byte of a contact's head, as the token script takes it.
var lastHeadByte = strconv.Itoa(records.HeadFrom + records.ContactHeadSize - 1)

// ParseTokenReply reads the script's reply: what Redis holds of the token, and the contact from its
// format on. Errors: redisdb.BrokenKey.
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

// BrokenContact says that a token's contact cannot be read.
func BrokenContact(store uuid.UUID, text engine.TokenText) redisdb.BrokenKey {
	t, _ := ParseToken(text.Value)
	return redisdb.BrokenKey(records.Contacts.Key(engine.RecordKey{Store: store, ID: t.Customer}))
}

// ReadToken reads who the visitor with a token is. Errors: ErrUnavailable.
func (a *Accounts) ReadToken(store uuid.UUID, r *engine.Request) error {
	reply, err := a.client.Run(r.Deadline, &redisdb.Call{
		Script: ReadTokenScript, Keys: []string{TokenKey(store, *r.Token)}, Args: TokenArgs(records.ContactPrefix(store), false),
	})
	if err != nil {
		if redisdb.IsReply(err) && !redisdb.CertainlyRefused(err) {
			a.client.Broken(TokenKey(store, *r.Token))
		}
		return engine.ErrUnavailable
	}
	if r.TokenText, _, err = ParseTokenReply(store, *r.Token, reply); err != nil {
		a.client.BrokenBy(err, "")
		return engine.ErrUnavailable
	}
	a.Remember(store, *r.Token, r.TokenText)
	return nil
}

// tokenCache has what the latest tokens were found to be, in bounded memory.
type tokenCache [maxTokens]atomic.Pointer[cachedToken]

// maxTokens is how many tokens are remembered at most.
const maxTokens = 1 << 14

type cachedToken struct {
	store uuid.UUID
	token commerce.KeyHash
	text  engine.TokenText
}

func (c *tokenCache) entry(token *commerce.KeyHash) *atomic.Pointer[cachedToken] {
	return &c[binary.LittleEndian.Uint32(token[:])%maxTokens]
}

// KnownToken returns what was last found of a token. False: nothing was.
func (a *Accounts) KnownToken(store uuid.UUID, token *commerce.KeyHash) (engine.TokenText, bool) {
	if known := a.tokens.entry(token).Load(); known != nil && known.token == *token && known.store == store {
		return known.text, true
	}
	return engine.TokenText{}, false
}

// Remember notes what was found of a token that there is.
func (a *Accounts) Remember(store uuid.UUID, token commerce.KeyHash, text engine.TokenText) {
	if before, known := a.KnownToken(store, &token); known && before == text || text.Value == "" && !known {
		return
	}
	a.tokens.entry(&token).Store(&cachedToken{store: store, token: token, text: text})
}

// CustomerOf is whose a token was found to be; zero: not known.
func (a *Accounts) CustomerOf(store uuid.UUID, token *commerce.KeyHash) uuid.UUID {
	text, _ := a.KnownToken(store, token)
	t, _ := ParseToken(text.Value)
	return t.Customer
}
