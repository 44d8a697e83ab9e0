package persistence

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// contactKey is a customer's record: {<store>}:contact:<customer id>, without expiry.
func contactKey(k commerce.RecordKey) string { return contactPrefix(k.Store) + k.ID.String() }

func contactPrefix(store uuid.UUID) string { return "{" + store.String() + "}:contact:" }

// tokenKey is a customer token: {<store>}:token:<sha256 hex> → customer id, expiry
// (Unix ms), session number; it leaves with its expiry.
func tokenKey(store uuid.UUID, hash commerce.KeyHash) string {
	return "{" + store.String() + "}:token:" + hexText(hash[:])
}

// contact is what a customer's record holds. Its head stands right behind the
// stamp, at a fixed place, so that admissions read nothing else.
type contact struct {
	contactHead
	contactBody
}

// contactHead: flags (1 byte), session number (8), group (16).
type contactHead struct {
	guest, b2b, approved bool
	session              uint64
	group                uuid.UUID // zero: none
}

const contactHeadSize = 1 + 8 + 16

// contactBody is everything that no other request's path needs, kept as JSON, for
// it may grow.
type contactBody struct {
	Email              string `json:"email"`
	FirstName          string `json:"first_name,omitempty"`
	LastName           string `json:"last_name,omitempty"`
	Phone              string `json:"phone,omitempty"`
	CompanyName        string `json:"company_name,omitempty"`
	RegistrationNumber string `json:"registration_number,omitempty"`
	VATID              string `json:"vat_id,omitempty"`
	ExternalID         string `json:"external_id,omitempty"`
	PasswordHash       string `json:"password_hash,omitempty"`
	// Own are the fields that no import changes back.
	Own       commerce.ProfileFields `json:"own,omitempty"`
	Reset     storedToken            `json:"reset,omitzero"`
	CreatedAt time.Time              `json:"created_at"`
	UpdatedAt time.Time              `json:"updated_at,omitzero"`
	Addresses []commerce.Address     `json:"addresses,omitempty"`
	// Tokens are the document's sessions, so that they can be exported again.
	Tokens []storedToken `json:"tokens,omitempty"`
}

type storedToken struct {
	Hash      string    `json:"sha256"`
	ExpiresAt time.Time `json:"expires_at"`
}

const (
	contactGuest = 1 << iota
	contactB2B
	contactApproved
)

func appendContact(dst []byte, r *commerce.Record[*contact]) []byte {
	dst = append(dst, recordFormat)
	dst = appendStamp(dst, r.Stamp)
	dst = appendContactHead(dst, &r.State.contactHead)
	dst = appendWriters(dst, r.Writers)
	body, err := json.Marshal(&r.State.contactBody)
	if err != nil {
		panic(err) // a struct of texts and times
	}
	return appendText(dst, string(body))
}

func appendContactHead(dst []byte, h *contactHead) []byte {
	flags := flag(h.guest)*contactGuest | flag(h.b2b)*contactB2B | flag(h.approved)*contactApproved
	dst = append(dst, flags)
	dst = binary.BigEndian.AppendUint64(dst, h.session)
	return append(dst, h.group[:]...)
}

func (r *reader) contactHead() (h contactHead) {
	flags := r.byte()
	h.guest, h.b2b, h.approved = flags&contactGuest != 0, flags&contactB2B != 0, flags&contactApproved != 0
	h.session, h.group = r.uint64(), r.uuid()
	return h
}

func decodeContact(b string) (commerce.Record[*contact], error) {
	r := reader{b: b}
	record := commerce.Record[*contact]{Stamp: r.open(), State: &contact{}}
	record.State.contactHead = r.contactHead()
	record.Writers = r.writers()
	body := r.text()
	if r.bad || json.Unmarshal([]byte(body), &record.State.contactBody) != nil {
		return commerce.Record[*contact]{}, errCorrupt
	}
	return record, nil
}

// guestRecord is the contact that e-mail capture makes. Its stamp is the cart
// commit's, which is used for no other state of this record.
func guestRecord(g *commerce.Guest, stamp commerce.Stamp) []byte {
	state := &contact{
		contactHead: contactHead{guest: true},
		contactBody: contactBody{Email: g.Email, CreatedAt: g.At},
	}
	return appendContact(nil, &commerce.Record[*contact]{Stamp: stamp, State: state})
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
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return token{}, false
	}
	customer, ok := commerce.ParseID(fields[0])
	expires, err := strconv.ParseInt(fields[1], 10, 64)
	session, err2 := strconv.ParseUint(fields[2], 10, 64)
	return token{customer: customer, expires: expires, session: session}, ok && err == nil && err2 == nil
}

// resolveToken reads the token script's reply: who the visitor is at now. A token
// that is unknown, past its expiry or of an ended session resolves to nobody.
// Spec: Customer token.
func resolveToken(reply any, now time.Time) commerce.Visitor {
	nobody := commerce.Visitor{TokenSent: true}
	parts, ok := reply.([]any)
	if !ok || len(parts) < 2 {
		return nobody
	}
	text, _ := parts[0].(string)
	contact, _ := parts[1].(string)
	t, ok := parseToken(text)
	r := reader{b: contact}
	r.open()
	h := r.contactHead()
	if !ok || r.bad || h.guest || h.session != t.session || now.UnixMilli() >= t.expires {
		return nobody
	}
	return commerce.Visitor{
		TokenSent: true, Known: true,
		CustomerID: t.customer, GroupID: h.group, B2B: h.b2b, Approved: h.approved,
		Session: commerce.Session{ExpiresAt: t.expires, Number: t.session},
	}
}
