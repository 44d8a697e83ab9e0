package httpserver

import (
	"strings"
	"sync"

	"cartd/blackbox/conformance"
)

// checker checks answers against the description that the server serves.
var checker = sync.OnceValues(func() (*conformance.Checker, error) {
	text, err := describe(routes, "test")
	if err != nil {
		return nil, err
	}
	return conformance.New(text)
})

// conforms fails the test unless the description allows the answer. Every answer is checked here,
// except refusals of the fake engine, which gives any refusal on any route.
func (h *harness) conforms(c call, got answer) {
	h.t.Helper()
	c.path = strings.TrimPrefix(c.path, "http://shop.example")
	if own := h.server.metrics.table[&routes[0]] == nil; own || got.status >= 400 || got.header.Get("Content-Encoding") != "" {
		return // a packed file equals the plain one: TestStaticFilesArePacked
	}
	described, err := checker()
	if err != nil {
		h.t.Fatalf("the description: %v", err)
	}
	err = described.Check(&conformance.Exchange{
		Method: c.method, Path: c.path, Status: got.status, ResponseHeader: got.header, ResponseBody: []byte(got.body),
	})
	if err != nil {
		h.t.Error(err)
	}
}
