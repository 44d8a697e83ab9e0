package httpserver

import (
	"strings"

	"cartd/commerce"
	"cartd/engine"
)

// route is one row of the table: a method and a path, who may use it, and what
// serves it. Everything that differs between routes stands in its row.
type route struct {
	method, path string
	// guards are what is judged before anything else: the request is counted and needs a key.
	// nil if the route is open to everybody.
	guards *engine.Guards
	// record is what the path's {id} names; admission reads it along.
	record recordKind
	// visit: a write of a record. Its visit counts it and compares what it was judged by.
	visit bool
	// bodyLimit is in bytes; 0: defaultBodyLimit, the lowest.
	bodyLimit int
	handle    handler
	// status of a success.
	status int
	// secret bodies hold a password: no Idempotency-Key makes anything of them
	// remembered.
	secret bool
	// allow lists the methods of the path; only for the row that stands for all
	// other methods (see dispatch.go).
	allow string
}

// handler appends the body of a success to x.out, or returns why there is none:
// a *commerce.Refusal, a *problem, errNotModified, or an error of the engine.
type handler func(s *Server, x *exchange) error

// recordKind says what the {id} of a path names.
type recordKind uint8

const (
	noRecord recordKind = iota
	cartRecord
	// stockRecord is the store's stock: nothing that admission reads.
	stockRecord
	// contactRecord is the contact of the customer token, not of {id}.
	contactRecord
	// quoteRecord is the quote of {token}.
	quoteRecord
)

var (
	anyKey       = &engine.Guards{Fallback: true, TokenIgnored: true}
	browse       = &engine.Guards{Modules: only(commerce.ModuleCatalog), Scopes: anyOf(commerce.CatalogRead, commerce.CommerceRead), Fallback: true}
	checkOut     = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.CommerceWrite), SentToken: commerce.InvalidCustomerToken}
	requestQuote = &engine.Guards{Quotes: true, Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.SalesWrite, commerce.CommerceWrite), SentToken: commerce.InvalidCustomerToken}
	readQuotes   = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: anyOf(commerce.SalesRead, commerce.CommerceRead), TokenIgnored: true}
	answerQuotes = &engine.Guards{Modules: only(commerce.ModuleSales), Scopes: anyOf(commerce.SalesWrite, commerce.CommerceWrite), TokenIgnored: true}
	readOrders   = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.CommerceRead), Token: commerce.InvalidCustomerToken}
	readCarts    = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.CommerceRead)}
	writeCarts   = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.CommerceWrite)}
	claimCarts   = &engine.Guards{Modules: only(commerce.ModuleCommerce), Scopes: anyOf(commerce.CommerceWrite), Token: commerce.Unauthenticated, Customers: true}
	configure    = &engine.Guards{Modules: only(commerce.ModuleConfigurator), Scopes: anyOf(commerce.CatalogRead, commerce.CommerceRead)}
	readStock    = &engine.Guards{Modules: only(commerce.ModuleStock), Scopes: anyOf(commerce.CatalogRead, commerce.CommerceRead)}
	adjustStock  = &engine.Guards{Modules: only(commerce.ModuleStock), Scopes: anyOf(commerce.CatalogWrite)}
	signIn       = &engine.Guards{Scopes: anyOf(commerce.ContactsWrite, commerce.CustomersWrite)}
	readContact  = &engine.Guards{Scopes: anyOf(commerce.ContactsRead, commerce.CustomersRead), Token: commerce.InvalidCustomerToken}
	writeContact = &engine.Guards{Scopes: anyOf(commerce.ContactsWrite, commerce.CustomersWrite), Token: commerce.InvalidCustomerToken}
)

func only(module commerce.Module) []commerce.Module { return []commerce.Module{module} }

func anyOf(scopes ...commerce.Scope) (set commerce.Scopes) {
	for _, scope := range scopes {
		set = set.With(scope)
	}
	return set
}

const (
	cartsPath = "/v1/api/commerce/carts"
	cartPath  = cartsPath + "/{id}"
	linesPath = cartPath + "/lines"
	linePath  = linesPath + "/{lineId}"
	batchPath = linesPath + "/batch"

	discountPath = cartPath + "/discount"
	explainPath  = cartPath + "/explain"
	claimPath    = cartPath + "/claim"
	methodsPath  = cartPath + "/shipping-methods"
	checkoutPath = cartPath + "/checkout"
	ordersPath   = "/v1/api/commerce/orders"
	orderPath    = ordersPath + "/{id}"

	requestPath = cartPath + "/quote-request"
	quotesPath  = "/v1/api/sales/quotes"
	quotePath   = quotesPath + "/by-token/{token}"

	configuratorPath = "/v1/api/configurator/products/{id}"

	availabilityPath = "/v1/api/stock/availability"
	adjustmentsPath  = "/v1/api/catalog/stock-adjustments"

	productsPath   = "/v1/api/catalog/products"
	categoriesPath = "/v1/api/catalog/categories"

	contactsPath  = "/v1/api/contacts"
	profilePath   = contactsPath + "/me"
	passwordPath  = profilePath + "/password"
	addressesPath = profilePath + "/addresses"
	addressPath   = addressesPath + "/{id}"
)

// aliases are further places of routes: every path below from is served below to
// as well, by the same row. Spec: Versioning 2.
var aliases = []struct{ from, to string }{
	{contactsPath + "/", "/v1/api/customers/"},
	{quotesPath + "/", "/v1/api/commerce/quotes/"},
}

