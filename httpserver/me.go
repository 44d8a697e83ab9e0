package httpserver

import "cartd/internal/answers"

// handleMe shows the store and the key of the request. Spec: GET /v1/api/me returns a bare object.
func handleMe(_ *Server, x *exchange) error {
	x.out = answers.Me.Append(x.out, answers.MeView{Store: x.facts.Store, Key: x.facts.Key, Visitor: &x.facts.Visitor})
	return nil
}
