package httpserver

import (
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
)

// The guards of the routes: modules, scopes and tokens that a request needs. Those of reads:
var (
	anyKey    = &engine.Guards{Fallback: true}
	browse    = &engine.Guards{Modules: only(commerce.ModuleCatalog), Scopes: commerce.AnyOf(commerce.CatalogRead, commerce.CommerceRead), Fallback: true}
	configure = &engine.Guards{Modules: only(commerce.ModuleConfigurator), Scopes: commerce.AnyOf(commerce.CatalogRead, commerce.CommerceRead)}
	readCarts = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceRead)}
	listCarts = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceRead),
		Token: commerce.InvalidCustomerToken, Customers: true}
	readOrders = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceRead), Token: commerce.InvalidCustomerToken}
	findOrders = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceRead), TokenIgnored: true}
	ownQuotes  = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesRead, commerce.CommerceRead),
		Token: commerce.InvalidCustomerToken}
	readQuotes      = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesRead, commerce.CommerceRead), TokenIgnored: true}
	readContact     = &engine.Guards{Scopes: commerce.AnyOf(commerce.ContactsRead), Token: commerce.InvalidCustomerToken}
	readStock       = &engine.Guards{Modules: only(commerce.ModuleStock), Scopes: commerce.AnyOf(commerce.CatalogRead, commerce.CommerceRead)}
	readSales       = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.OrdersRead), TokenIgnored: true}
	readStoreQuotes = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesManage, commerce.StoreRead), TokenIgnored: true}
	readContacts    = &engine.Guards{Scopes: commerce.AnyOf(commerce.StoreRead, commerce.SalesManage), TokenIgnored: true}
	readStoreCarts  = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.StoreRead), TokenIgnored: true}
	readLevels      = &engine.Guards{Modules: only(commerce.ModuleStock), Scopes: commerce.AnyOf(commerce.StoreRead), TokenIgnored: true}
	readDocument    = &engine.Guards{Scopes: commerce.AnyOf(commerce.StoreRead, commerce.CatalogManage), TokenIgnored: true}
	readStore       = &engine.Guards{Scopes: commerce.AnyOf(commerce.StoreRead), TokenIgnored: true}
)

// Those of writes that a store refuses while it is closed for orders (Sells): a cart is changed or sold.
var (
	writeCarts = &engine.Guards{Sells: true, Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite)}
	claimCarts = &engine.Guards{Sells: true, Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite),
		Token: commerce.Unauthenticated, Customers: true}
	checkOut = &engine.Guards{Sells: true, Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite),
		SentToken: commerce.InvalidCustomerToken}
	writeOrders = &engine.Guards{Sells: true, Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite),
		Token: commerce.InvalidCustomerToken}
	requestQuote = &engine.Guards{Sells: true, Quotes: true, Modules: only(commerce.ModuleCommerce),
		Scopes: commerce.AnyOf(commerce.SalesWrite, commerce.CommerceWrite), SentToken: commerce.InvalidCustomerToken}
	acceptQuotes = &engine.Guards{Sells: true, Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesWrite, commerce.CommerceWrite),
		TokenIgnored: true}
)

// Those of writes that a store takes also while it is closed for orders.
var (
	// What a shopper gives back or declines.
	cancelOwnOrders  = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite), Token: commerce.InvalidCustomerToken}
	writeTokenOrders = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.CommerceWrite), TokenIgnored: true}
	declineQuotes    = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesWrite, commerce.CommerceWrite), TokenIgnored: true}
	// Accounts.
	signIn         = &engine.Guards{Scopes: commerce.AnyOf(commerce.ContactsWrite)}
	writeContact   = &engine.Guards{Scopes: commerce.AnyOf(commerce.ContactsWrite), Token: commerce.InvalidCustomerToken}
	changeContacts = &engine.Guards{Scopes: commerce.AnyOf(commerce.SalesManage), TokenIgnored: true}
	manageContacts = &engine.Guards{Scopes: commerce.AnyOf(commerce.ContactsManage), TokenIgnored: true}
	// The merchant's work: payments and parcels, drafts and offers, the document and stock.
	changeSales = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: commerce.AnyOf(commerce.OrdersWrite), TokenIgnored: true}
	writeQuotes = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: commerce.AnyOf(commerce.SalesManage), TokenIgnored: true}
	manageStore = &engine.Guards{Scopes: commerce.AnyOf(commerce.CatalogManage), TokenIgnored: true}
	adjustStock = &engine.Guards{Modules: only(commerce.ModuleStock), Scopes: commerce.AnyOf(commerce.CatalogWrite)}
)

func only(module commerce.Module) []commerce.Module { return []commerce.Module{module} }

// admit lets the engine count the request and judge everything that needs no record.
func (s *Server) admit(x *exchange) error {
	s.fillRequest(x)
	err := s.engine.Admit(&x.request)
	x.showBudget(errors.Is(err, commerce.TooManyAttempts))
	return err
}

