package httpserver

import "cartd/internal/answers"

// handlePing answers if the server accepts requests. Spec: Limits, GET /v1/ping.
func handlePing(_ *Server, x *exchange) error {
	x.out = answers.Message.Append(x.out, "pong")
	return nil
}
