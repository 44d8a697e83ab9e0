// Package httpserver serves the API over HTTP. It owns the table of routes with their guards, the
// way of a request to the engine and back, and the body of every refusal and error.
//
// It knows neither storage nor actors: it calls the engine through the interface Engine. fasthttp
// lends headers, bodies and paths, and reuses their buffers for the next request as soon as a
// handler returns. Everything that goes to the engine is therefore copied first.
//
// Open first: routes.go (the table of routes), serve.go (the path of a request), admit.go (guards
// and the request limit), errors.go (every answer that is not a success). The files by subject:
//
//   - Server: server.go (configuration, start, stop), engine.go (what it calls), route.go (a row),
//     guards.go, routes.go (the table), dispatch.go (from a path to a row), site_routes.go (pages and files beside the API).
//   - Request: serve.go, exchange.go (a request with its answer), admit.go, bearer.go, body_limit.go,
//     store_body.go (bodies on account of a store), header.go, cors.go, idempotency.go, etag.go, include.go
//     and ignored.go (parameters that add to an answer, and fields that no route knows), pagination.go.
//   - Load: answer_charge.go (the memory of answers), packed_answer.go, carried.go (the carts whose
//     answer a connection has carried).
//   - Watching: log.go, metrics.go, store_minutes.go, business.go (metrics of merchants), timing.go, health.go.
//   - Description: description.go, description_header.go, operation.go, own_address.go.
//   - Cart: cart.go, cart_list.go, cart_copy.go, cart_details.go, basket.go (priced without a cart), claim.go,
//     line.go, line_batch.go, discount_code.go, explain.go, event.go (a stream of changes).
//   - Order: kept_checkout.go, checkout.go, shipping_method.go, order.go, order_decode.go, after_sale.go and
//     after_sale_decode.go (of the merchant), quote.go,
//     quote_draft.go and routes_quotes.go (the merchant's).
//   - Catalogue: catalogue.go, product_decode.go, product_search.go, product_stock.go, tax_country.go,
//     catalogue_change.go, configurator.go, stock.go, stock_decode.go, stock_reading.go.
//   - Customer: account.go, external_account.go (whose customer logs in elsewhere), profile.go, contact.go, address.go.
//   - Merchant: routes_merchant.go, merchant.go (the store and its document), merchant_read.go (customers, stock, carts, sales, history).
//   - Key: me.go, ping.go.
package httpserver
