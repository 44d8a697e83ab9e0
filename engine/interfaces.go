package engine

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// Carts serves admitted requests on carts. Errors: *commerce.Refusal, ErrUnavailable,
// ErrUnknownOutcome and, of Create and Change, ErrOutdated.
type Carts interface {
	Create(*Request) (Reply, error)
	// Read uses the record that admission found. Load reads the record first.
	Read(*Request) (Reply, error)
	Load(*Request) (Reply, error)
	Change(*Request) (Reply, error)
	// Known returns a record in this node's memory, possibly out of date, or nil.
	Known(RecordKey) *CartRecord
}

// Contacts serves admitted requests on contacts. Errors: *commerce.Refusal, ErrUnavailable,
// ErrUnknownOutcome and, of Change, ErrOutdated.
type Contacts interface {
	Read(*Request) (Reply, error)
	Change(*Request) (Reply, error)
	// Find returns a contact from this node's memory, possibly out of date, else from Redis; nil if
	// there is none. If fresh is true, it reads Redis. Errors: ErrUnavailable.
	Find(key RecordKey, fresh bool, deadline time.Time) (*Record[*commerce.Contact], error)
}

// Records serves admitted requests on another kind of record.
type Records[S any] interface {
	// Change applies Request.Command. Errors: *commerce.Refusal, ErrUnavailable,
	// ErrUnknownOutcome, ErrOutdated.
	Change(*Request) (Reply, error)
	// Fetch returns a record from Redis; nil if there is none. Errors: ErrUnavailable.
	Fetch(key RecordKey, deadline time.Time) (*Record[S], error)
	// Known is that of Carts.
	Known(RecordKey) *Record[S]
}

