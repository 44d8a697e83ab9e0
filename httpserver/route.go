package httpserver

import (
	"strings"

	"cartd/engine"
)

// route is one row of the table: a method and a path, its guards, and its handler. Everything that
// differs between routes is in its row.
type route struct {
	method, path string
	// guards are judged first: the request is counted and needs a key. nil if the route needs no
	// key.
	guards *engine.Guards
	// record is the kind of record that the path's {id} names. Admission reads it in the same trip.
	record recordKind
	// visit is true for a write of a record. Its visit counts the request and checks its facts.
	visit bool
	// copies is true if the route makes a cart of another record, which it reads first. It is counted
	// by that read.
	copies bool
	// unreserved is true if the route may not use the requests that a store reserves for carts
	// (store.limits.reserved_for_carts): a crawl of the catalogue cannot starve a checkout.
	unreserved bool
	// basket is true if the body is a basket, whose unknown codes count as further requests.
	basket bool
	// bodyLimit is in bytes; 0 for defaultBodyLimit, the lowest limit.
	bodyLimit int
	handle    handler
	// status of a success.
	status int
	// tagged is true if a success has an ETag; that of a visit and of a copy always has one.
	tagged bool
	// once is true if an Idempotency-Key makes a write safe to repeat, matches if it compares If-Match. A visit does both, but that a
	// new record has nothing to compare.
	once, matches bool
	// secret is true if the body has a password. The Idempotency-Key then has no effect, so that
	// Redis remembers nothing about the body.
	secret bool
	// acts is true for a change of the merchant's that the store's history has, with the name of the key.
	acts bool
	// constantTime is true if the time of the answer must not show whether an address is known: it has
	// no Server-Timing, also for a client that asks for it.
	constantTime bool
	// probe is true for a probe of load balancers. It is answered while the node waits for its engine,
	// and it is not in the access log.
	probe bool
	// allow lists the methods of the path; only in the row for all other methods (see dispatch.go).
	allow string
	// api is for the description of the API.
	api operation
}

// handler appends the body of a success to x.out, or returns an error: a *commerce.Refusal, a
// *problem, errNotModified, or an error of the engine.
type handler func(s *Server, x *exchange) error

// recordKind is the kind of record that the {id} of a path names.
type recordKind uint8

const (
	noRecord recordKind = iota
	cartRecord
	// stockRecord is the store's stock, documentRecord its document. Admission reads no record for them.
	stockRecord
	documentRecord
	// contactRecord is the contact of the customer token, not of {id}.
	contactRecord
	// accountRecord is the account of {id}.
	accountRecord
	// quoteRecord is the quote of {token}.
	quoteRecord
	// storeQuoteRecord is the quote of {id}, newQuoteRecord one to be made, for which admission reads no record.
	storeQuoteRecord
	newQuoteRecord
	// orderRecord is the order of {id}.
	orderRecord
	// tokenOrderRecord is the order of {token}, which only the store's secret finds.
	tokenOrderRecord
)

// allPaths returns the path of the row and its aliases.
func (r *route) allPaths() []string {
	all := []string{r.path}
	for _, alias := range aliases {
		if below, ok := strings.CutPrefix(r.path, alias.from); ok {
			all = append(all, alias.to+below)
		}
	}
	return all
}
