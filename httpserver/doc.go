// Package httpserver serves the API over HTTP. It owns the table of routes with their guards, the
// way of a request to the engine and back, and the body of every refusal and error.
//
// It knows neither storage nor actors: it calls the engine through the interface Engine. fasthttp
// owns headers, bodies and paths, and reuses their buffers for the next request as soon as a
// handler returns. Everything that goes to the engine is therefore copied first.
//
// Open first: routes.go (the table of routes), server.go (the path of a request), guards.go (what a
// request needs, and its limit), errors.go (every answer that is not a success). The handlers of a noun
// of the API are in the file of its name. What a name does not say:
//
//   - Server: engine.go is what it calls, route.go a row of the table, dispatch.go leads from a path to a row.
//   - Request: exchange.go is a request with its answer, store_body.go bodies on account of a store.
//   - Answer: answer_memory.go counts the memory of answers, description.go makes docs/openapi.json of the rows.
package httpserver
