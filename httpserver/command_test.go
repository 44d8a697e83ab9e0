package httpserver

import (
	"strings"
	"testing"

	"cartd/commerce"
)

// The engine gets the faults with the command, because it judges the cart first.
func TestTheEngineGetsFaultsWithTheCommand(t *testing.T) {
	h := start(t)
	for _, row := range []struct {
		call call
		want *commerce.Refusal
	}{
		{call{method: "PATCH", path: cartsPath + "/" + testCart, body: "{"}, commerce.InvalidJSON},
		{call{method: "POST", path: cartsPath + "/" + testCart + "/lines", body: "[1]"}, commerce.InvalidJSON},
		{call{method: "PATCH", path: linePathOf(testLine), body: `{"quantity":0}`}, nil},
	} {
		if got := h.do(row.call); got.status >= 300 {
			t.Errorf("%s: answered %d %s without the engine", row.call.path, got.status, got.body)
		}
		got := h.lastRequest()
		if row.want != nil && got.Fault != row.want || row.want == nil && (got.Fault == nil || got.Fault.Message != "The quantity field must be greater than 0.") {
			t.Errorf("%s: got fault %v", row.call.path, got.Fault)
		}
		if got.Command == nil {
			t.Errorf("%s: no command beside the fault", row.call.path)
		}
	}
	if change := h.lastRequest().Command.(commerce.ChangeLine); change.LineID != testLine {
		t.Errorf("got line %q beside the fault", change.LineID)
	}
}

// The rules judge a line id; it is passed on as it was sent.
func TestLineIDsArePassedOnUnchanged(t *testing.T) {
	h := start(t)
	for _, id := range []string{testLine, strings.ToUpper(testLine), "x", "a%20b", "%F0%9F", "\xf0\x28", "{id}"} {
		h.do(call{method: "DELETE", path: linePathOf(id)})
		if got := h.lastRequest().Command.(commerce.RemoveLine).LineID; got != id {
			t.Errorf("got %q, want %q", got, id)
		}
		h.do(call{method: "PATCH", path: linePathOf(id), body: `{"quantity":1}`})
		if got := h.lastRequest().Command.(commerce.ChangeLine).LineID; got != id {
			t.Errorf("got %q, want %q", got, id)
		}
	}
}

func TestNewIDs(t *testing.T) {
	h := start(t)
	seen := map[string]bool{}
	for range 8 {
		h.do(call{method: "POST", path: cartsPath})
		cart := h.lastRequest().CartID
		h.do(call{method: "POST", path: cartsPath + "/" + testCart + "/lines"})
		line := h.lastRequest().Command.(commerce.AddLine).LineID
		h.do(sample(&route{method: "POST", path: batchPath}))
		batched := h.lastRequest().Command.(commerce.AddLines)[0].LineID
		if cart.Version() != 4 || line.Version() != 4 || batched.Version() != 4 {
			t.Errorf("got cart %v, lines %v and %v, want version 4", cart, line, batched)
		}
		seen[cart.String()], seen[line.String()], seen[batched.String()] = true, true, true
	}
	if len(seen) != 24 {
		t.Errorf("24 ids, %d different ones", len(seen))
	}
}

func TestNotFoundNamesTheIDAsSent(t *testing.T) {
	h := start(t)
	compact := strings.ReplaceAll(testCart, "-", "")
	for _, id := range []string{"x", "1", "a%20b", compact, "{" + testCart + "}", "urn:uuid:" + testCart, testCart + "0", `"`} {
		for _, c := range []call{
			{method: "GET", path: cartsPath + "/" + id},
			{method: "PATCH", path: cartsPath + "/" + id, body: "{"},
			{method: "POST", path: cartsPath + "/" + id + "/lines", body: "{"},
			{method: "PATCH", path: cartsPath + "/" + id + "/lines/" + testLine, body: "{"},
			{method: "DELETE", path: cartsPath + "/" + id + "/lines/x"},
		} {
			h.expect(c, 404, message("No query results for model [Cart] "+id))
		}
	}
	if len(h.engine.requests) > 0 {
		t.Error("the engine was asked")
	}
	h.expect(call{method: "GET", path: cartsPath + "/a\xffb"}, 404, `{"message":"No query results for model [Cart] a\ufffdb"}`)
}
