package httpserver

import (
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// wantBudget fails unless the answer has these headers of the request limit; "" for none.
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

// wantCounted fails unless Admit and the visits have counted these numbers of requests.
func (h *harness) wantCounted(c call, admits, visits int) {
	h.t.Helper()
	if e := h.engine; e.admits != admits || e.visits != visits {
		h.t.Errorf("%s %s %q: counted %d times by Admit and %d times by a visit, want %d and %d", c.method, c.path, c.header, e.admits, e.visits, admits, visits)
	}
}

// eachVisit makes a request on every route that ends in a visit.
func (h *harness) eachVisit(prepare func(e *fakeEngine), check func(r *route, c call, got answer)) {
	h.t.Helper()
	for i := range routes {
		if routes[i].visit {
			h.reset()
			prepare(h.engine)
			c := sample(&routes[i])
			check(&routes[i], c, h.do(c))
		}
	}
}

// Every write of a cart, a contact or an order ends in a visit, and no other request does. A copy is
// counted by the reading of its original. Every request is
// counted once, also a refused one.
func TestEveryRequestIsCountedOnce(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		if r.guards == nil {
			continue
		}
		write := r.method != "GET" && (r.changesDocument() || r.path == cartsPath || r.record == cartRecord && !r.copies || r.record == orderRecord ||
			r.record == storeQuoteRecord || r.record == contactRecord && !r.secret || r.record == accountRecord)
		if (r.visit || r.changesDocument()) != write {
			t.Errorf("%s %s visits: %v, want %v", r.method, r.path, r.visit, write)
		}
		creation := r.path == cartsPath
		for _, v := range []struct {
			name   string
			change func(*call)
			visit  bool
		}{
			{"as it should be", func(*call) {}, write},
			{"no JSON", func(c *call) { c.body = "[" }, write},
			{"an invalid Idempotency-Key", func(c *call) { c.header = []string{"Idempotency-Key:"} }, write && !creation},
			{"an invalid id", func(c *call) { c.path = strings.Replace(c.path, testCart, "x", 1) },
				write && r.record != cartRecord && r.record != orderRecord && r.record != accountRecord && r.record != storeQuoteRecord && r.path != productsPath+"/{id}"},
		} {
			h.reset()
			c := sample(r)
			v.change(&c)
			got := h.do(c)
			admits, visits := 1, 0
			if v.visit {
				admits, visits = 0, 1
			}
			h.wantCounted(c, admits, visits)
			wantBudget(t, got, "120", "119", "", "")
			if creation && strings.HasPrefix(v.name, "an Idempotency-Key") && (got.status != 400 || len(h.engine.requests) > 0) {
				t.Errorf("%s: got %d after %d calls, want 400 and no call", v.name, got.status, len(h.engine.requests))
			}
		}
	}
}

// The node's facts may be outdated, and the request limit is judged first. Therefore only Redis
// refuses.
func TestGuardsRefuseAWriteByTheFactsInRedis(t *testing.T) {
	h := start(t)
	noScope := func(f engine.Facts) *engine.Facts {
		f.Key = &commerce.APIKey{}
		return &f
	}
	h.eachVisit(func(e *fakeEngine) { e.admission = *noScope(e.admission) }, func(_ *route, c call, got answer) {
		if got.status != 403 {
			t.Errorf("%s %s: %d %s, want 403", c.method, c.path, got.status, got.body)
		}
		h.wantCounted(c, 1, 0)
		wantBudget(t, got, "120", "119", "", "")
		h.engine.admission.Budget = engine.Budget{Limit: 120, RetryAfter: time.Second, Reset: testNow}
		if got = h.do(c); got.status != 429 {
			t.Errorf("%s %s beyond the limit: %d %s, want 429", c.method, c.path, got.status, got.body)
		}
		wantBudget(t, got, "120", "0", "1", decimal(int(testNow.Unix())))
	})
	h.eachVisit(func(e *fakeEngine) { e.node = noScope(e.admission) }, func(r *route, c call, got answer) {
		if got.status != r.status {
			t.Errorf("%s %s by an older key: %d %s, want %d", c.method, c.path, got.status, got.body, r.status)
		}
		h.wantCounted(c, 1, 0)
		wantBudget(t, got, "120", "119", "", "")
	})
}

func TestOutdatedFactsAreReadAgain(t *testing.T) {
	h := start(t)
	h.eachVisit(func(e *fakeEngine) { e.outdated = 2 }, func(r *route, c call, got answer) {
		if got.status != r.status || h.engine.refreshes != 2 {
			t.Errorf("%s %s: %d %s after %d refreshes, want %d after 2", c.method, c.path, got.status, got.body, h.engine.refreshes, r.status)
		}
		h.wantCounted(c, 0, 1)
		wantBudget(t, got, "120", "119", "", "")
	})
}

// The visit decides the answer: 429 has the headers of the limit. If no answer came back, there are
// none.
func TestVisitsThatDoNotCount(t *testing.T) {
	h := start(t)
	beyond := engine.Budget{Limit: 120, RetryAfter: 30 * time.Second, Reset: testNow.Add(30 * time.Second)}
	h.eachVisit(func(e *fakeEngine) { e.admission.Budget = beyond }, func(_ *route, c call, got answer) {
		if got.status != 429 || got.body != message("Too Many Attempts.") {
			t.Errorf("%s %s: %d %s, want 429", c.method, c.path, got.status, got.body)
		}
		h.wantCounted(c, 0, 0)
		wantBudget(t, got, "120", "0", "30", decimal(int(testNow.Unix()+30)))
	})
	for _, lost := range []struct {
		err    error
		status int
		retry  string
	}{{engine.ErrUnavailable, 503, "1"}, {engine.ErrUnknownOutcome, 504, ""}} {
		h.eachVisit(func(e *fakeEngine) { e.admitErr = lost.err }, func(_ *route, c call, got answer) {
			if got.status != lost.status {
				t.Errorf("%s %s: %d %s, want %d", c.method, c.path, got.status, got.body, lost.status)
			}
			wantBudget(t, got, "", "", lost.retry, "")
		})
	}
}
