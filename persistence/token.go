package persistence

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// tokenKey is a customer token: {<store>}:token:<sha256 hex> → customer id, expiry
// (Unix ms), session number; it leaves with its expiry.
func tokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	var key [longestKey]byte
	return string(hex.AppendEncode(appendKeyPrefix(key[:0], store, "token"), hash[:]))
}

// tokenText is what a token's key holds.
func tokenText(customer uuid.UUID, expires time.Time, session uint64) string {
	return customer.String() + " " + strconv.FormatInt(expires.UnixMilli(), 10) + " " + strconv.FormatUint(session, 10)
}

// token is what a token's key says.
type token struct {
	customer uuid.UUID
	expires  int64 // Unix milliseconds
	session  uint64
}

func parseToken(text string) (token, bool) {
	id, rest, _ := strings.Cut(text, " ")
	expiry, number, _ := strings.Cut(rest, " ")
	customer, ok := commerce.ParseID(id)
	expires, err := strconv.ParseInt(expiry, 10, 64)
	session, err2 := strconv.ParseUint(number, 10, 64)
	return token{customer: customer, expires: expires, session: session}, ok && err == nil && err2 == nil
}

// resolveToken says who the visitor with a token is at now, by what Redis holds of it. A token
// that is unknown, past its expiry or of an ended session resolves to nobody.
// Spec: Customer token.
func resolveToken(hash commerce.KeyHash, text engine.TokenText, now time.Time) commerce.Visitor {
	t, ok := parseToken(text.Value)
	r := reader{b: text.Contact}
	var c commerce.Contact
	r.contactHead(&c)
	if !ok || r.bad || c.Guest || c.Session != t.session || now.UnixMilli() >= t.expires {
		return commerce.Visitor{}
	}
	return commerce.Visitor{
		Known: true, CustomerID: t.customer, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved,
		Session: commerce.Session{Token: hash, ExpiresAt: t.expires, Number: t.session},
	}
}

// tokenArgs are the token script's arguments, to read a contact's head or, of one that the node does
// not hold, the whole record.
func tokenArgs(contacts string, whole bool) []any {
	if whole {
		return []any{contacts, "-1"}
	}
	return []any{contacts, lastHeadByte}
}

// lastHeadByte is the last byte of a contact's head, as the token script takes it.
var lastHeadByte = strconv.Itoa(headFrom + contactHeadSize - 1)

// parseTokenReply reads the script's reply: what Redis holds of the token, and the contact from its
// format on. Errors: brokenKey.
func parseTokenReply(store uuid.UUID, hash commerce.KeyHash, reply any) (text engine.TokenText, contact string, err error) {
	parts, _ := reply.([]any)
	if len(parts) < 2 {
		return text, "", nil
	}
	text.Value, _ = parts[0].(string)
	if _, ok := parseToken(text.Value); !ok {
		return text, "", brokenKey(tokenKey(store, hash))
	}
	contact, isText := parts[1].(string)
	if text.Contact, err = headText(contact); err != nil || !isText {
		return text, "", brokenContact(store, text)
	}
	return text, contact, nil
}

// brokenContact says that a token's contact cannot be read.
func brokenContact(store uuid.UUID, text engine.TokenText) brokenKey {
	t, _ := parseToken(text.Value)
	return brokenKey(contactKey(engine.RecordKey{Store: store, ID: t.customer}))
}

// readToken reads who the visitor with a token is. Errors: ErrUnavailable.
func (d *DB) readToken(r *engine.Request, s *slot) error {
	reply, err := d.main.Run(r.Deadline, &redisdb.Call{
		Script: tokenScript, Keys: []string{tokenKey(s.id, *r.Token)}, Args: tokenArgs(s.contacts, false),
	})
	if err != nil {
		if redisdb.IsReply(err) && !redisdb.CertainlyRefused(err) {
			d.broken(tokenKey(s.id, *r.Token))
		}
		return engine.ErrUnavailable
	}
	if r.TokenText, _, err = parseTokenReply(s.id, *r.Token, reply); err != nil {
		d.brokenBy(err, "")
		return engine.ErrUnavailable
	}
	d.owners.remember(s.id, *r.Token, r.TokenText)
	return nil
}

// owners remembers what the latest tokens were found to be, in bounded memory.
type owners [ownerSlots]atomic.Pointer[owner]

// ownerSlots is how many tokens are remembered at most.
const ownerSlots = 1 << 14

type owner struct {
	store uuid.UUID
	token commerce.KeyHash
	text  engine.TokenText
}

func (o *owners) slot(token *commerce.KeyHash) *atomic.Pointer[owner] {
	return &o[binary.LittleEndian.Uint32(token[:])%ownerSlots]
}

// find returns what was last found of a token. False: nothing was.
func (o *owners) find(store uuid.UUID, token *commerce.KeyHash) (engine.TokenText, bool) {
	if known := o.slot(token).Load(); known != nil && known.token == *token && known.store == store {
		return known.text, true
	}
	return engine.TokenText{}, false
}

// remember notes what was found of a token that there is.
func (o *owners) remember(store uuid.UUID, token commerce.KeyHash, text engine.TokenText) {
	if before, known := o.find(store, &token); known && before == text || text.Value == "" && !known {
		return
	}
	o.slot(&token).Store(&owner{store: store, token: token, text: text})
}

// customer is whose a token was found to be; zero: not known.
func (o *owners) customer(store uuid.UUID, token *commerce.KeyHash) uuid.UUID {
	text, _ := o.find(store, token)
	t, _ := parseToken(text.Value)
	return t.customer
}
