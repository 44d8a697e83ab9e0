package httpserver

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// onBusyNode is a server whose engine presumes whatever it may.
func onBusyNode(t *testing.T) *harness {
	h := start(t)
	h.engine.busy = true
	h.engine.carried = engine.Reply{
		Cart: commerce.NewCart(uuid.MustParse(testCart), testNow), Budget: engine.Budget{Granted: true, Limit: 120, Remaining: 57},
	}
	return h
}

// wantBudget fails unless the answer carries these headers of the request limit; ""
// for none.
func wantBudget(t *testing.T, got answer, limit, remaining, retry, reset string) {
	t.Helper()
	for name, want := range map[string]string{
		"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": remaining, "Retry-After": retry, "X-RateLimit-Reset": reset,
	} {
		if value := got.header.Get(name); value != want {
			t.Errorf("%d %s: %s is %q, want %q", got.status, got.body, name, value, want)
		}
	}
}

// oneTrips are one request for each route whose commit may be its only round trip.
var oneTrips = []call{
	{method: "POST", path: cartsPath},
	{method: "PATCH", path: cartsPath + "/" + testCart, body: `{"metadata":null}`},
	{method: "POST", path: cartsPath + "/" + testCart + "/lines", body: `{"product_id":"` + testLine + `","quantity":1}`},
	{method: "PATCH", path: linePathOf(testLine), body: `{"quantity":1}`},
	{method: "DELETE", path: linePathOf(testLine)},
	{method: "POST", path: cartsPath + "/" + testCart + "/lines/batch", body: `{"lines":[]}`},
	{method: "DELETE", path: cartsPath + "/" + testCart + "/discount"},
}

func TestWhichRequestsMayBePresumed(t *testing.T) {
	h := start(t)
	presumed := func(c call) bool {
		h.reset()
		h.do(c)
		return h.engine.asks[0].Presume
	}
	oneTrip := 0
	for i := range routes {
		if c := sample(&routes[i]); routes[i].guards != nil && presumed(c) != routes[i].oneTrip {
			t.Errorf("%s %s is presumed: %v, want %v", c.method, c.path, !routes[i].oneTrip, routes[i].oneTrip)
		}
		if routes[i].oneTrip {
			oneTrip++
		}
	}
	if oneTrip != len(oneTrips) {
		t.Errorf("%d routes take one trip, and %d of them are tested", oneTrip, len(oneTrips))
	}
	for _, c := range oneTrips {
		if !presumed(c) {
			t.Errorf("%s %s is not presumed", c.method, c.path)
		}
		plain := c
		for _, header := range []string{"X-Customer-Token: " + testToken, "Idempotency-Key: 0123456789abcdef", "Idempotency-Key:"} {
			c.header = []string{header}
			if presumed(c) {
				t.Errorf("%s %s with %q is presumed", c.method, c.path, header)
			}
		}
		c = plain
		if c.anonymous = true; presumed(c) {
			t.Errorf("%s %s without a key is presumed", c.method, c.path)
		}
		c.anonymous, c.path = false, strings.Replace(c.path, testCart, "nonsense", 1)
		if c.path != plain.path && presumed(c) {
			t.Errorf("%s %s is presumed", c.method, c.path)
		}
	}
}

func TestAPresumedWriteIsAnsweredFromItsCommit(t *testing.T) {
	h := onBusyNode(t)
	for _, c := range oneTrips {
		h.reset()
		got := h.do(c)
		if got.status/100 != 2 || len(h.engine.asks) != 1 || len(h.engine.requests) != 1 {
			t.Errorf("%s %s: %d after %d admissions and %d calls, want success after one each", c.method, c.path, got.status, len(h.engine.asks), len(h.engine.requests))
		}
		wantBudget(t, got, "120", "57", "", "")
	}
	// What is left of the limit is not always known; the headers stand anyway.
	h.engine.carried.Budget = engine.Budget{}
	wantBudget(t, h.do(oneTrips[0]), "120", "0", "", "")
}

