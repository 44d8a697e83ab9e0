package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

const (
	storePath  = "/v1/api/store"
	closedPath = storePath + "/closed"

	contactPath    = contactsPath + "/{id}"
	levelsPath     = "/v1/api/stock/levels"
	usesPath       = catalogPath + "/discounts/{id}/uses"
	webhooksPath   = "/v1/api/webhooks"
	summaryPath    = "/v1/api/summary"
	historyPath    = "/v1/api/history"
	storeCartsPath = "/v1/api/carts"
	storeCartPath  = storeCartsPath + "/{id}"
)

// merchantRoutes are the routes of what a merchant asks about the store: docs/api/merchant.md.
var merchantRoutes = []route{
	{method: "GET", path: storePath, guards: readStore, handle: handleStoreRead, status: 200,
		api: operation{id: "readStore", rules: "merchant.md#the-store", about: "Read the state of the store, with what is doubtful about its document",
			out: answers.StoreStatus.Schema}},
	{method: "PUT", path: closedPath, guards: manageStore, acts: true, handle: handleStoreClose, status: 200,
		api: operation{id: "closeStore", rules: "merchant.md#the-store", about: "Close the store for orders", in: bodies.StoreClosing.Schema,
			out: answers.StoreStatus.Schema, notes: "Carts can be read. Every node follows with its next request. Again: the message is replaced."}},
	{method: "DELETE", path: closedPath, guards: manageStore, acts: true, handle: handleStoreOpen, status: 200,
		api: operation{id: "openStore", rules: "merchant.md#the-store", about: "End the merchant's closing of the store", out: answers.StoreStatus.Schema,
			notes: "The operator's closing stays."}},
	{method: "GET", path: documentPath, guards: readDocument, handle: handleEntryList, status: 200,
		api: operation{id: "listEntries", rules: "merchant.md#the-document", about: "List entries of the store's document", query: entryParameters,
			out: answers.EntryList.Schema, finds: map[string]string{"list": "List"},
			refuses: []*commerce.Refusal{faultOf("after", commerce.MsgIn("after"))},
			notes:   "As `cartd export` writes them, without secrets. A change set takes them back."}},
	{method: "GET", path: documentPath + "/{id}", guards: readDocument, handle: handleEntryRead, status: 200, tagged: true,
		api: operation{id: "readEntry", rules: "merchant.md#the-document", about: "Read an entry of the store's document", out: answers.Entry.Schema,
			finds: map[string]string{"list": "List", "id": "Entry"},
			notes: "The ETag is for `If-Match` of a change set of this entry."}},

	{method: "GET", path: levelsPath, guards: readLevels, handle: handleLevelList, status: 200,
		api: operation{id: "listStock", rules: "merchant.md#stock", about: "List the stock with its holds", query: levelParameters,
			out: answers.StockRowList.Schema, refuses: levelRefusals, notes: "Inactive products and variants too. One item has its holders."}},
	{method: "GET", path: contactsPath, guards: readContacts, handle: handleContactList, status: 200,
		api: operation{id: "listContacts", rules: "merchant.md#customers", about: "Find customers", query: contactParameters,
			out: answers.StoreContactList.Schema, refuses: contactRefusals, notes: "One of `email`, `external_id`, `q` and `awaiting`."}},
	{method: "GET", path: contactPath, guards: readContacts, handle: handleContactRead, status: 200, tagged: true,
		api: operation{id: "readContact", rules: "merchant.md#customers", about: "Read a customer, a guest too", out: answers.StoreContact.Schema,
			finds: map[string]string{"id": "Contact"}}},
	{method: "PATCH", path: contactPath, guards: changeContacts, record: accountRecord, visit: true, acts: true, handle: handleContactPatch, status: 200,
		api: operation{id: "changeContact", rules: "merchant.md#customers", about: "Approve an account, set its group, its VAT id or its reverse charge",
			in: bodies.ContactStanding.Schema, out: answers.StoreContact.Schema, finds: map[string]string{"id": "Contact"}, refuses: standingRefusals,
			notes: "Imports keep what it sets. Absent fields stay as they are."}},
	{method: "GET", path: summaryPath, guards: readStore, handle: handleSummary, status: 200,
		api: operation{id: "readSummary", rules: "merchant.md#summary", about: "Read the sales of the last days, and what waits", out: answers.Summary.Schema,
			query:   []openapi.Parameter{queryOf("days", openapi.Integer.Min(1).Max(maxDays).Default(standardDays), "Today and the days before it, in UTC.")},
			refuses: []*commerce.Refusal{faultOf("days", commerce.MsgMax("days", maxDays))}}},
	{method: "GET", path: usesPath, guards: readStore, handle: handleDiscountUses, status: 200,
		api: operation{id: "readDiscountUses", rules: "merchant.md#uses-of-discounts", about: "Read how often a discount was used", query: usesParameters,
			out: answers.DiscountUses.Schema, finds: map[string]string{"id": "Discount"},
			refuses: []*commerce.Refusal{faultOf("code", commerce.MsgIn("code")), faultOf("customer_id", commerce.MsgUUID("customer_id"))}}},
	{method: "GET", path: webhooksPath, guards: readStore, handle: handleWebhookList, status: 200,
		api: operation{id: "listWebhooks", rules: "merchant.md#webhooks", about: "List the queues of the store's webhooks", out: answers.Webhooks.Schema}},
	{method: "GET", path: historyPath, guards: readStore, handle: handleHistory, status: 200,
		api: operation{id: "listHistory", rules: "merchant.md#history", about: "List who has changed what, the newest first", out: answers.History.Schema,
			query:   []openapi.Parameter{queryOf("after", openapi.Text, "`meta.next_after` of the page before.")},
			refuses: []*commerce.Refusal{faultOf("after", commerce.MsgIn("after"))}}},
	{method: "GET", path: storeCartsPath, guards: readStoreCarts, handle: handleStoreCartList, status: 200,
		api: operation{id: "listStoreCarts", rules: "merchant.md#carts", about: "Find carts of the store", query: storeCartParameters,
			out: answers.StoreCartList.Schema, refuses: storeCartRefusals, notes: "One of `customer_id` and `short`."}},
	{method: "GET", path: storeCartPath, guards: readStoreCarts, handle: handleStoreCartRead, status: 200, tagged: true,
		api: operation{id: "readStoreCart", rules: "merchant.md#carts", about: "Read any cart as its customer sees it, in any status",
			out: answers.StoreCart.Schema, finds: map[string]string{"id": "Cart"}, includes: storeCartIncludes}},
}