// Storage is the part of Redis that the use cases need besides the records.
type Storage interface {
	MerchantStorage
	// Identify sets the Store and the Key of Request.KeyHash as this node knows them, and counts nothing;
	// both are nil if the key resolves to none. Errors: ErrUnavailable.
	Identify(*Request) error
	// Admit counts the request and reads its facts. A request whose key does not resolve is counted by
	// Caller and admitted without Store and Key. Both Admit and Recall set Client first, unless it is set; if
	// it refuses the request, the facts come from this node's memory, and the store does not count the
	// request. Errors: ErrUnavailable.
	Admit(*Request) error
	// Recall fills in a write's facts from this node's memory; it reads an unknown customer token
	// first. It returns false if a fact is missing, so that Admit is needed. Errors: ErrUnavailable.
	Recall(*Request) (known bool, err error)
	// Refresh is Recall after ErrOutdated, and for a Watch: it reads outdated facts first. Errors:
	// ErrUnavailable.
	Refresh(store uuid.UUID, r *Request) error
	// CartStamps reads the stamps of carts in one pipeline for each master. A cart that does not exist
	// has the zero stamp; one that could not be read is left out.
	CartStamps(keys []RecordKey, deadline time.Time) map[RecordKey]Stamp
	// AwaitReplicas returns once the required number of replicas has all earlier writes. Errors:
	// ErrUnavailable, ErrUnknownOutcome.
	AwaitReplicas(store uuid.UUID, deadline time.Time) error
	// EmptyTrip makes a trip to Redis that costs as much as a commit and changes nothing. Errors:
	// ErrUnavailable, ErrUnknownOutcome.
	EmptyTrip(store uuid.UUID, deadline time.Time) error
	// Unready returns RedisAway or RedisReadOnly; empty if requests can be served.
	Unready() Unavailable
	// SilentServers lists, by address, the servers of a Redis Cluster that do not answer.
	SilentServers() []string

	// FindAccount finds an account by its e-mail address. Errors: ErrUnavailable.
	FindAccount(store uuid.UUID, email string, deadline time.Time) (Account, error)
	// SampleHashes reads the password hashes of a few accounts, chosen at random. Errors: ErrUnavailable.
	SampleHashes(store uuid.UUID, deadline time.Time) ([]string, error)
	// Register makes an account with its first token, if the address is still as FindAccount saw it.
	// Errors: ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
	Register(r *Request, seen Account, c *commerce.Contact, s *commerce.Session) error
	// FindExternal finds an account by its external id. Errors: ErrUnavailable.
	FindExternal(store uuid.UUID, externalID string, deadline time.Time) (Account, error)
	// SaveExternal makes or changes an account of an external id, if the account and its index entries
	// are still as they were seen. Errors: ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
	SaveExternal(*Request, *AccountChange) error
	// SaveSession writes a customer's new token. Errors: ErrUnavailable, ErrUnknownOutcome.
	SaveSession(store, customer uuid.UUID, s *commerce.Session, deadline time.Time) error
	// EndSession ends one token. Errors: ErrUnavailable, ErrUnknownOutcome.
	EndSession(store, customer uuid.UUID, s commerce.Session, deadline time.Time) error

	// BeginLogin counts a login of one caller with one address. If a trusted proxy named the caller,
	// it also counts it with all addresses. BeginCode counts a try, on one cart, of a code that no
	// active discount of the store has. Both return the budget ahead of the attempt, which is not
	// granted after too many, and count it as a failure unless it is taken back. CodeBudget returns
	// the budget of BeginCode and counts nothing. Errors: ErrUnavailable.
	BeginLogin(store uuid.UUID, email string, caller Caller, deadline time.Time) (before Budget, takeBack func(), err error)
	BeginCode(cart RecordKey, caller netip.Addr, deadline time.Time) (before Budget, takeBack func(), err error)
	CodeBudget(cart RecordKey, caller netip.Addr, deadline time.Time) (Budget, error)
	// CountCodes counts unknown codes of the price of a basket: each as one more request, whose budget is
	// then Request.Budget, and as a try of the caller if a trusted proxy named them. It returns the budget
	// of tries after these, zero if there is none. In the same trip it reads the counts of uses, if there
	// are any, into Request.Counts. Errors: ErrUnavailable.
	CountCodes(r *Request, unknown int, uses []commerce.Use) (Budget, error)

	// UseCounts reads the counts of uses by customers and codes, in their order. Errors: ErrUnavailable.
	UseCounts(store uuid.UUID, uses []commerce.Use, deadline time.Time) ([]int64, error)

	// AccountCarts reads the first members of the index of a customer's active carts, by creation;
	// more than MaxMembers if there are so many. LoadCarts reads carts, in the order of the keys; a
	// missing cart is zero. Errors: ErrUnavailable.
	AccountCarts(store, customer uuid.UUID, deadline time.Time) ([]uuid.UUID, error)
	LoadCarts(keys []RecordKey, deadline time.Time) ([]CartRecord, error)
	// EachAccountCart reads a page of the index, newest first, and calls CartQuery.Each for its carts.
	// It returns the number of members of the index. Errors: ErrUnavailable, those of the query.
	EachAccountCart(customer RecordKey, q *CartQuery, deadline time.Time) (total int, err error)

	// StockLevels reads the stock of items, in their order, as a cart sees it; a zero cart has no
	// stock on hold. It knows no limits. Errors: ErrUnavailable.
	StockLevels(store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error)
	// Order reads an order; nil if there is none. Errors: ErrUnavailable.
	Order(key RecordKey, deadline time.Time) (*Record[*commerce.Order], error)
	// Orders reads a page of a customer's orders. Errors: ErrUnavailable.
	Orders(customer RecordKey, q *OrderQuery, deadline time.Time) (OrderPage, error)
	// CustomerQuotes reads a page of a customer's quotes. Errors: ErrUnavailable.
	CustomerQuotes(customer RecordKey, q *QuoteQuery, deadline time.Time) (QuotePage, error)
	// OrdersByNumber reads a page of a store's orders. Errors: ErrUnavailable.
	OrdersByNumber(store uuid.UUID, q *NumberQuery, deadline time.Time) (NumberPage, error)
	// NewestOrders reads a page of a store's orders, the newest first; OrdersOfCustomer one of an account's or
	// a guest's, also the oldest first. Errors: ErrUnavailable.
	NewestOrders(store uuid.UUID, q *NumberQuery, deadline time.Time) (NumberPage, error)
	OrdersOfCustomer(customer RecordKey, q *NumberQuery, deadline time.Time) (NumberPage, error)
	// QuoteID finds a quote by the hash of its token; zero if there is none. QuoteAnswer also counts
	// an accept or a decline of the caller; its token is nil if the text cannot be one. Errors:
	// ErrUnavailable.
	QuoteID(store uuid.UUID, token commerce.KeyHash, deadline time.Time) (uuid.UUID, error)
	QuoteAnswer(store uuid.UUID, caller netip.Addr, token *commerce.KeyHash, deadline time.Time) (uuid.UUID, Budget, error)
	// QuoteEntry is the quote that an earlier request with the same Idempotency-Key made; zero if there is none.
	// MakeQuote makes a quote of the merchant's own, unless an earlier request did: then it returns that one's id.
	// Errors: *commerce.Refusal, ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
	QuoteEntry(*Request) (uuid.UUID, error)
	MakeQuote(*Request, *commerce.Quote) (made *Record[*commerce.Quote], earlier uuid.UUID, err error)
	// StoreQuotes reads a page of a store's quotes. Errors: ErrBefore, ErrUnavailable.
	StoreQuotes(store *commerce.Store, q *StoreQuoteQuery, now, deadline time.Time) (StoreQuotePage, error)
	// AdjustStock changes the stock on hand of an item. Errors: *commerce.Refusal, ErrOutdated,
	// ErrUnavailable, ErrUnknownOutcome.
	AdjustStock(*Request, *commerce.StockAdjustment) (StockAdjusted, error)
	// ReadPages reads packed pages of the store's document into CatalogueChange.Pages; without names those that the set needs.
	// It waits until the node has the document in force. Errors: ErrOutdated, ErrUnavailable.
	ReadPages(r *Request, change *CatalogueChange, names []storefile.PageName) error
	// GiveCodes gives codes of a batch. Errors: *commerce.Refusal, ErrOutdated, ErrUnavailable,
	// ErrUnknownOutcome.
	GiveCodes(*Request, *commerce.CodeRequest) (GivenCodes, error)
}

// Account is the result of a search by e-mail address, or by external id.
type Account struct {
	// Record is nil if no account has the address.
	Record *Record[*commerce.Contact]
	// Entry is the value in the index. If Record is nil, it names an account that is gone or has
	// another address now.
	Entry string
}

// Passwords hashes passwords and verifies them, a few of each store at a time. Errors: ErrUnavailable.
type Passwords interface {
	Hash(store uuid.UUID, password string, deadline time.Time) (string, error)
	// Verify reports whether a password matches a hash. Passwords that do not match cost the same work
	// for every hash up to the costliest cost, and for none; without a costliest cost that of the hash.
	Verify(store uuid.UUID, hash, password string, costliest commerce.HashCost, deadline time.Time) (bool, error)
}
