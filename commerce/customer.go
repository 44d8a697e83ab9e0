package commerce

import (
	"crypto/hmac"
	"crypto/sha256"
	"math"
	"time"

	"github.com/google/uuid"
)

// Customer is an account as the store document describes it.
type Customer struct {
	ID                  uuid.UUID
	Email               string // Unicode-lowercased
	FirstName, LastName string
	Phone               string
	B2B                 bool // kind b2b
	CompanyName         string
	RegistrationNumber  string
	VATID               string
	ExternalID          string
	GroupID             uuid.UUID // zero if there is none
	Approved            bool      // b2b only; false while approval is pending
	ReverseCharge       bool      // with a VATID only
	Password            string    // clear text, hashed at import; may be empty
	PasswordHash        string    // bcrypt or argon2id text; may be empty
	Tokens              []CustomerToken
	Addresses           []Address
}

// CustomerToken is a session that the document has made, stored only as its hash.
type CustomerToken struct {
	Hash      KeyHash
	ExpiresAt time.Time
}

// Visitor is the customer that X-Customer-Token resolves to. Spec: Customer token.
type Visitor struct {
	// Known is true if the token resolves. The fields below count only then.
	Known      bool
	CustomerID uuid.UUID
	GroupID    uuid.UUID // zero if there is none
	B2B        bool
	Approved   bool
	// ReverseCharge is true if the customer's VAT id is good for reverse charge.
	ReverseCharge bool
	// Session is the token itself.
	Session Session
}

// Guest is a customer row made by e-mail capture.
type Guest struct {
	ID    uuid.UUID
	Email string
	At    time.Time
}

// GuestID derives the id of the guest customer of an e-mail address, so that finding and creating
// the row are one step. It is a UUID (version 8) from an HMAC of the lower-cased address with the
// store's secret.
func (s *Store) GuestID(email string) uuid.UUID {
	mac := hmac.New(sha256.New, s.Secret[:])
	mac.Write([]byte("guest\x00" + email))
	var id uuid.UUID
	copy(id[:], mac.Sum(nil))
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// CustomerOf is the customer in whose lists an order or a quote is: the one that it is bound to, else the guest of
// its e-mail address; zero if it has neither.
func (s *Store) CustomerOf(bound Binding, email string) uuid.UUID {
	if bound.Bound() || email == "" {
		return bound.ID
	}
	return s.GuestID(email)
}

// CustomerGroup is a named group of customers that prices can refer to.
type CustomerGroup struct {
	ID   uuid.UUID
	Name string
}

// EndedSession is the session number of an ended token. No contact has this number.
const EndedSession uint64 = math.MaxUint64

// Session is a customer token with the fields stored under its key.
type Session struct {
	Token KeyHash
	// ExpiresAt is in Unix milliseconds.
	ExpiresAt int64
	Number    uint64
}

// SessionMove keeps one token valid while all other sessions of the contact end.
type SessionMove struct{ From, To Session }