// showBudget writes the headers of the request's limits, if it was counted by one. Only a 429, a refused
// request, has Retry-After.
func (x *exchange) showBudget(refused bool) {
	store := x.request.Budget
	if !x.request.Counted {
		store = engine.Budget{}
	}
	if x.request.Counted || refused {
		if shown := x.tightest(store); shown.Limit > 0 {
			shown.Granted = !refused
			x.setBudget(&shown)
		}
	}
}

// tightest returns the store's budget, or that of the client if it leaves less.
func (x *exchange) tightest(store engine.Budget) engine.Budget {
	client := x.request.Client
	if client.Limit > 0 && (store.Limit == 0 || client.Remaining < min(store.Remaining, store.Limit)) {
		return client
	}
	return store
}

// visits reports whether the request ends in a visit. The visit then counts the request.
func (x *exchange) visits() bool {
	if !x.route.visit {
		_, named := commerce.ParseID(x.param("id"))
		return x.route.changesDocument() && (named || x.route.path == catalogPath)
	}
	switch x.route.record {
	case cartRecord, orderRecord, storeQuoteRecord:
		return x.isID
	case accountRecord:
		return x.request.ContactID != uuid.Nil
	case noRecord: // a creation
		return x.validKey()
	}
	return true
}

// fillRequest gives the engine all that it needs to admit the request.
func (s *Server) fillRequest(x *exchange) {
	r := &x.request
	r.Guards, r.Unreserved, r.Timing = x.route.guards, x.route.unreserved, x.timing
	r.Caller = x.caller()
	r.Began, r.Deadline = x.began, x.began.Add(s.requestTimeout)
	if key, ok := bearer(&x.sent.authorization); ok {
		r.KeyHash = commerce.HashSecret(key)
	}
	if x.route.basket {
		r.Basket = x.basketToCount
	}
	if !r.Guards.TokenIgnored {
		r.Token = tokenHash(&x.sent.token)
	}
	if r.Token == nil && x.sent.token.lines > 0 && r.Guards.SentToken != nil {
		r.Token = new(commerce.KeyHash) // an empty token counts as sent, and does not resolve
	}
	switch x.route.record {
	case cartRecord:
		x.readID(&r.CartID)
	case orderRecord:
		x.readID(&r.OrderID)
	case storeQuoteRecord:
		x.readID(&r.QuoteID)
	case accountRecord:
		x.readID(&r.ContactID)
	case contactRecord:
		r.OfContact = true
		x.readKey() // only Redis knows the contact; it adds the contact's id
	case quoteRecord:
		r.QuoteToken = x.decodedParam("token")
		named := commerce.HashSecret([]byte(r.QuoteToken))
		x.readKey(uuid.UUID(named[:16]), uuid.UUID(named[16:]))
	}
	if x.route.acts {
		r.Operation = x.route.api.id
	}
	r.Write = x.visits()
}

// caller is the request's sender. Spec: Limits, Request rate.
func (x *exchange) caller() (c engine.Caller) {
	c.Addr, c.Forwarded = x.server.proxies().Client(x.ctx.RemoteAddr(), &x.ctx.Request.Header)
	return c
}

// readID reads the {id} of a record, and the Idempotency-Key of a write on it. An invalid id is 404, after the guards.
func (x *exchange) readID(id *uuid.UUID) {
	*id, x.isID = commerce.ParseID(x.param("id"))
	x.readKey(*id)
}

// readKey reads the Idempotency-Key of a write on a record.
func (x *exchange) readKey(scope ...uuid.UUID) {
	if x.route.method != fasthttp.MethodGet && !x.route.secret {
		x.request.Idempotency, x.keyFault = x.idempotency(scope...)
	}
}

// tokenHash returns the hash of the customer token, nil if none was sent. Several headers give the
// zero hash, which belongs to no token: they do not resolve.
func tokenHash(sent *sentHeader) *commerce.KeyHash {
	switch {
	case sent.lines > 1:
		return new(commerce.KeyHash)
	case len(sent.first) == 0:
		return nil
	}
	hash := commerce.HashSecret(sent.first)
	return &hash
}

// setBudget writes the headers of the request limit.
// Spec: Limits, Rate-limit headers.
func (x *exchange) setBudget(b *engine.Budget) {
	x.setNumber(headerLimit, int64(b.Limit))
	x.setNumber(headerRemaining, int64(min(max(0, b.Remaining), b.Limit)))
	if !b.Granted {
		x.setNumber(headerRetryAfter, max(1, wholeSeconds(b.RetryAfter)))
		x.setNumber(headerReset, unixSeconds(b.Reset))
	}
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// unixSeconds rounds up.
func unixSeconds(t time.Time) int64 { return t.Add(time.Second - 1).Unix() }

// setNestedBudget shows a second limit on the request if less is left of it than of the first. A
// second limit that is used up sets Retry-After, and is the cause of the 429.
func (x *exchange) setNestedBudget(cause string, b *engine.Budget) {
	if b.Limit > 0 && !b.Granted {
		x.limited = cause
	}
	if b.Limit > 0 && (!b.Granted || b.Remaining < x.tightest(x.facts.Budget).Remaining) {
		x.setBudget(b)
	}
}
