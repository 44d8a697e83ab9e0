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

// resolveToken reads the token script's reply: who the visitor is at now. A token
// that is unknown, past its expiry or of an ended session resolves to nobody.
// Spec: Customer token.
func resolveToken(reply any, now time.Time) commerce.Visitor {
	parts, ok := reply.([]any)
	if !ok || len(parts) < 2 {
		return commerce.Visitor{}
	}
	text, _ := parts[0].(string)
	contact, _ := parts[1].(string)
	t, ok := parseToken(text)
	r := reader{b: contact}
	r.open(contactFormat)
	h := r.contactHead()
	if !ok || r.bad || h.guest || h.session != t.session || now.UnixMilli() >= t.expires {
		return commerce.Visitor{}
	}
	return commerce.Visitor{
		Known: true, CustomerID: t.customer, GroupID: h.group, B2B: h.b2b, Approved: h.approved,
		Session: commerce.Session{ExpiresAt: t.expires, Number: t.session},
	}
}

// ResolveToken looks once more who the visitor with a token is, at now, and admits them
// with the whole contact and, where a key is given, its entry of the same moment.
// Errors: ErrUnavailable.
func (d *DB) ResolveToken(store uuid.UUID, hash commerce.KeyHash, once *engine.IdempotencyKey, now, deadline time.Time) (engine.Facts, error) {
	a := &admission{store: store, token: &hash, now: now, contact: true, contacts: contactPrefix(store), onces: oncePrefix(store)}
	if once != nil {
		a.onceName = hexText(once.Name[:])
	}
	reply, err := d.runScript(deadline, false, tokenScript, []string{tokenKey(store, hash)}, a.tokenArgs()...)
	if err == nil {
		err = a.seeVisitor(reply)
	}
	if err != nil { // only looked
		return engine.Facts{}, engine.ErrUnavailable
	}
	return engine.Facts{Visitor: a.visitor, Contact: a.owner, Entry: a.entry}, nil
}

// owners remembers whose the latest tokens were, in bounded memory, so that admission
// knows before it asks whether the node holds the token's contact. It decides on how
// much is read, and on nothing else: whose a token is, Redis says each time.
type owners [ownerSlots]atomic.Pointer[owner]

// ownerSlots is how many tokens are remembered at most.
const ownerSlots = 1 << 14

type owner struct {
	store    uuid.UUID
	token    commerce.KeyHash
	customer uuid.UUID
}

func (o *owners) slot(token *commerce.KeyHash) *atomic.Pointer[owner] {
	return &o[binary.LittleEndian.Uint32(token[:])%ownerSlots]
}

// find returns the customer of a token when it was seen last; zero: not known.
func (o *owners) find(store uuid.UUID, token *commerce.KeyHash) uuid.UUID {
	if known := o.slot(token).Load(); known != nil && known.token == *token && known.store == store {
		return known.customer
	}
	return uuid.Nil
}

// remember notes whose a token is; known is what find said of it.
func (o *owners) remember(store uuid.UUID, token *commerce.KeyHash, customer, known uuid.UUID) {
	if customer != known {
		o.slot(token).Store(&owner{store: store, token: *token, customer: customer})
	}
}
