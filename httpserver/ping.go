package httpserver

// handlePing answers if the server accepts requests. Spec: Limits, GET /v1/ping.
func handlePing(_ *Server, x *exchange) error {
	x.out = append(x.out, `{"message":"pong"}`...)
	return nil
}
