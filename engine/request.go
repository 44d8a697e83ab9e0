package engine

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/ratelimit"
)

// Request is one request from its decoding to its reply.
type Request struct {
	// Guards are the checks of its route.
	Guards *Guards
	// KeyHash is the hash of the API key; zero if the request carries none.
	KeyHash commerce.KeyHash
	// Caller is counted by the limiter if no key resolves.
	Caller Caller
	// Token is the hash of X-Customer-Token; nil if none was sent.
	Token *commerce.KeyHash

	// CartID is the cart in the path, or the cart to be created; zero if there is none.
	CartID uuid.UUID
	// OfContact is true if the request needs the record of the token's contact. ContactID is that
	// contact, or one found by e-mail.
	OfContact bool
	ContactID uuid.UUID
	// QuoteToken is the token in the path. QuoteID is the quote that it names.
	QuoteToken string
	QuoteID    uuid.UUID
	// OrderID is the order in the path.
	OrderID uuid.UUID
	// Part is the address that the answer shows; zero if it shows the whole record.
	Part uuid.UUID

	// Operation is the id of the operation, for the store's history; empty if it is none of the merchant's changes.
	Operation string

	// Command is the requested change, a commerce.Command of the record in the path; nil for a read and
	// for a creation.
	Command any
	// Fault is the decoder's refusal of the body. The order of judgement has a step for it.
	Fault *commerce.Refusal
	// Idempotency is the request's Idempotency-Key, Match its If-Match; nil if not sent.
	Idempotency *IdempotencyKey
	Match       *Match
	// CreationKey makes the Idempotency-Key of a creation in the scope of a customer, zero if there is
	// none; nil if not sent.
	CreationKey func(customer uuid.UUID) *IdempotencyKey

	// Copy is the content of the cart to be created; nil for an empty one.
	Copy *commerce.CartCopy

	// Began and Deadline bound the request, by the node's monotonic clock.
	Began, Deadline time.Time
	// Seen is the greatest stamp counter of the cart in the path that its connection has carried in
	// an answer; 0 if there is none or if it is not known any more.
	Seen uint64
	// Write is true if a visit counts the request and compares its facts. The node may then judge it
	// by the facts in its memory.
	Write bool
	// Unreserved is true if the route may not use what the store reserves for carts of its request limit.
	Unreserved bool
	// Basket decodes the basket of the body, whose unknown codes count as further requests; nil on routes
	// without one. It returns nil if the body is none.
	Basket func() *commerce.Basket
	// Client is the budget of the request's client; zero if the store does not limit clients. It is
	// counted once, in this node's memory.
	Client Budget
	// Timing measures the request's phases; nil unless traces or Server-Timing need them.
	Timing *Timing

	Facts
}

// Caller is the address of a request's sender.
type Caller struct {
	Addr netip.Addr
	// Forwarded is true if a trusted proxy named the address, so that it is the visitor's own. Without
	// a trusted proxy, all visitors of a storefront's server share one address.
	Forwarded bool
}

// Network is the network that a limit on callers counts as one: an IPv4 address, or an IPv6 /64.
func (c Caller) Network() netip.Prefix { return ratelimit.Network(c.Addr) }

// Guards are the checks of a route that need no record.
type Guards struct {
	// Quotes requires that the store accepts requests for quotes. It is checked ahead of the modules.
	Quotes bool
	// Modules must all be enabled. The refusal names the first one that is not.
	Modules []commerce.Module
	// Scopes has the scopes of which the API key needs one; empty if every key may.
	Scopes commerce.Scopes
	// Token is the refusal if X-Customer-Token is missing or does not resolve; nil if the token is
	// optional.
	Token *commerce.Refusal
	// Customers is true if Token is also the refusal where the customers module is off.
	Customers bool
	// SentToken is the refusal if the store has the customers module and X-Customer-Token is sent,
	// even empty, and does not resolve; nil if such a token is ignored.
	SentToken *commerce.Refusal
	// Fallback permits the node to answer from its memory, under its own window, while Redis is
	// unreachable. It excludes requests with a customer token, which only Redis resolves.
	Fallback bool
	// Sells is true if the request changes carts, or makes an order or a quote: a store that is closed
	// for orders refuses it.
	Sells bool
	// TokenIgnored is true if the route ignores X-Customer-Token.
	TokenIgnored bool
}

// Reply is the result of a request. With a refusal for a version that does not match, it has the
// current record.
type Reply struct {
	Cart    *commerce.Cart
	Contact *commerce.Contact
	// Quote is the quote that was answered or made; nil if it has to be read.
	Quote *commerce.Quote
	// Part is the address that the answer shows; zero if it shows the whole record.
	Part uuid.UUID
	// Stamp belongs to the record. CommitIndex is the position of the command in its commit; it is 0
	// for the last one and for every read.
	Stamp       Stamp
	CommitIndex int
	// Size is the length of the record in Redis, in bytes; 0 if it is not known.
	Size int
	// Replayed is true if an earlier sending of this request made the change. Existing is true if
	// another request did.
	Replayed, Existing bool
	// Order is the order that was made or changed; nil if it has to be read.
	Order *commerce.Order
	// Document is the store's document that was changed; nil for other records.
	Document *StoreState
	// Facts are those of the last judgement.
	Facts *Facts
	// Nested is a further limit that the request is under; zero if there is none.
	Nested Budget
	// Fold is the change of other carts by a claim's last commit; nil if there was none. Report covers
	// all its commits.
	Fold   *Fold
	Report []commerce.FoldReport
}

// Version is the version of the record that the reply shows.
func (r *Reply) Version() Version { return r.Stamp.Version(r.CommitIndex) }

// Phase is one part of the time that a request took.
type Phase struct {
	Name         string
	Began, Ended time.Time
}

// The phases that the engine and the actors note. A visit is a trip to Redis for the admission or
// the record.
const (
	PhaseJudge = "judge"
	PhaseVisit = "visit"
)

// Timing notes the phases of one request. A nil Timing notes nothing and costs nothing.
type Timing struct {
	mu     sync.Mutex
	phases []Phase
}

// Begin is the beginning of a phase.
func (t *Timing) Begin() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// End notes a phase that ends now. The request's caller may have left.
func (t *Timing) End(name string, began time.Time) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phases = append(t.phases, Phase{name, began, time.Now()})
}

// Phases returns the phases noted so far, in the order of their ends.
func (t *Timing) Phases() []Phase {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.phases)
}
