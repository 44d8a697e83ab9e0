// Package httpserver serves the API over HTTP. It owns the table of routes with their guards, the
// way of a request to the engine and back, and the body of every refusal and error.
//
// It knows neither storage nor actors: it calls the engine through the interface Engine. fasthttp
// owns headers, bodies and paths, and reuses their buffers for the next request as soon as a
// handler returns. Everything that goes to the engine is therefore copied first.
//
// Open first: routes.go (the table of routes), server.go (the path of a request), admit.go (guards
// and the request limit), errors.go (every answer that is not a success). The handlers of a noun of the API are in the file of its
// name. What a name does not say:
//
//   - Server: engine.go is what it calls, route.go a row of the table, dispatch.go leads from a path to a row, site_routes.go has the
//     pages and files beside the API.
//   - Request: exchange.go is a request with its answer, store_body.go bodies on account of a store, include.go and unknown_fields.go
//     parameters that add to an answer, and fields that no route knows.
//   - Load: answer_charge.go counts the memory of answers, connection_carts.go the carts whose answer a connection has carried.
//   - Description: description.go makes docs/openapi.json of the rows.
//   - Merchant: routes_merchant.go, after_sale.go (of orders), quote_draft.go, merchant.go (the store and its document),
//     merchant_read.go (customers, stock, carts, sales, history).
package httpserver
