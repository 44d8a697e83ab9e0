package httpserver

import (
	"strings"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
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

// operation is the part of a row that only the API's description needs. Everything else in the
// description follows from the row's other fields. See description.go.
type operation struct {
	// id names the operation in generated clients, about is its summary, and notes are further
	// facts for a caller.
	id, about, notes string
	// rules is the section of docs/api that has the operation's rules, as in carts.md#claim.
	rules string
	// query are the parameters that the route reads.
	query []openapi.Parameter
	// taxed is true if taxCountryParameter is one of them: a store that does not tax by country ignores it.
	taxed bool
	// includes are the values of ?include= that the route has beside error_codes.
	includes []include
	// in is the shape of the request's body, nil if none is read. out is the shape of a success's
	// body, nil if there is none.
	in, out *openapi.Schema
	// repeated is the status if an earlier request has made the same already; 0 if it is the same.
	repeated int
	// media is the type of a success's body; empty for JSON.
	media string
	// finds are the models of the path's ids by their placeholder, except carts and lines.
	finds map[string]string
	// refuses are the route's own refusals; guards and flags add further ones.
	refuses []*commerce.Refusal
}

// limited reports whether the request is counted and needs a key.
func (r *route) limited() bool { return r.guards != nil }

// repeatable reports whether an Idempotency-Key makes the request safe to repeat.
func (r *route) repeatable() bool { return r.visit || r.copies || r.once }

// conditional reports whether the request compares If-Match.
func (r *route) conditional() bool { return r.visit && r.record != noRecord || r.matches }

// changesDocument reports whether the request changes the store's document.
func (r *route) changesDocument() bool { return r.record == documentRecord && r.method == "PATCH" }

// creates reports whether the request makes a cart.
func (r *route) creates() bool { return r.visit && r.record == noRecord || r.copies }

// sells reports whether a store that is closed for orders refuses the request.
func (r *route) sells() bool { return r.guards != nil && r.guards.Sells && r.method != "GET" }

// hasTag reports whether a success carries an ETag.
func (r *route) hasTag() bool { return r.tagged || r.visit || r.copies }

// models returns the models of the ids in the path, in order.
func (r *route) models() (all []string) {
	for _, name := range placeholders(r.path) {
		if model := r.model(name); model != "" { // else the path names no record
			all = append(all, model)
		}
	}
	return all
}

func (r *route) model(placeholder string) string {
	switch {
	case placeholder == "lineId":
		return "CartLine"
	case r.api.finds[placeholder] != "":
		return r.api.finds[placeholder]
	case r.record == cartRecord:
		return "Cart"
	case r.record == contactRecord:
		return "Address"
	case r.record == storeQuoteRecord:
		return "Quote"
	case r.record == orderRecord, r.record == tokenOrderRecord:
		return "Order"
	}
	return ""
}

func placeholders(path string) (names []string) {
	for _, part := range strings.Split(path, "/") {
		if name, is := strings.CutPrefix(part, "{"); is {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// allRefusals lists all refusals of the route: by its guards, by its flags, and its own.
func (r *route) allRefusals() (all []*commerce.Refusal) {
	if g := r.guards; g != nil {
		all = append(all, commerce.Unauthenticated)
		if g.Token != nil && g.Token != commerce.Unauthenticated {
			all = append(all, g.Token)
		} else if g.SentToken != nil {
			all = append(all, g.SentToken)
		}
		all = append(all, commerce.TenantSuspended)
		if g.Scopes != 0 {
			all = append(all, commerce.InvalidAbility)
		}
		for _, m := range g.Modules {
			all = append(all, commerce.ModuleDisabled(m))
		}
		all = append(all, commerce.TooManyAttempts)
		if r.sells() {
			all = append(all, commerce.StoreClosed)
		}
	}
	if r.record == cartRecord || r.creates() {
		all = append(all, commerce.CartOwned)
	}
	for _, model := range r.models() {
		all = append(all, commerce.NotFound(model, exampleID))
	}
	if r.record == contactRecord && r.method == "POST" && r.repeatable() { // a replay whose address is deleted
		all = append(all, commerce.NotFound("Address", exampleID))
	}
	if r.conditional() && r.record == cartRecord {
		all = append(all, commerce.CartChanged, commerce.CartTooLarge)
	} else if r.conditional() && (r.record == orderRecord || r.record == tokenOrderRecord) {
		all = append(all, commerce.OrderChanged)
	} else if r.record == accountRecord {
		all = append(all, commerce.ContactChanged)
	} else if r.conditional() && r.record == storeQuoteRecord {
		all = append(all, commerce.QuoteStale)
	} else if r.conditional() && !r.changesDocument() {
		all = append(all, commerce.AddressBookChanged)
	}
	if r.repeatable() {
		all = append(all, commerce.IdempotencyKeyInvalid, commerce.IdempotencyKeyReused)
	}
	if r.api.in != nil {
		all = append(all, commerce.InvalidJSON, commerce.BodyTooLarge)
	}
	return append(all, r.api.refuses...)
}

// exampleID is the id in the description's examples.
const exampleID = "9f6c1f0e-7d55-4f27-9a3b-2b2f6f5d1c10"