// What a presumed admission does not carry is admitted again, and served under that.
func TestAWriteThatItsCommitCannotAnswerIsAdmittedAgain(t *testing.T) {
	h := onBusyNode(t)
	for _, err := range []error{nil, commerce.CartOwned} {
		for _, c := range oneTrips {
			h.reset()
			h.engine.carried, h.engine.carriedErr, h.engine.err = engine.Reply{}, engine.ErrPresumed, err
			h.engine.admission.Cart.Stamp = engine.Stamp{Counter: 7}
			got := h.do(c)
			if refused := got.status == 403; refused != (err != nil) || got.status/100 != 2 && !refused {
				t.Errorf("%s %s: %d %s, want what the second call is answered", c.method, c.path, got.status, got.body)
			}
			wantBudget(t, got, "120", "119", "", "")
			if asks := h.engine.asks; len(asks) != 2 || asks[1].Presume || len(h.engine.requests) != 2 {
				t.Errorf("%s %s: asked %+v", c.method, c.path, asks)
				continue
			}
			first, second := h.engine.requests[0], h.engine.requests[1]
			if second.Presumed != nil || second.Cart.Stamp.Counter != 7 || second.CartID != first.CartID || second.Began != first.Began {
				t.Errorf("%s %s: the second request is %+v", c.method, c.path, second)
			}
		}
	}
	// The second admission may refuse, or fail.
	h.reset()
	h.engine.carriedErr, h.engine.admission.Budget = engine.ErrPresumed, engine.Budget{Limit: 120, RetryAfter: time.Second, Reset: testNow}
	if got := h.do(oneTrips[1]); got.status != 429 || len(h.engine.requests) != 1 {
		t.Errorf("%d %s after %d calls, want 429 after one", got.status, got.body, len(h.engine.requests))
	}
	h.reset()
	h.engine.carriedErr, h.engine.admitErr = engine.ErrPresumed, engine.ErrUnavailable
	got := h.do(oneTrips[1])
	if got.status != 503 || len(h.engine.requests) != 1 {
		t.Errorf("%d %s after %d calls, want 503 after one", got.status, got.body, len(h.engine.requests))
	}
	wantBudget(t, got, "", "", "1", "")
}

// The request limit comes before every guard, and only Redis knows it.
func TestAGuardsRefusalUnderAPresumedAdmissionIsConfirmed(t *testing.T) {
	h := onBusyNode(t)
	for _, c := range oneTrips {
		h.reset()
		h.engine.admission.Key = &commerce.APIKey{Scopes: readCarts.Scopes}
		got := h.do(c)
		if got.status != 403 || len(h.engine.asks) != 2 || h.engine.asks[1].Presume || len(h.engine.requests) != 0 {
			t.Errorf("%s %s: %d %s, asked %+v", c.method, c.path, got.status, got.body, h.engine.asks)
		}
		wantBudget(t, got, "120", "119", "", "")
		h.engine.admission.Budget = engine.Budget{Limit: 120, RetryAfter: time.Second, Reset: testNow}
		wantBudget(t, h.do(c), "120", "0", "1", decimal(int(testNow.Unix())))
	}
}

func TestAWriteThatItsCommitFindsBeyondTheLimit(t *testing.T) {
	h := onBusyNode(t)
	h.engine.carriedErr = commerce.TooManyAttempts
	h.engine.carried = engine.Reply{Budget: engine.Budget{Limit: 120, RetryAfter: 30 * time.Second, Reset: testNow.Add(30 * time.Second)}}
	for _, c := range oneTrips {
		got := h.expect(c, 429, message("Too Many Attempts."))
		wantBudget(t, got, "120", "0", "30", decimal(int(testNow.Unix()+30)))
	}
}

// Nothing is known of the limit where the commit was not answered.
func TestAPresumedWriteWithoutAnOutcomeCarriesNoBudget(t *testing.T) {
	h := onBusyNode(t)
	h.engine.carried = engine.Reply{}
	h.engine.carriedErr = engine.ErrUnavailable
	wantBudget(t, h.expect(oneTrips[1], 503, message("Service Unavailable")), "", "", "1", "")
	h.engine.carriedErr = engine.ErrUnknownOutcome
	wantBudget(t, h.expect(oneTrips[1], 504, message("Gateway Timeout")), "", "", "", "")
}
