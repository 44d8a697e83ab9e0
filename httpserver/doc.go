// Package httpserver is the HTTP front of the engine: one literal table of
// routes, the guards in their order, strict reading of bodies, the encoding of
// answers and the envelope of every error.
//
// It knows no storage and no actor: the engine is the few methods of Engine.
// Nothing that fasthttp lends (headers, bodies, paths) goes through that
// interface: all of it is copied first, for the buffers hold the next request as
// soon as a handler returns.
//
// Open first: routes.go (what there is), serve.go (the path of a request),
// admit.go (who may), errors.go (every answer that is not a success).
package httpserver
