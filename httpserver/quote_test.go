package httpserver

import (
	"strings"
	"testing"

	"cartd/internal/answers"
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

// Rows of quotes have lines_count in the place of the lines, and no token. One quote is whole and
// has its token. Both need a customer token, under both prefixes.
func TestQuotesOfTheCustomer(t *testing.T) {
	h := start(t)
	token := h.engine.admission.Store.QuoteToken(sampleQuote().ID)
	whole := string(answers.Quote.Append(nil, answers.QuoteAt(sampleQuote(), testNow)))
	row := strings.Replace(whole, `"lines":[]`, `"lines_count":2`, 1)
	withToken := strings.Replace(whole, `"created_at"`, `"token":"`+token+`","created_at"`, 1)
	for _, prefix := range []string{"/v1/api/sales/quotes", "/v1/api/commerce/quotes"} {
		if got := h.do(call{method: "GET", path: prefix}); got.status != 200 || !strings.HasPrefix(got.body, `{"data":[`+row+`],"links":`) ||
			!strings.Contains(got.body, `"per_page":25`) {
			t.Errorf("%s: %d %s\nwant the row %s", prefix, got.status, got.body, row)
		}
		tag := h.expect(call{method: "GET", path: prefix + "/" + strings.ToUpper(testQuote)}, 200, withToken).header.Get("ETag")
		if got := h.do(call{method: "GET", path: prefix + "/" + testQuote, header: []string{"If-None-Match: " + tag}}); got.status != 304 {
			t.Errorf("%s with its ETag: %d", prefix, got.status)
		}
		for _, id := range []string{"x", token} {
			h.expect(call{method: "GET", path: prefix + "/" + id}, 404, message("No query results for model [Quote] "+id))
		}
	}
	h.engine.admission.Visitor.CustomerID[0]++
	h.expect(call{method: "GET", path: quotesPath + "/" + testQuote}, 404, message("No query results for model [Quote] "+testQuote))
	h.engine.admission.Visitor.Known = false
	for _, path := range []string{quotesPath, quotesPath + "/" + testQuote} {
		h.expect(call{method: "GET", path: path}, 401, message("Invalid customer token."))
	}
}
