package httpserver

import (
	"net/netip"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// The engine gets the caller, and the answer shows the login limit.
func TestALoginIsCountedByItsCaller(t *testing.T) {
	h := start(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")} })
	login := sample(&route{method: "POST", path: contactsPath + "/login"})
	login.header = []string{"X-Forwarded-For: 192.0.2.7"}
	h.engine.failures = engine.Budget{Granted: true, Limit: 5, Remaining: 3}
	got := h.do(login)
	if got.header.Get("X-RateLimit-Limit") != "5" || got.header.Get("X-RateLimit-Remaining") != "3" {
		t.Errorf("shown %v, want the smaller budget", got.header)
	}
	h.engine.mu.Lock()
	request, credentials := h.engine.accounts[0], *h.engine.account.(*engine.Credentials)
	h.engine.mu.Unlock()
	if request.Caller != (engine.Caller{Addr: netip.MustParseAddr("192.0.2.7"), Forwarded: true}) ||
		credentials != (engine.Credentials{Email: "a@b.co", Password: "password"}) {
		t.Errorf("asked %+v of %+v", credentials, request)
	}
	h.engine.failures.Remaining = 120
	if got := h.do(login); got.header.Get("X-RateLimit-Limit") != "120" {
		t.Errorf("shown %v, want the store's budget", got.header)
	}
	h.engine.failures = engine.Budget{Limit: 5, RetryAfter: 1500 * time.Millisecond, Reset: testNow}
	h.engine.err = commerce.TooManyAttempts
	got = h.expect(login, 429, message("Too Many Attempts."))
	if got.header.Get("Retry-After") != "2" || got.header.Get("X-RateLimit-Remaining") != "0" || got.header.Get("X-RateLimit-Reset") == "" {
		t.Errorf("refused with %v", got.header)
	}
}

// An Idempotency-Key leaves no trace of a body with a password.
func TestNoIdempotencyKeyCoversAPassword(t *testing.T) {
	h := start(t)
	for i := range routes {
		r := &routes[i]
		c := sample(r)
		c.header = []string{"Idempotency-Key: 0123456789abcdef"}
		h.reset()
		h.do(c)
		if !r.secret {
			continue
		}
		for _, ask := range h.engine.asks {
			if ask.Idempotency != nil {
				t.Errorf("%s %s looks up an Idempotency-Key", r.method, r.path)
			}
		}
	}
}
