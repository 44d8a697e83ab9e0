package httpserver

import (
	"testing"
)

// The budget of a caller is shown if less is left of it than of the store's, also with a refusal.
func TestTheBudgetOfAnswers(t *testing.T) {
	h := start(t)
	h.engine.answers.Limit = 30
	for _, c := range []struct {
		remaining int
		granted   bool
		status    int
		limit     string
	}{{118, true, 200, "30"}, {119, true, 200, "120"}, {0, false, 429, "30"}} {
		h.engine.answers.Remaining, h.engine.answers.Granted = c.remaining, c.granted
		for _, prefix := range []string{"sales", "commerce"} {
			got := h.do(call{method: "POST", path: "/v1/api/" + prefix + "/quotes/by-token/" + quoteToken + "/decline"})
			if got.status != c.status || got.header.Get("X-RateLimit-Limit") != c.limit || (got.header.Get("Retry-After") != "") == c.granted {
				t.Errorf("%s, %+v: got %d %v", prefix, c, got.status, got.header)
			}
		}
	}
}
