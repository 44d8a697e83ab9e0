package httpserver

import (
	"slices"

	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

const (
	cartsPath = "/v1/api/commerce/carts"
	cartPath  = cartsPath + "/{id}"
	linesPath = cartPath + "/lines"
	linePath  = linesPath + "/{lineId}"
	batchPath = linesPath + "/batch"

	discountPath = cartPath + "/discount"
	codePath     = discountPath + "/{code}"
	explainPath  = cartPath + "/explain"
	eventsPath   = cartPath + "/events"
	claimPath    = cartPath + "/claim"
	methodsPath  = cartPath + "/shipping-methods"
	checkoutPath = cartPath + "/checkout"
	ordersPath   = "/v1/api/commerce/orders"
	orderPath    = ordersPath + "/{id}"
	pricePath    = "/v1/api/commerce/price"

	tokenOrderPath = ordersPath + "/by-token/{token}"

	salesPath = "/v1/api/orders"
	salePath  = salesPath + "/{id}"

	requestPath = cartPath + "/quote-request"
	quotesPath  = "/v1/api/sales/quotes"
	quotePath   = quotesPath + "/by-token/{token}"

	storeQuotesPath = "/v1/api/quotes"
	storeQuotePath  = storeQuotesPath + "/{id}"

	configuratorPath = "/v1/api/configurator/products/{id}"

	availabilityPath = "/v1/api/stock/availability"
	adjustmentsPath  = "/v1/api/catalog/stock-adjustments"

	catalogPath    = "/v1/api/catalog"
	productsPath   = catalogPath + "/products"
	codesPath      = catalogPath + "/discounts/{id}/codes"
	categoriesPath = "/v1/api/catalog/categories"
	documentPath   = catalogPath + "/document/{list}"

	contactsPath  = "/v1/api/contacts"
	profilePath   = contactsPath + "/me"
	passwordPath  = profilePath + "/password"
	addressesPath = profilePath + "/addresses"
	addressPath   = addressesPath + "/{id}"

	externalAccountPath = contactsPath + "/by-external-id/{external_id}"
	accountTokensPath   = contactsPath + "/{id}/tokens"
)

// aliases are further paths of routes: every path below from is also served below to, by the same
// row. Spec: Versioning 2.
var aliases = []struct{ from, to string }{
	{contactsPath, "/v1/api/customers"},
	{quotesPath, "/v1/api/commerce/quotes"},
}

// routes are all routes. HEAD is served for every GET.
var routes = append([]route{
	{method: "GET", path: "/healthz", probe: true, handle: handleHealth, status: 200,
		api: operation{id: "health", rules: "contract.md#http", about: "Check that the process runs", out: answers.Health.Schema}},
	{method: "GET", path: "/readyz", probe: true, handle: handleReadiness, status: 200,
		api: operation{id: "ready", rules: "contract.md#http", about: "Check that requests can be served", out: answers.Health.Schema}},
	{method: "GET", path: "/openapi.json", handle: handleDescription, status: 200, tagged: true,
		api: operation{id: "readDescription", rules: "versions.md#versioning", about: "Read this description", out: openapi.Anything}},
	{method: "GET", path: "/docs", handle: handleDocsPage, status: 200, tagged: true,
		api: operation{id: "readDocs", rules: "versions.md#versioning", about: "Read this description as a page", media: "text/html", out: openapi.Text}},
	{method: "GET", path: "/docs/redoc.js", handle: handleDocsScript, status: 200, tagged: true,
		api: operation{id: "readDocsScript", rules: "versions.md#versioning", about: "Read the page's script", media: "text/javascript", out: openapi.Text}},
	{method: "GET", path: "/v1/ping", handle: handlePing, status: 200,
		api: operation{id: "ping", rules: "keys.md#me-and-ping", about: "Check that the server answers", out: answers.Message.Schema}},
	{method: "GET", path: "/v1/api/me", guards: anyKey, handle: handleMe, status: 200,
		api: operation{id: "me", rules: "keys.md#me-and-ping", about: "Read the store and the key of the request", out: answers.Me.Schema}},

	// Spec: Carts.
	{method: "POST", path: cartsPath, guards: writeCarts, visit: true, handle: handleCartCreate, status: 201,
		api: operation{id: "createCart", rules: "carts.md#carts", about: "Create an empty cart", out: answers.CartAnswer.Schema}},
	{method: "GET", path: cartsPath, guards: listCarts, handle: handleCartList, status: 200,
		api: operation{id: "listCarts", rules: "carts.md#list-of-carts", about: "List the account's active carts, newest first", query: pageQuery(cartRows),
			out:   answers.CartList.Schema,
			notes: "A cart that is gone is left out of its page, so a page may be shorter."}},
	{method: "GET", path: cartPath, guards: readCarts, record: cartRecord, handle: handleCartRead, status: 200, tagged: true,
		api: operation{id: "readCart", rules: "carts.md#carts", about: "Read a cart, in any status", out: answers.CartAnswer.Schema}},
	{method: "PATCH", path: cartPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCartPatch, status: 200,
		api: operation{id: "changeCart", rules: "carts.md#carts", about: "Set e-mail and metadata", in: bodies.CartPatch.Schema, out: answers.CartAnswer.Schema,
			notes: "Absent fields stay as they are."}},
	{method: "GET", path: eventsPath, guards: readCarts, record: cartRecord, handle: handleCartEvents, status: 200,
		api: operation{id: "followCart", rules: "events.md#what-comes", about: "Follow a cart: its state now, and after each change", media: eventStream,
			out: openapi.Text, includes: []include{cartDetails}, notes: eventNotes}},

	// Spec: Cart lines.
	{method: "POST", path: linesPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineAdd, status: 201,
		api: operation{id: "addLine", rules: "lines.md#line-behaviour", about: "Add a product", in: bodies.LineAdd.Schema,
			out: answers.CartAnswer.Schema, refuses: lineRefusals,
			notes: "If a line has the same product, variant and configuration, the add raises its quantity and prices it anew."}},
	{method: "PATCH", path: linePath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineChange, status: 200,
		api: operation{id: "changeLine", rules: "lines.md#patch-line-errors", about: "Change the quantity and the properties of a line",
			in: bodies.LineChange.Schema, out: answers.CartAnswer.Schema, refuses: lineChangeRefusals}},
	{method: "DELETE", path: linePath, guards: writeCarts, record: cartRecord, visit: true, handle: handleLineRemove, status: 200,
		api: operation{id: "removeLine", rules: "lines.md#delete-line-errors", about: "Remove a line", out: answers.CartAnswer.Schema}},
	{method: "POST", path: batchPath, guards: writeCarts, record: cartRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleLineBatch, status: 201,
		api: operation{id: "addLines", rules: "lines.md#batch", about: "Add several products, or none", in: bodies.LineBatch.Schema,
			out: answers.CartAnswer.Schema, refuses: lineRefusals,
			notes: "On any refusal nothing is added; `errors` names every refused entry as `lines.N.field`, or `lines.N` for a limit of the cart."}},

	{method: "POST", path: pricePath, guards: readCarts, unreserved: true, basket: true, bodyLimit: batchBodyLimit, handle: handleBasketPrice, status: 200,
		api: operation{id: "priceBasket", rules: "price.md#rules", about: "Show what a basket would cost, without a cart", in: bodies.Basket.Schema,
			out: answers.PricedBasket.Schema,
			notes: "Nothing is stored or held. A line that a cart would refuse has its refusal in its row and counts as absent. Each unknown code counts as one " +
				"more request. `at` needs a key with the scope `catalog:manage`."}},

	// docs/api/checkout.md.
	{method: "POST", path: claimPath, guards: claimCarts, record: cartRecord, visit: true, handle: handleCartClaim, status: 200,
		api: operation{id: "claimCart", rules: "carts.md#claim", about: "Bind the cart to the customer and fold their other carts into it",
			out:      answers.ClaimAnswer.Schema,
			includes: []include{{answers.IncludeMergeReport, "adds the report of the folded carts."}},
			notes:    "Repeat a claim that was answered 504: it continues where it stopped."}},

	{method: "POST", path: cartPath + "/copy", guards: writeCarts, record: cartRecord, copies: true, handle: handleCartCopy, status: 201,
		api: operation{id: "copyCart", rules: "carts.md#copy", about: "Make a cart with the lines of another, at today's prices", out: answers.CopyAnswer.Schema,
			notes: "For buying again. Any status but expired. A line that cannot be added today is left out whole."}},

	// Discounts.
	{method: "POST", path: discountPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCodeAttach, status: 200,
		api: operation{id: "attachCode", rules: "discounts.md#attach-and-detach", about: "Attach a discount code", in: bodies.DiscountCode.Schema,
			out: answers.CartAnswer.Schema, refuses: []*commerce.Refusal{commerce.CodeLimitReached},
			notes: "A code that does not apply is attached too; `discount_code_error` says why. " +
				"At most 20 unknown codes an hour per cart and caller address, then 429."}},
	{method: "DELETE", path: discountPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCodesDetach, status: 200,
		api: operation{id: "detachCode", rules: "discounts.md#attach-and-detach", about: "Remove all discount codes", out: answers.CartAnswer.Schema}},
	{method: "DELETE", path: codePath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCodeDetach, status: 200,
		api: operation{id: "detachOneCode", rules: "discounts.md#several-codes", about: "Remove one discount code", out: answers.CartAnswer.Schema,
			finds: map[string]string{"code": "DiscountCode"}}},
	{method: "GET", path: explainPath, guards: readCarts, record: cartRecord, unreserved: true, handle: handleCartExplain, status: 200, tagged: true,
		api: operation{id: "explainCart", rules: "discounts.md#explain", about: "Show the calculation of every amount", query: explainParameters,
			out: answers.Explanation.Schema}},

	// Checkout.
	{method: "GET", path: methodsPath, guards: readCarts, record: cartRecord, handle: handleShippingMethods, status: 200,
		api: operation{id: "listShippingMethods", rules: "checkout.md#shipping-methods", about: "List the shipping methods that can be chosen for this cart",
			query: pageQuery(shippingMethodRows, shippingQueryParameters...), out: answers.ShippingMethodList.Schema,
			refuses: shippingQueryRefusals, notes: "Empty if no line requires shipping."}},
	{method: "GET", path: checkoutPath, guards: writeCarts, record: cartRecord, handle: handleCheckoutRead, status: 200, tagged: true,
		api: operation{id: "readCheckout", rules: "checkout.md#a-checkout-of-several-pages", about: "Show what is kept of the checkout, and what is missing",
			out:      answers.KeptCheckoutAnswer.Schema,
			includes: []include{checkoutChecks}, notes: "The cart may have any status. Needs commerce:write, because it shows addresses."}},
	{method: "PATCH", path: checkoutPath, guards: writeCarts, record: cartRecord, visit: true, handle: handleCheckoutKeep, status: 200,
		api: operation{id: "keepCheckout", rules: "checkout.md#a-checkout-of-several-pages", about: "Keep what the shopper has entered of the checkout",
			in: bodies.KeptCheckout.Schema, out: answers.KeptCheckoutAnswer.Schema,
			includes: []include{checkoutChecks}, refuses: keptCheckoutRefusals,
			notes: "Absent fields stay as they are; null clears them. Addresses and note leave 24 hours after the last PATCH."}},
	{method: "POST", path: checkoutPath, guards: checkOut, record: cartRecord, visit: true, handle: handleCheckout, status: 201,
		api: operation{id: "checkout", rules: "checkout.md#what-a-checkout-decides", about: "Sell the cart", in: bodies.Checkout.Schema,
			out: answers.OrderAnswer.Schema, repeated: 200, refuses: checkoutRefusals,
			notes: "Takes what is kept for members that are absent from the body. If the cart is sold already, the answer is its order again, with 200."}},
	{method: "GET", path: ordersPath, guards: readOrders, handle: handleOrderList, status: 200,
		api: operation{id: "listOrders", rules: "checkout.md#orders", about: "List the customer's orders, newest first",
			query: pageQuery(orderRows, orderQueryParameters...), out: answers.OrderList.Schema, refuses: orderQueryRefusals}},
	{method: "GET", path: orderPath, guards: readOrders, handle: handleOrderRead, status: 200, tagged: true,
		api: operation{id: "readOrder", rules: "checkout.md#orders", about: "Read an order", out: answers.Order.Schema, finds: map[string]string{"id": "Order"}}},

	{method: "POST", path: orderPath + "/copy", guards: writeOrders, copies: true, handle: handleOrderCopy, status: 201,
		api: operation{id: "copyOrder", rules: "carts.md#copy", about: "Make a cart with the lines of an order, at today's prices", out: answers.CopyAnswer.Schema,
			finds: map[string]string{"id": "Order"}, refuses: []*commerce.Refusal{commerce.OrderIsArchived},
			notes: "A line that cannot be added today is left out whole."}},
	{method: "POST", path: tokenOrderPath + "/copy", guards: writeCarts, copies: true, handle: handleTokenOrderCopy, status: 201,
		api: operation{id: "copyOrderByToken", rules: "carts.md#copy", about: "Make a cart with the lines of the order of a token, at today's prices",
			out: answers.CopyAnswer.Schema, finds: map[string]string{"token": "Order"}, refuses: []*commerce.Refusal{commerce.OrderIsArchived},
			notes: "A line that cannot be added today is left out whole."}},
	{method: "POST", path: orderPath + "/cancel", guards: cancelOwnOrders, record: orderRecord, visit: true, handle: handleOwnCancel, status: 200,
		api: operation{id: "cancelOwnOrder", rules: "checkout.md#cancel-an-unpaid-order", about: "Cancel an order that waits for its payment",
			out: answers.Order.Schema, refuses: shopperCancelRefusals, notes: "Stock and uses of discounts return. Cancelled already: 200."}},
	{method: "POST", path: tokenOrderPath + "/cancel", guards: writeTokenOrders, record: tokenOrderRecord, once: true, matches: true,
		handle: handleTokenCancel, status: 200, tagged: true,
		api: operation{id: "cancelOrderByToken", rules: "checkout.md#cancel-an-unpaid-order", about: "Cancel the order of a token, if it waits for its payment",
			out: answers.Order.Schema, refuses: shopperCancelRefusals, notes: "Stock and uses of discounts return. Cancelled already: 200."}},
	{method: "GET", path: tokenOrderPath, guards: findOrders, handle: handleOrderByToken, status: 200, tagged: true,
		api: operation{id: "readOrderByToken", rules: "checkout.md#orders", about: "Read the order of a token", out: answers.Order.Schema,
			finds: map[string]string{"token": "Order"},
			notes: "The token is in `X-Order-Token` of the answer that made the order."}},

	// docs/api/orders.md.
	{method: "GET", path: salesPath, guards: readSales, handle: handleStoreOrderList, status: 200,
		api: operation{id: "listStoreOrders", rules: "orders.md#routes", about: "List all orders of the store, by number", query: storeOrderParameters,
			out: answers.StoreOrderList.Schema, refuses: storeOrderRefusals,
			notes: "A page ends early above 4 MiB, or when it has looked at enough orders; `meta.next_after` and `meta.next_before` say where to go on."}},
	{method: "GET", path: salePath, guards: readSales, record: orderRecord, handle: handleStoreOrderRead, status: 200, tagged: true,
		api: operation{id: "readStoreOrder", rules: "orders.md#routes", about: "Read any order of the store", out: answers.StoreOrder.Schema}},
	{method: "POST", path: salePath + "/payment", guards: changeSales, record: orderRecord, acts: true, visit: true, handle: handlePayment, status: 200,
		api: operation{id: "payOrder", rules: "orders.md#routes", about: "Record that an order is paid", in: bodies.Payment.Schema, out: answers.StoreOrder.Schema,
			refuses: []*commerce.Refusal{commerce.OrderIsCancelled, commerce.AlreadyPaid, commerce.AmountDiffers},
			notes:   "The recorded reference again is answered 200, whatever has become of the order."}},
	{method: "POST", path: salePath + "/cancel", guards: changeSales, record: orderRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleCancel,
		acts:   true,
		status: 200,
		api: operation{id: "cancelOrder", rules: "orders.md#routes", about: "Cancel an order, or lines of it", in: bodies.Cancel.Schema,
			out: answers.StoreOrder.Schema, refuses: cancelRefusals,
			notes: "What the sale took returns to the stock, and uses of discounts return, in the same commit. The payment stays as it is. With `lines` only " +
				"pieces that have not left are cancelled, and uses stay, unless nothing is left of the order."}},
	{method: "POST", path: salePath + "/refund", guards: changeSales, record: orderRecord, acts: true, visit: true, handle: handleRefund, status: 200,
		api: operation{id: "refundOrder", rules: "orders.md#routes", about: "Record that all that is left of a payment was returned", in: bodies.Refund.Schema,
			out: answers.StoreOrder.Schema, refuses: []*commerce.Refusal{commerce.NotPaid, commerce.PartsLimit}}},
	{method: "POST", path: salePath + "/refunds", guards: changeSales, record: orderRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleRefunds,
		acts:   true,
		status: 200,
		api: operation{id: "refundPart", rules: "orders.md#in-parts", about: "Record that a part of a payment was returned", in: bodies.RefundPart.Schema,
			out: answers.StoreOrder.Schema, refuses: refundRefusals,
			notes: "The amount follows from lines and delivery, a smaller one may be sent; without them it comes off the whole. No stock moves."}},
	{method: "POST", path: salePath + "/shipment", guards: changeSales, record: orderRecord, acts: true, visit: true, handle: handleShipment, status: 200,
		api: operation{id: "shipOrder", rules: "orders.md#routes", about: "Record the shipment of all that is left, or correct the last one",
			in: bodies.Shipment.Schema, out: answers.StoreOrder.Schema, refuses: shipRefusals}},
	{method: "POST", path: salePath + "/shipments", guards: changeSales, record: orderRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleShipments,
		acts:   true,
		status: 200,
		api: operation{id: "shipPart", rules: "orders.md#in-parts", about: "Record the shipment of some lines", in: bodies.ShipLines.Schema,
			out: answers.StoreOrder.Schema, refuses: shipPartRefusals}},
	{method: "POST", path: salePath + "/returns", guards: changeSales, record: orderRecord, bodyLimit: batchBodyLimit, visit: true, handle: handleReturns,
		acts:   true,
		status: 200,
		api: operation{id: "returnPart", rules: "orders.md#in-parts", about: "Record shipped goods that came back", in: bodies.ReturnLines.Schema,
			out: answers.StoreOrder.Schema, refuses: []*commerce.Refusal{commerce.ReferenceUsed, commerce.OrderIsArchived, commerce.PartsLimit},
			notes: "Their stock returns in the same commit. Money is refunded by itself."}},
	{method: "POST", path: salePath + "/delivered", guards: changeSales, record: orderRecord, acts: true, visit: true, handle: handleDelivered, status: 200,
		api: operation{id: "completeOrder", rules: "orders.md#routes", about: "Record that an order is delivered", out: answers.StoreOrder.Schema,
			refuses: []*commerce.Refusal{commerce.OrderIsCancelled, commerce.PaymentDue, commerce.NotShipped},
			notes:   "An order without a shipping method needs no shipment."}},

	// Quotes.
	{method: "POST", path: requestPath, guards: requestQuote, record: cartRecord, visit: true, handle: handleQuoteRequest, status: 201,
		api: operation{id: "requestQuote", rules: "quotes.md#the-request", about: "Turn the cart into a quote", in: bodies.QuoteRequest.Schema,
			out:     answers.QuoteAnswer.Schema,
			refuses: []*commerce.Refusal{commerce.QuotesOff, commerce.TotalLimitReached},
			notes:   "The quote's token is in this answer and its replays. Its customer reads it again by the quote's id."}},
	{method: "GET", path: quotesPath, guards: ownQuotes, handle: handleQuoteList, status: 200,
		api: operation{id: "listQuotes", rules: "quotes.md#of-an-account", about: "List the customer's quotes, newest first", query: pageQuery(quoteRows),
			out:   answers.QuoteList.Schema,
			notes: "Quotes that ended more than 180 days ago without an accept are left out, so a page may be shorter."}},
	{method: "GET", path: quotesPath + "/{id}", guards: ownQuotes, handle: handleOwnQuote, status: 200, tagged: true,
		api: operation{id: "readOwnQuote", rules: "quotes.md#of-an-account", about: "Read a quote of the customer, with its token", out: answers.Quote.Schema,
			finds: map[string]string{"id": "Quote"}}},
	{method: "GET", path: quotePath, guards: readQuotes, record: quoteRecord, handle: handleQuoteRead, status: 200, tagged: true,
		api: operation{id: "readQuote", rules: "quotes.md#by-token", about: "Read a quote", out: answers.Quote.Schema, finds: map[string]string{"token": "Quote"}}},
	{method: "GET", path: quotePath + "/shipping-methods", guards: readQuotes, record: quoteRecord, handle: handleQuoteShippingMethods, status: 200,
		api: operation{id: "listQuoteShippingMethods", rules: "quotes.md#by-token", about: "List the shipping methods that can be chosen for a quote",
			query: pageQuery(shippingMethodRows, shippingQueryParameters...), out: answers.ShippingMethodList.Schema,
			finds: map[string]string{"token": "Quote"}, refuses: shippingQueryRefusals,
			notes: "Empty if no line requires shipping. Shows all methods if none suits the quote."}},
	{method: "POST", path: quotePath + "/accept", guards: acceptQuotes, record: quoteRecord, once: true, bodyLimit: acceptBodyLimit, handle: handleQuoteAccept,
		status: 201, tagged: true,
		api: operation{id: "acceptQuote", rules: "quotes.md#by-token", about: "Accept a quote: it becomes an order", in: bodies.QuoteAccept.Schema,
			out: answers.QuoteAccepted.Schema, finds: map[string]string{"token": "Quote"},
			refuses: acceptRefusals, notes: "At most 30 answers to quotes a minute and caller address."}},
	{method: "POST", path: quotePath + "/decline", guards: declineQuotes, record: quoteRecord, once: true, handle: handleQuoteDecline, status: 200, tagged: true,
		api: operation{id: "declineQuote", rules: "quotes.md#by-token", about: "Decline a quote", in: bodies.QuoteDecline.Schema, out: answers.Quote.Schema,
			finds:   map[string]string{"token": "Quote"},
			refuses: answerRefusals, notes: "At most 30 answers to quotes a minute and caller address."}},

	{method: "POST", path: quotePath + "/change-request", guards: declineQuotes, record: quoteRecord, once: true,
		handle: handleChangeRequest, status: 200, tagged: true,
		api: operation{id: "requestQuoteChange", rules: "quotes.md#by-token", about: "Ask the merchant for a change of a quote", in: bodies.QuoteChange.Schema,
			out: answers.Quote.Schema, finds: map[string]string{"token": "Quote"}, refuses: answerRefusals,
			notes: "The offer stands. At most 30 answers to quotes a minute and caller address."}},

	// Catalogue.
	{method: "GET", path: productsPath, guards: browse, unreserved: true, handle: handleProductList, status: 200, tagged: true,
		api: operation{id: "listProducts", rules: "catalogue.md#products", about: "List or search products",
			query: pageQuery(catalogueRows, productQueryParameters...), out: answers.ProductList.Schema, refuses: productQueryRefusals, taxed: true,
			includes: []include{{answers.IncludeFacets, "counts the products of the list by attribute, category and price."}}}},
	{method: "GET", path: productsPath + "/{id}", guards: browse, unreserved: true, handle: handleProductRead, status: 200, tagged: true,
		api: operation{id: "readProduct", rules: "catalogue.md#products", about: "Read a product, by id or slug", out: answers.Product.Schema,
			query: []openapi.Parameter{taxCountryParameter}, refuses: taxCountryRefusals, taxed: true,
			finds: map[string]string{"id": "Product"}}},
	{method: "PATCH", path: catalogPath, guards: manageStore, record: documentRecord, once: true, matches: true, bodyLimit: changeBodyLimit,
		handle: handleCatalogueChange, status: 200,
		api: operation{id: "changeCatalogue", rules: "catalogue-changes.md#change-sets", about: "Change entries of the store's document", in: changeSetShape,
			out: answers.CatalogueChanged.Schema, refuses: catalogueChangeRefusals,
			notes: "A change set: entries to set, each as a whole, and entries to remove. It is judged together with the rest of the document, all or nothing. Gzip " +
				"is allowed (`Content-Encoding: gzip`)."}},
	{method: "PATCH", path: productsPath + "/{id}", guards: manageStore, record: documentRecord, once: true, matches: true, bodyLimit: changeBodyLimit,
		handle: handleProductChange, status: 200,
		api: operation{id: "changeProduct", rules: "catalogue-changes.md#change-sets", about: "Change members of one product",
			finds: map[string]string{"id": "Product"}, in: productChangeShape, out: answers.CatalogueChanged.Schema, refuses: catalogueChangeRefusals,
			notes: "The members that are sent replace those of the product, each as a whole; null clears one. Inactive products too; no slugs."}},
	{method: "POST", path: codesPath, guards: manageStore, record: documentRecord, once: true, acts: true, handle: handleCodesGive, status: 200,
		api: operation{id: "giveCodes", rules: "discounts.md#batches-of-codes", about: "Give codes of a batch", finds: map[string]string{"id": "Discount"},
			in: bodies.CodeRequest.Schema, out: answers.GivenCodes.Schema, refuses: codesRefusals,
			notes: "Without `from` the codes were never given before. A batch has 1,048,576 codes."}},
	{method: "GET", path: categoriesPath, guards: browse, unreserved: true, handle: handleCategoryList, status: 200, tagged: true,
		api: operation{id: "listCategories", rules: "catalogue.md#categories-redirects-sitemap", about: "List categories", query: pageQuery(catalogueRows),
			out: answers.CategoryList.Schema}},
	{method: "GET", path: categoriesPath + "/{id}", guards: browse, unreserved: true, handle: handleCategoryRead, status: 200, tagged: true,
		api: operation{id: "readCategory", rules: "catalogue.md#categories-redirects-sitemap", about: "Read a category, by id or slug", out: answers.Category.Schema,
			finds: map[string]string{"id": "Category"}}},
	{method: "GET", path: "/v1/api/catalog/redirects", guards: browse, unreserved: true, handle: handleRedirectList, status: 200, tagged: true,
		api: operation{id: "listRedirects", rules: "catalogue.md#categories-redirects-sitemap", about: "List redirects, or find one",
			out:   answers.RedirectList.Schema,
			query: pageQuery(catalogueRows, queryOf("path", openapi.Text, "Only the redirect from this path."))}},
	{method: "GET", path: "/v1/api/catalog/sitemap", guards: browse, unreserved: true, handle: handleSitemap, status: 200, tagged: true,
		api: operation{id: "sitemap", rules: "catalogue.md#categories-redirects-sitemap", about: "List the pages of a storefront", query: pageQuery(sitemapRows),
			out: answers.Sitemap.Schema}},

	// Configurator.
	{method: "GET", path: configuratorPath + "/schema", guards: configure, unreserved: true, handle: handleConfiguratorSchema, status: 200,
		api: operation{id: "readConfigurator", rules: "made-to-measure.md#rules", about: "Read the dimensions and choices of a product",
			out: answers.Configurator.Schema, finds: map[string]string{"id": "Product"},
			query: []openapi.Parameter{taxCountryParameter}, refuses: taxCountryRefusals, taxed: true}},
	{method: "POST", path: configuratorPath + "/quote", guards: configure, unreserved: true, handle: handleConfiguratorQuote, status: 200,
		api: operation{id: "quoteConfiguration", rules: "made-to-measure.md#rules", about: "Price a configuration", in: bodies.ConfigurationQuote.Schema,
			out: answers.ConfigurationQuote.Schema, finds: map[string]string{"id": "Product"},
			query: []openapi.Parameter{taxCountryParameter}, taxed: true,
			refuses: configuratorRefusals, notes: "Nothing is stored. Refusals have no code."}},

	// Spec: Addresses.
	{method: "GET", path: addressesPath, guards: readContact, record: contactRecord, handle: handleAddressList, status: 200, tagged: true,
		api: operation{id: "listAddresses", rules: "addresses.md#addresses", about: "List all addresses", out: answers.AddressesAnswer.Schema}},
	{method: "POST", path: addressesPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressAdd, status: 201,
		api: operation{id: "addAddress", rules: "addresses.md#addresses", about: "Add an address", in: bodies.AddressAdd.Schema, out: answers.AddressAnswer.Schema,
			refuses: []*commerce.Refusal{commerce.AddressBookFull}}},
	{method: "PATCH", path: addressPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressPatch, status: 200,
		api: operation{id: "changeAddress", rules: "addresses.md#addresses", about: "Change an address", in: bodies.AddressPatch.Schema,
			out: answers.AddressAnswer.Schema, notes: "Absent fields stay as they are."}},
	{method: "DELETE", path: addressPath, guards: writeContact, record: contactRecord, visit: true, handle: handleAddressRemove, status: 204,
		api: operation{id: "removeAddress", rules: "addresses.md#addresses", about: "Delete an address"}},

	// Stock.
	{method: "GET", path: availabilityPath, guards: readStock, unreserved: true, handle: handleStockAvailability, status: 200,
		api: operation{id: "listAvailability", rules: "stock.md#rules", about: "List the available stock", out: answers.AvailabilityList.Schema,
			query: pageQuery(stockRows, stockQueryParameters...), refuses: stockQueryRefusals}},
	{method: "POST", path: adjustmentsPath, guards: adjustStock, record: stockRecord, once: true, acts: true, handle: handleStockAdjust, status: 201,
		api: operation{id: "adjustStock", rules: "stock.md#rules", about: "Change the stock on hand", in: bodies.StockAdjustment.Schema,
			out: answers.StockLevel.Schema, refuses: stockRefusals}},

	// Accounts.
	{method: "GET", path: profilePath, guards: readContact, record: contactRecord, handle: handleProfileRead, status: 200, tagged: true,
		api: operation{id: "readProfile", rules: "customers.md#contact-profile", about: "Read the profile", out: answers.Profile.Schema}},
	{method: "PATCH", path: profilePath, guards: writeContact, record: contactRecord, visit: true, handle: handleProfilePatch, status: 200,
		api: operation{id: "changeProfile", rules: "customers.md#contact-profile", about: "Change name and phone", in: bodies.ProfilePatch.Schema,
			out: answers.Profile.Schema, notes: "Absent fields stay as they are."}},
	{method: "PUT", path: passwordPath, guards: writeContact, record: contactRecord, secret: true, handle: handlePasswordChange, status: 204,
		api: operation{id: "changePassword", rules: "customers.md#account", about: "Change the password", in: bodies.PasswordChange.Schema,
			refuses: []*commerce.Refusal{commerce.PasswordIncorrect},
			notes:   "Ends all other sessions of the account."}},
	{method: "POST", path: contactsPath + "/register", guards: signIn, secret: true, constantTime: true, handle: handleRegister, status: 201,
		api: operation{id: "register", rules: "customers.md#account", about: "Create an account and log in", in: bodies.Register.Schema,
			out: answers.SignedIn.Schema, refuses: []*commerce.Refusal{commerce.EmailTaken}}},
	{method: "POST", path: contactsPath + "/login", guards: signIn, secret: true, constantTime: true, handle: handleLogin, status: 200,
		api: operation{id: "login", rules: "customers.md#account", about: "Log in", in: bodies.Login.Schema, out: answers.SignedIn.Schema,
			refuses: []*commerce.Refusal{commerce.CredentialsRefused},
			notes:   "At most 5 failures a minute per address and caller, then 429."}},
	{method: "POST", path: contactsPath + "/logout", guards: writeContact, handle: handleLogout, status: 204,
		api: operation{id: "logout", rules: "customers.md#account", about: "End the session of the token"}},
	{method: "POST", path: contactsPath + "/forgot-password", guards: signIn, constantTime: true, handle: handleForgotPassword, status: 202,
		api: operation{id: "forgotPassword", rules: "customers.md#account", about: "Ask for a link to reset the password", in: bodies.ForgotPassword.Schema,
			out:   answers.Message.Schema,
			notes: "The answer is the same whether or not the address is known. The store sends the link, at most three an hour for an account."}},
	{method: "POST", path: contactsPath + "/reset-password", guards: signIn, secret: true, constantTime: true, handle: handlePasswordReset, status: 204,
		api: operation{id: "resetPassword", rules: "customers.md#account", about: "Set a new password with the link's token", in: bodies.PasswordReset.Schema,
			refuses: []*commerce.Refusal{commerce.ResetTokenInvalid},
			notes:   "Ends all sessions of the account."}},

	// docs/api/customers.md#accounts-that-live-elsewhere
	{method: "PUT", path: externalAccountPath, guards: manageContacts, acts: true, secret: true, handle: handleAccountPut, status: 201,
		api: operation{id: "putAccount", rules: "customers.md#accounts-that-live-elsewhere", about: "Make or change the account of an external id",
			in: bodies.AccountPut.Schema, out: answers.Profile.Schema, repeated: 200, refuses: []*commerce.Refusal{commerce.EmailTaken},
			notes: "For a merchant's server that logs its shoppers in itself. Absent fields stay as they are. 200 if there is the account already."}},
	{method: "POST", path: accountTokensPath, guards: manageContacts, secret: true, handle: handleTokenIssue, status: 201,
		api: operation{id: "issueToken", rules: "customers.md#accounts-that-live-elsewhere", about: "Make a customer token of an account",
			in: bodies.TokenIssue.Schema, out: answers.IssuedToken.Schema, finds: map[string]string{"id": "Contact"},
			notes: "For a merchant's server that knows who the shopper is. A repeat makes another token."}},
	{method: "DELETE", path: accountTokensPath, guards: manageContacts, acts: true, handle: handleTokensEnd, status: 204,
		api: operation{id: "endTokens", rules: "customers.md#accounts-that-live-elsewhere", about: "End all customer tokens of an account",
			finds: map[string]string{"id": "Contact"}}},
}, slices.Concat(storeQuoteRoutes, merchantRoutes)...)
