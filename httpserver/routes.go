package httpserver

import (
	"strings"

	"cartd/commerce"
)

// route is one row of the table: a method and a path, who may use it, and what
// serves it. Everything that differs between routes stands in its row.
type route struct {
	method, path string
	// scopes of which the key needs any one; none: every key may.
	scopes commerce.Scopes
	// modules that must be enabled; the first that is not is named in the refusal.
	modules []commerce.Module
	// limited routes are counted, need a key and pass the guards; the others are
	// open to everybody.
	limited bool
	// token is the answer where X-Customer-Token is required and missing or does
	// not resolve; nil: the token is optional.
	token *commerce.Refusal
	// fallback routes are answered from what the node knows while Redis is away.
	fallback bool
	// record is what the path's {id} names; admission reads it along.
	record recordKind
	// oneTrip: a write whose commit alone can carry it through Redis.
	oneTrip bool
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
)

var (
	// Spec: Authentication, Scopes named.
	readCommerce  = commerce.Scopes(0).With(commerce.CommerceRead)
	writeCommerce = commerce.Scopes(0).With(commerce.CommerceWrite)

	// contacts:* count where customers:* do, and the other way round.
	readContacts  = commerce.Scopes(0).With(commerce.ContactsRead).With(commerce.CustomersRead)
	writeContacts = commerce.Scopes(0).With(commerce.ContactsWrite).With(commerce.CustomersWrite)

	readCatalog  = commerce.Scopes(0).With(commerce.CatalogRead).With(commerce.CommerceRead)
	writeCatalog = commerce.Scopes(0).With(commerce.CatalogWrite)

	commerceModule     = []commerce.Module{commerce.ModuleCommerce}
	configuratorModule = []commerce.Module{commerce.ModuleConfigurator}
	stockModule        = []commerce.Module{commerce.ModuleStock}
)

const (
	cartsPath = "/v1/api/commerce/carts"
	cartPath  = cartsPath + "/{id}"
	linesPath = cartPath + "/lines"
	linePath  = linesPath + "/{lineId}"
	batchPath = linesPath + "/batch"

	discountPath = cartPath + "/discount"
	explainPath  = cartPath + "/explain"

	configuratorPath = "/v1/api/configurator/products/{id}"

	availabilityPath = "/v1/api/stock/availability"
	adjustmentsPath  = "/v1/api/catalog/stock-adjustments"

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
}

// routes is every route there is. HEAD is served wherever GET is.
var routes = []route{
	{method: "GET", path: "/healthz", handle: handleHealth, status: 200},
	{method: "GET", path: "/readyz", handle: handleReadiness, status: 200},
	{method: "GET", path: "/v1/ping", handle: handlePing, status: 200},
	{method: "GET", path: "/v1/api/me", limited: true, fallback: true, handle: handleMe, status: 200},

	// Spec: Carts.
	{method: "POST", path: cartsPath, scopes: writeCommerce, modules: commerceModule, limited: true, oneTrip: true, handle: handleCartCreate, status: 201},
	{method: "GET", path: cartPath, scopes: readCommerce, modules: commerceModule, limited: true, record: cartRecord, handle: handleCartRead, status: 200},
	{method: "PATCH", path: cartPath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, oneTrip: true, handle: handleCartPatch, status: 200},

	// Spec: Cart lines.
	{method: "POST", path: linesPath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, oneTrip: true, handle: handleLineAdd, status: 201},
	{method: "PATCH", path: linePath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, oneTrip: true, handle: handleLineChange, status: 200},
	{method: "DELETE", path: linePath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, oneTrip: true, handle: handleLineRemove, status: 200},
	{method: "POST", path: batchPath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, bodyLimit: batchBodyLimit, oneTrip: true, handle: handleLineBatch, status: 201},

	// Discounts.
	{method: "POST", path: discountPath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, handle: handleCodeAttach, status: 200},
	{method: "DELETE", path: discountPath, scopes: writeCommerce, modules: commerceModule, limited: true, record: cartRecord, oneTrip: true, handle: handleCodeDetach, status: 200},
	{method: "GET", path: explainPath, scopes: readCommerce, modules: commerceModule, limited: true, record: cartRecord, handle: handleCartExplain, status: 200},

	// Configurator.
	{method: "GET", path: configuratorPath + "/schema", scopes: readCatalog, modules: configuratorModule, limited: true, handle: handleConfiguratorSchema, status: 200},
	{method: "POST", path: configuratorPath + "/quote", scopes: readCatalog, modules: configuratorModule, limited: true, handle: handleConfiguratorQuote, status: 200},

	// Spec: Addresses.
	{method: "GET", path: addressesPath, scopes: readContacts, limited: true, token: badToken, record: contactRecord, handle: handleAddressList, status: 200},
	{method: "POST", path: addressesPath, scopes: writeContacts, limited: true, token: badToken, record: contactRecord, handle: handleAddressAdd, status: 201},
	{method: "PATCH", path: addressPath, scopes: writeContacts, limited: true, token: badToken, record: contactRecord, handle: handleAddressPatch, status: 200},
	{method: "DELETE", path: addressPath, scopes: writeContacts, limited: true, token: badToken, record: contactRecord, handle: handleAddressRemove, status: 204},

	// Stock.
	{method: "GET", path: availabilityPath, scopes: readCatalog, modules: stockModule, limited: true, handle: handleStockAvailability, status: 200},
	{method: "POST", path: adjustmentsPath, scopes: writeCatalog, modules: stockModule, limited: true, record: stockRecord, handle: handleStockAdjust, status: 201},

	// Accounts.
	{method: "GET", path: profilePath, scopes: readContacts, limited: true, token: badToken, record: contactRecord, handle: handleProfileRead, status: 200},
	{method: "PATCH", path: profilePath, scopes: writeContacts, limited: true, token: badToken, record: contactRecord, handle: handleProfilePatch, status: 200},
	{method: "PUT", path: passwordPath, scopes: writeContacts, limited: true, token: badToken, record: contactRecord, secret: true, handle: handlePasswordChange, status: 204},
	{method: "POST", path: contactsPath + "/register", scopes: writeContacts, limited: true, secret: true, handle: handleRegister, status: 201},
	{method: "POST", path: contactsPath + "/login", scopes: writeContacts, limited: true, secret: true, handle: handleLogin, status: 200},
	{method: "POST", path: contactsPath + "/logout", scopes: writeContacts, limited: true, token: badToken, handle: handleLogout, status: 204},
	{method: "POST", path: contactsPath + "/forgot-password", scopes: writeContacts, limited: true, handle: handleForgotPassword, status: 202},
	{method: "POST", path: contactsPath + "/reset-password", scopes: writeContacts, limited: true, secret: true, handle: handlePasswordReset, status: 204},
}

// badToken is the answer where a route needs a customer token that resolves.
// Spec: Address errors.
var badToken = commerce.InvalidCustomerToken

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
