package blackbox_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// perClient is the request limit a minute of a client address without a key. Spec: Limits, Request
// rate.
const perClient = 120

const (
	tooMany         = `{"message":"Too Many Attempts."}`
	unauthenticated = `{"message":"Unauthenticated."}`
)

// limited is the base store with a request limit of n a minute.
func limited(t *testing.T, n int) string {
	t.Helper()
	return storeFile(t, base(), setting("rate_limit_per_minute", n))
}

// wantRefused wants the 429 with all its headers.
func wantRefused(a answer, limit int) {
	a.t.Helper()
	a.want(http.StatusTooManyRequests, tooMany)
	a.wantHeader("X-RateLimit-Limit", strconv.Itoa(limit)).wantHeader("X-RateLimit-Remaining", "0")
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
		a.t.Errorf("%v\nRetry-After: got %q, want whole seconds from 1 to 60", a, a.header.Get("Retry-After"))
	}
	reset, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64)
	if in := time.Until(time.Unix(reset, 0)); err != nil || in < -time.Second || in > 61*time.Second {
		a.t.Errorf("%v\nX-RateLimit-Reset: got %q, want Unix seconds within the next minute", a, a.header.Get("X-RateLimit-Reset"))
	}
}

// Spec: unauthenticated requests to rate-limited routes are counted by client IP.
func TestWithoutAKeyTheClientAddressIsLimited(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base())
	shop := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	keys := []string{"", "wrong"}
	for i := range perClient {
		a := shop.withKey(keys[i%2]).withHeader("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)).get("me") // the header counts only from a trusted proxy
		a.want(http.StatusUnauthorized, unauthenticated)
		a.wantHeader("X-RateLimit-Limit", "120").wantHeader("X-RateLimit-Remaining", strconv.Itoa(perClient-1-i))
	}
	wantRefused(shop.withKey("").get("me"), perClient)
	wantRefused(shop.withKey("wrong").post("commerce/carts", ""), perClient)
	shop.get("me").wantStatus(http.StatusOK) // a key uses its store's budget
	shop.withKey("").get("/v1/ping").wantStatus(http.StatusOK)
	other := start(t, options{redis: r.URL(), stores: []string{file}}).client(t)
	wantRefused(other.withKey("").get("me"), perClient)
}

// docs/api/limits.md#limits, docs/operations.md#tls: the limited client is the last untrusted address
// of the header if the peer is trusted. An IPv6 address counts by its /64.
func TestTheAddressForwardedByATrustedProxyIsLimited(t *testing.T) {
	t.Parallel()
	shop := start(t, options{
		redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), flags: []string{"--trusted-proxies", "127.0.0.1/32"},
	}).client(t).withKey("")
	from := func(header string) answer {
		t.Helper()
		return shop.withHeader("X-Forwarded-For", header).get("me")
	}
	for range perClient {
		from("203.0.113.7").wantStatus(http.StatusUnauthorized)
		from("2001:db8:0:1::1").wantStatus(http.StatusUnauthorized)
	}
	from("198.51.100.1, 203.0.113.7").wantStatus(429) // a client can invent the first entry
	from("203.0.113.7,127.0.0.1").wantStatus(429)
	from("2001:db8:0:1:ffff::2").wantStatus(429) // the same /64
	from("2001:db8:0:2::1").wantStatus(401)
	from("").wantStatus(401) // the peer itself
}

// docs/api/limits.md#budgets-inside-a-store: a client of a store is the last untrusted address behind a trusted proxy, else
// the peer, so that a server that is no trusted proxy is one client for all its shoppers. An IPv6 address counts by its /64.
func TestOneClientOfAStore(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base(), setting("limits", object{"per_client": 2}))
	type row struct {
		header string
		status int
	}
	for name, c := range map[string]struct {
		flags []string
		rows  []row
	}{
		"behind a trusted proxy": {[]string{"--trusted-proxies", "127.0.0.1/32"}, []row{
			{"203.0.113.7", 200}, {"198.51.100.1, 203.0.113.7", 200}, {"203.0.113.7,127.0.0.1", 429}, {"198.51.100.2, 203.0.113.7", 429},
			{"203.0.113.8", 200}, {"2001:db8:0:1::1", 200}, {"2001:db8:0:1:ffff::2", 200}, {"2001:db8:0:1::3", 429}, {"2001:db8:0:2::1", 200}, {"", 200},
		}},
		"without one": {nil, []row{{"203.0.113.7", 200}, {"203.0.113.8", 200}, {"203.0.113.9", 429}, {"", 429}}},
	} {
		shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{file}, flags: c.flags}).client(t)
		for _, r := range c.rows {
			a := shop.withHeader("X-Forwarded-For", r.header).get("me")
			if a.status == http.StatusTooManyRequests {
				wantClientRefused(a, 2)
			}
			if a.status != r.status {
				t.Errorf("%s, %q: %d, want %d", name, r.header, a.status, r.status)
			}
		}
	}
}

// wantClientRefused is wantRefused for the limit of a client, which is counted in steps of a second.
func wantClientRefused(a answer, limit int) {
	a.t.Helper()
	a.want(http.StatusTooManyRequests, tooMany)
	a.wantHeader("X-RateLimit-Limit", strconv.Itoa(limit)).wantHeader("X-RateLimit-Remaining", "0")
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 50 || wait > 61 {
		a.t.Errorf("%v\nRetry-After: got %q, want the seconds until the first request leaves", a, a.header.Get("Retry-After"))
	}
}
