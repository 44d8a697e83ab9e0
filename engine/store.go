package engine

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Carts serves admitted requests on carts. Errors: *commerce.Refusal, ErrUnavailable,
// ErrUnknownOutcome and, of Create and Change, ErrOutdated.
type Carts interface {
	Create(*Request) (Reply, error)
	// Read answers by what admission has found of the record, Load reads it first.
	Read(*Request) (Reply, error)
	Load(*Request) (Reply, error)
	Change(*Request) (Reply, error)
	// Known returns a record that the node holds, possibly out of date, or nil.
	Known(RecordKey) *CartRecord
}

// Contacts serves admitted requests on contacts. Errors: *commerce.Refusal, ErrUnavailable,
// ErrUnknownOutcome and, of Change, ErrOutdated.
type Contacts interface {
	Read(*Request) (Reply, error)
	Change(*Request) (Reply, error)
	// Find returns a contact as the node holds it, possibly out of date, else as Redis does; nil if
	// there is none. Errors: ErrUnavailable.
	Find(key RecordKey, deadline time.Time) (*Record[*commerce.Contact], error)
}

// Quotes serves admitted requests on quotes.
type Quotes interface {
	// Read returns a quote as Redis has it; nil if there is none. Errors: ErrUnavailable.
	Read(key RecordKey, deadline time.Time) (*Record[*commerce.Quote], error)
	// Change applies Request.QuoteCommand. Errors: *commerce.Refusal, ErrUnavailable,
	// ErrUnknownOutcome, ErrOutdated.
	Change(*Request) (Reply, error)
}

// Store is what the use cases need of Redis besides the records.
type Store interface {
	// Admit counts the request and fills in its facts. A request whose key does not resolve is
	// counted by Client, and admitted without Store and Key. Errors: ErrUnavailable.
	Admit(*Request) error
	// Recall fills in a write's facts by what the node knows; a customer token that it does not
	// know is read first. False: it does not know enough, so that Admit has to ask.
	// Errors: ErrUnavailable.
	Recall(*Request) (known bool, err error)
	// Refresh is Recall behind ErrOutdated: whatever is out of date is read first.
	// Errors: ErrUnavailable.
	Refresh(*Request) error
	// AwaitReplicas returns once as many replicas as have to have everything that was written
	// before. Errors: ErrUnavailable, ErrUnknownOutcome.
	AwaitReplicas(store uuid.UUID, deadline time.Time) error
	// TakeTrip takes the trip to Redis that a commit takes, and changes nothing.
	// Errors: ErrUnavailable, ErrUnknownOutcome.
	TakeTrip(store uuid.UUID, deadline time.Time) error
	// Unready is RedisAway or RedisReadOnly while that is so; empty if requests can be served.
	Unready() Unavailable
	// SilentServers lists, by address, the servers of a Redis Cluster that do not answer.
	SilentServers() []string

	// FindAccount looks an account up by its e-mail address. Errors: ErrUnavailable.
	FindAccount(store uuid.UUID, email string) (Account, error)
	// Register makes an account with its first token, in the place of what FindAccount saw.
	// Errors: ErrTaken, ErrUnavailable, ErrUnknownOutcome.
	Register(r *Request, seen Account, c *commerce.Contact, s *commerce.Session) error
	// SaveSession writes a customer's new token. Errors: ErrUnavailable, ErrUnknownOutcome.
	SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error
	// EndSession ends one token. Errors: ErrUnavailable, ErrUnknownOutcome.
	EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error

	// BeginLogin counts a login of one caller with one address and, if a trusted proxy named the
	// caller, with all addresses; BeginCode counts a try, on one cart, of a code that no active
	// discount of the store has: until the attempt ends. CodeBudget is what BeginCode would
	// find; it counts nothing. Errors: ErrUnavailable.
	BeginLogin(store uuid.UUID, email string, caller Caller, deadline time.Time) (Attempt, error)
	BeginCode(cart RecordKey, caller netip.Addr) (Attempt, error)
	CodeBudget(cart RecordKey, caller netip.Addr) (Budget, error)

	// AccountCarts reads the first members of the index of a customer's active carts, by creation:
	// more than MaxMembers if there are so many. LoadCarts reads carts, in the order of the keys;
	// one that is gone is zero. Errors: ErrUnavailable.
	AccountCarts(store, customer uuid.UUID, deadline time.Time) ([]uuid.UUID, error)
	LoadCarts(keys []RecordKey, deadline time.Time) ([]CartRecord, error)
	// CartRoom is how large a cart may become.
	CartRoom() commerce.Room

	// StockLevels reads the stock of items, in their order, as a cart sees it (zero: as nobody's
	// cart does). Errors: ErrUnavailable.
	StockLevels(store, cart uuid.UUID, items []uuid.UUID) ([]commerce.StockLevel, error)
	// Order reads an order; nil if there is none. Errors: ErrUnavailable.
	Order(key RecordKey, deadline time.Time) (*Record[*commerce.Order], error)
	// Orders reads a page of a customer's orders. Errors: ErrUnavailable.
	Orders(customer RecordKey, q *OrderQuery, deadline time.Time) (OrderPage, error)
	// QuoteID finds a quote by the hash of its token; zero: there is none. QuoteAnswer also counts an
	// accept or a decline of the caller; nil: a token that nobody has. Errors: ErrUnavailable.
	QuoteID(store uuid.UUID, token commerce.KeyHash, deadline time.Time) (uuid.UUID, error)
	QuoteAnswer(store uuid.UUID, caller netip.Addr, token *commerce.KeyHash, deadline time.Time) (uuid.UUID, Budget, error)
	// AdjustStock changes what is on hand of an item. Errors: *commerce.Refusal, ErrUnavailable,
	// ErrUnknownOutcome.
	AdjustStock(*Request, *commerce.StockAdjustment) (StockAdjusted, error)
}

// Account is what is found under an e-mail address.
type Account struct {
	// Record is the account's; nil if nobody has the address.
	Record *Record[*commerce.Contact]
	// Entry is what the index of addresses held. Where Record is nil it names an account that is
	// gone or has another address since.
	Entry string
}

// Attempt is a login, or the try of an unknown code, under way. It counts as a failure until it
// ends.
type Attempt interface {
	// Budget is of failures. It is not granted if too many have failed.
	Budget() Budget
	// End says whether the attempt failed.
	End(failed bool)
}

// Passwords hashes passwords and verifies them, a few at a time. Errors: ErrUnavailable.
type Passwords interface {
	Hash(password string, deadline time.Time) (string, error)
	Verify(hash, password string, deadline time.Time) (bool, error)
}