// routes is every route there is. HEAD is served wherever GET is.
var routes = []route{
	{method: "GET", path: "/healthz", handle: handleHealth, status: 200},
	{method: "GET", path: "/readyz", handle: handleReadiness, status: 200},
	{method: "GET", path: "/v1/ping", handle: handlePing, status: 200},
	{method: "GET", path: "/v1/api/me", guards: anyKey, handle: handleMe, status: 200},

	// Spec: Carts.
	{method: "POST", path: cartsPath, guards: writeCarts, visit: true, handle: handleCartCreate, status: 201},
	{method: "GET", path: cartPath, guards: readCarts, record: cartRecord, handle: handleCartRead, status: 200},
	{method: "PATCH", path: cartPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCartPatch, status: 200},

	// Spec: Cart lines.
	{method: "POST", path: linesPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineAdd, status: 201},
	{method: "PATCH", path: linePath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineChange, status: 200},
	{method: "DELETE", path: linePath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineRemove, status: 200},
	{method: "POST", path: batchPath, guards: writeCarts, record: cartRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleLineBatch, status: 201},

	// Lifecycle.
	{method: "POST", path: claimPath, guards: claimCarts, record: cartRecord, visit: true, handle: handleCartClaim, status: 200},

	// Discounts.
	{method: "POST", path: discountPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCodeAttach, status: 200},
	{method: "DELETE", path: discountPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCodeDetach, status: 200},
	{method: "GET", path: explainPath, guards: readCarts, record: cartRecord, handle: handleCartExplain, status: 200},

	// Checkout.
	{method: "GET", path: methodsPath, guards: readCarts, record: cartRecord, handle: handleShippingMethods, status: 200},
	{method: "POST", path: checkoutPath, guards: checkOut, record: cartRecord, visit: true, handle: handleCheckout, status: 201},
	{method: "GET", path: ordersPath, guards: readOrders, handle: handleOrderList, status: 200},
	{method: "GET", path: orderPath, guards: readOrders, handle: handleOrderRead, status: 200},

	// Quotes.
	{method: "POST", path: requestPath, guards: requestQuote, record: cartRecord, visit: true, handle: handleQuoteRequest, status: 201},
	{method: "GET", path: quotePath, guards: readQuotes, record: quoteRecord, handle: handleQuoteRead, status: 200},
	{method: "POST", path: quotePath + "/accept", guards: answerQuotes, record: quoteRecord, bodyLimit: acceptBodyLimit, handle: handleQuoteAccept, status: 201},
	{method: "POST", path: quotePath + "/decline", guards: answerQuotes, record: quoteRecord, handle: handleQuoteDecline, status: 200},

	// Catalogue.
	{method: "GET", path: productsPath, guards: browse, handle: handleProductList, status: 200},
	{method: "GET", path: productsPath + "/{id}", guards: browse, handle: handleProductRead, status: 200},
	{method: "GET", path: categoriesPath, guards: browse, handle: handleCategoryList, status: 200},
	{method: "GET", path: categoriesPath + "/{id}", guards: browse, handle: handleCategoryRead, status: 200},
	{method: "GET", path: "/v1/api/catalog/redirects", guards: browse, handle: handleRedirectList, status: 200},
	{method: "GET", path: "/v1/api/catalog/sitemap", guards: browse, handle: handleSitemap, status: 200},

	// Configurator.
	{method: "GET", path: configuratorPath + "/schema", guards: configure, handle: handleConfiguratorSchema, status: 200},
	{method: "POST", path: configuratorPath + "/quote", guards: configure, handle: handleConfiguratorQuote, status: 200},

	// Spec: Addresses.
	{method: "GET", path: addressesPath, guards: readContact, record: contactRecord, handle: handleAddressList, status: 200},
	{method: "POST", path: addressesPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressAdd, status: 201},
	{method: "PATCH", path: addressPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressPatch, status: 200},
	{method: "DELETE", path: addressPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressRemove, status: 204},

	// Stock.
	{method: "GET", path: availabilityPath, guards: readStock, handle: handleStockAvailability, status: 200},
	{method: "POST", path: adjustmentsPath, guards: adjustStock, record: stockRecord, handle: handleStockAdjust, status: 201},

	// Accounts.
	{method: "GET", path: profilePath, guards: readContact, record: contactRecord, handle: handleProfileRead, status: 200},
	{method: "PATCH", path: profilePath, guards: writeContact, record: contactRecord, visit: true, handle: handleProfilePatch, status: 200},
	{method: "PUT", path: passwordPath, guards: writeContact, record: contactRecord, secret: true, handle: handlePasswordChange, status: 204},
	{method: "POST", path: contactsPath + "/register", guards: signIn, secret: true, handle: handleRegister, status: 201},
	{method: "POST", path: contactsPath + "/login", guards: signIn, secret: true, handle: handleLogin, status: 200},
	{method: "POST", path: contactsPath + "/logout", guards: writeContact, handle: handleLogout, status: 204},
	{method: "POST", path: contactsPath + "/forgot-password", guards: signIn, handle: handleForgotPassword, status: 202},
	{method: "POST", path: contactsPath + "/reset-password", guards: signIn, secret: true, handle: handlePasswordReset, status: 204},
}

// allPaths are the path of the row and its aliases.
func (r *route) allPaths() []string {
	all := []string{r.path}
	for _, alias := range aliases {
		if below, ok := strings.CutPrefix(r.path, alias.from); ok {
			all = append(all, alias.to+below)
		}
	}
	return all
}