// storeQuoteRoutes are the routes of the quotes that the merchant writes: docs/api/quotes.md#the-merchants-routes.
var storeQuoteRoutes = []route{
	{method: "GET", path: storeQuotesPath, guards: readStoreQuotes, handle: handleStoreQuoteList, status: 200,
		api: operation{id: "listStoreQuotes", rules: "quotes.md#the-merchants-routes", about: "List the store's quotes", query: storeQuoteParameters,
			out: answers.StoreQuoteList.Schema, refuses: []*commerce.Refusal{faultOf("state", commerce.MsgIn("state"))},
			notes: "A page may be shorter than asked for, also empty: `meta.next_before` says where to go on, and is null at the end."}},
	{method: "POST", path: storeQuotesPath, guards: writeQuotes, record: newQuoteRecord, once: true, tagged: true, acts: true, bodyLimit: batchBodyLimit,
		handle: handleQuoteCreate, status: 201,
		api: operation{id: "createQuote", rules: "quotes.md#the-merchants-routes", about: "Write a quote, also from a cart, an order or another quote",
			in: bodies.QuoteCreate.Schema, out: answers.StoreQuote.Schema,
			refuses: append([]*commerce.Refusal{commerce.OrderIsArchived, commerce.NotFound("Cart", exampleID), commerce.NotFound("Order", exampleID),
				commerce.NotFound("Quote", exampleID)}, writeQuoteRefusals[1:]...),
			notes: "The customer sees nothing of it ahead of an offer."}},
	{method: "GET", path: storeQuotePath, guards: readStoreQuotes, record: storeQuoteRecord, handle: handleStoreQuoteRead, status: 200, tagged: true,
		api: operation{id: "readStoreQuote", rules: "quotes.md#the-merchants-routes", about: "Read any quote of the store", out: answers.StoreQuote.Schema}},
	{method: "PATCH", path: storeQuotePath, guards: writeQuotes, record: storeQuoteRecord, bodyLimit: batchBodyLimit, acts: true, visit: true,
		handle: handleQuoteWrite,
		status: 200,
		api: operation{id: "writeQuote", rules: "quotes.md#the-merchants-routes", about: "Change a quote and its draft", in: bodies.QuoteWrite.Schema,
			out: answers.StoreQuote.Schema, refuses: append([]*commerce.Refusal{commerce.AlreadyConverted}, writeQuoteRefusals...),
			notes: "Absent fields stay as they are. A draft begins as a copy of the terms; the customer sees it once it is offered."}},
	{method: "DELETE", path: storeQuotePath + "/draft", guards: writeQuotes, record: storeQuoteRecord, acts: true, visit: true,
		handle: handleDraftDrop, status: 204,
		api: operation{id: "dropQuoteDraft", rules: "quotes.md#the-merchants-routes", about: "Delete the draft of a quote",
			refuses: []*commerce.Refusal{commerce.AlreadyConverted, commerce.QuoteIsRequested},
			notes:   "A quote of the merchant's own that was never offered goes whole."}},
	{method: "POST", path: storeQuotePath + "/withdraw", guards: writeQuotes, record: storeQuoteRecord, acts: true, visit: true,
		handle: handleQuoteWithdraw, status: 200,
		api: operation{id: "withdrawQuote", rules: "quotes.md#the-merchants-routes", about: "Withdraw an offer, or refuse a request", in: bodies.QuoteWithdraw.Schema,
			out: answers.StoreQuote.Schema, refuses: []*commerce.Refusal{commerce.AlreadyConverted, commerce.QuoteNotOffered},
			notes: "The draft stays. Withdrawn already: 200."}},
	{method: "POST", path: storeQuotePath + "/offer", guards: writeQuotes, record: storeQuoteRecord, acts: true, visit: true,
		handle: handleQuoteOffer, status: 200,
		api: operation{id: "offerQuote", rules: "quotes.md#the-merchants-routes", about: "Offer the draft: it becomes the terms, as the next version",
			in: bodies.QuoteOffer.Schema, out: answers.StoreQuote.Schema, refuses: offerRefusals,
			notes: "Offered without a draft: 200, and nothing happens."}},
}
