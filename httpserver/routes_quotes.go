package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

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
