// Package front brings requests to a handler and answers back to clients. It owns the connections
// and their limits: the listener, the time-outs, the check of request heads, the decoding of
// chunks, the memory of bodies and answers, the refusal of connections beyond the limit, the
// address of a client whose proxy is trusted, and the connections that stay open for events.
//
// It knows no route and no rule: the handler says how large a body may be and whose memory it
// takes.
//
// Open first: http_server.go (the settings and the life of a Server), conn.go (a connection), head.go
// (which heads are refused), body.go (how a body is read), stream.go (events).
package front
