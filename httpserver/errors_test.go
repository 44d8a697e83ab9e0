package httpserver

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// The status of each kind, from the comments in commerce.
func TestEveryRefusalIsRendered(t *testing.T) {
	h := start(t)
	statuses := map[commerce.Kind]int{
		commerce.BadRequest: 400, commerce.Unauthorized: 401, commerce.Forbidden: 403, commerce.Missing: 404, commerce.Conflict: 409,
		commerce.Gone: 410, commerce.Stale: 412, commerce.Oversized: 413, commerce.Invalid: 422, commerce.TooMany: 429,
		commerce.Closed: 503,
	}
	if len(statuses) != len(statusOf) {
		t.Errorf("%d kinds have a status, want %d", len(statusOf), len(statuses))
	}
	rows := append([]*commerce.Refusal{}, commerce.Refusals()...)
	rows = append(rows, commerce.NotFound("Cart", testCart), commerce.ModuleDisabled(commerce.ModuleSales))
	for kind := range commerce.Kind(len(statusOf)) {
		rows = append(rows, &commerce.Refusal{Kind: kind, Message: fmt.Sprint("kind ", kind)})
	}
	for _, row := range rows {
		for _, err := range []error{row, fmt.Errorf("while changing: %w", row)} {
			h.engine.err = err
			got := h.expect(call{method: "POST", path: cartsPath}, statuses[row.Kind], string(appendRefusal(nil, row, false)))
			expectCommonHeaders(t, got)
		}
	}
}

func TestErrorsKeepTheirOrder(t *testing.T) {
	var faults commerce.Faults
	faults.Add("zeta", commerce.MsgMin("zeta", 1))
	faults.Add("zeta", commerce.MsgIn("zeta"))
	faults.Add("metadata.a\"/<b>", commerce.MsgScalar("metadata.a\"/<b>"))
	faults.Add("alpha", commerce.MsgDimensionUnknown())
	r := faults.Refusal()
	want := `{"message":"The zeta field must be at least 1.","errors":{"zeta":["The zeta field must be at least 1.","The selected zeta is invalid."],` +
		`"metadata.a\"/<b>":["The metadata.a\"/<b> field must be a string, number, boolean or null."],"alpha":["This dimension does not exist."]}}`
	if got := string(appendRefusal(nil, r, false)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestServerErrors(t *testing.T) {
	for _, row := range []struct {
		name    string
		err     error
		status  int
		message string
		retry   string
		logged  int
	}{
		{"nothing was done", fmt.Errorf("redis: %w", engine.ErrUnavailable), 503, "Service Unavailable", "1", 0},
		{"outcome not known", fmt.Errorf("redis: %w", engine.ErrUnknownOutcome), 504, "Gateway Timeout", "", 0},
		{"anything else", errors.New("the disk is on fire"), 500, "Server Error", "", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := start(t)
			h.engine.err = row.err
			got := h.expect(call{method: "POST", path: cartsPath}, row.status, message(row.message))
			expectCommonHeaders(t, got)
			if value := got.header.Get("Retry-After"); value != row.retry {
				t.Errorf("Retry-After: got %q, want %q", value, row.retry)
			}
			h.stop()
			log := h.log.String()
			if n := strings.Count(log, "level=ERROR"); n != row.logged {
				t.Errorf("%d errors logged, want %d:\n%s", n, row.logged, log)
			}
			if row.logged > 0 && !strings.Contains(log, "request_id="+got.header.Get("X-Request-Id")+" route="+cartsPath+" error=\"the disk is on fire\"") {
				t.Errorf("the log does not say which request failed, and why:\n%s", log)
			}
		})
	}
}

func TestPanicsAreServerErrors(t *testing.T) {
	h := start(t)
	h.engine.during = func() { panic("no such case") }
	got := h.expect(call{method: "GET", path: cartURL}, 500, message("Server Error"))
	if got.header.Get("X-RateLimit-Limit") != "120" {
		t.Errorf("the budget is missing: %v", got.header)
	}
	h.engine.during = nil
	h.expect(call{method: "GET", path: "/v1/ping"}, 200, `{"message":"pong"}`)
	h.stop()
	if log := h.log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "no such case") || !strings.Contains(log, "errors_test.go") {
		t.Errorf("the panic is not logged once with its stack:\n%s", log)
	}
}
