package httpserver

import (
	"bytes"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/front"
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

// bearer returns the API key of a request: the one word after the scheme Bearer, which may have any
// letter case. It returns false if there is no key or the header is malformed. The key points into
// the request. Spec: API key 1.
func bearer(authorization *sentHeader) ([]byte, bool) {
	if authorization.lines != 1 {
		return nil, false
	}
	scheme, key, _ := bytes.Cut(front.TrimBlanks(authorization.first), []byte{' '})
	key = front.TrimBlanks(key)
	if !bytes.EqualFold(scheme, []byte("Bearer")) || len(key) == 0 || bytes.IndexByte(key, ' ') >= 0 || bytes.IndexByte(key, '\t') >= 0 {
		return nil, false
	}
	return key, true
}
