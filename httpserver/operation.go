package httpserver

import (
	"strings"

	"cartd/commerce"
	"cartd/internal/openapi"
)

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
