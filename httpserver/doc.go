// Package httpserver serves the API over HTTP. It owns the table of routes with their guards, the
// way of a request to the engine and back, and the body of every refusal and error.
//
// It knows neither storage nor actors: it calls the engine through the interface Engine. fasthttp
// lends headers, bodies and paths, and reuses their buffers for the next request as soon as a
// handler returns. Everything that goes to the engine is therefore copied first.
//
// Open first: routes.go (the table of routes), serve.go (the path of a request), admit.go (guards
// and the request limit), errors.go (every answer that is not a success).
package httpserver
