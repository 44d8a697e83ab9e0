package httpserver

// handlePing answers once requests can be served. Spec: Limits, GET /v1/ping.
func handlePing(_ *Server, x *exchange) error {
	x.out = append(x.out, `{"message":"pong"}`...)
	return nil
}
