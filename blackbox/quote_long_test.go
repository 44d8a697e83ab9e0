//go:build long

package blackbox_test

import (
	"strconv"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// One caller may answer a store's quotes thirty times a minute. Accepts and declines, both prefixes
// and all nodes count together. A refused answer counts only in the store's budget.
func TestLongThirtyAnswersAMinute(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	now := time.Now()
	r.Mini.SetTime(now)
	file := storeFile(t, base(), collected, setting("rate_limit_per_minute", 50))
	proxied := []string{"--trusted-proxies", "127.0.0.1"}
	nodes := []client{
		start(t, options{redis: r.URL(), stores: []string{file, storeFile(t, another(storeOther, keyOther, nil))}, flags: proxied}).client(t),
		start(t, options{redis: r.URL(), flags: proxied}).client(t),
	}
	_, q := nodes[0].ask("1") // 3 of the store's 50 requests
	for i := range 30 {
		path := []string{"sales", "commerce"}[i/2%2] + "/quotes/by-token/" + unknownQuote + []string{"/accept", "/decline"}[i/4%2]
		a := nodes[i%2].post(path, "").want(404, noQuote(unknownQuote))
		limit, left := 30, 29-i
		if store := 46 - i; store < left {
			limit, left = 50, store
		}
		a.wantHeader("X-RateLimit-Limit", strconv.Itoa(limit)).wantHeader("X-RateLimit-Remaining", strconv.Itoa(left))
	}
	for range 2 {
		nodes[1].post(q.path()+"/accept", "{").want(429, tooMany).wantHeader("X-RateLimit-Limit", "30").wantHeader("X-RateLimit-Remaining",
			"0").wantHeader("Retry-After", "60")
	}
	nodes[0].get(q.path()).wantStatus(200).wantHeader("X-RateLimit-Limit", "50").wantHeader("X-RateLimit-Remaining", "14") // two of the refused ones counted
	nodes[0].withHeader("X-Forwarded-For", "192.0.2.7").post("sales/quotes/by-token/x/accept", "").want(404,
		noQuote("x")).wantHeader("X-RateLimit-Remaining", "13")
	for i, address := range []string{"2001:db8:0:1::1", "2001:db8:0:1:ffff::2"} { // one /64
		nodes[0].withHeader("X-Forwarded-For", address).post(q.path()+"/accept", "{").wantStatus(400).wantHeader("X-RateLimit-Remaining", strconv.Itoa(12-i))
	}
	nodes[0].withKey(keyOther).post("sales/quotes/by-token/x/accept", "").want(404, noQuote("x")).wantHeader("X-RateLimit-Limit",
		"30").wantHeader("X-RateLimit-Remaining", "29")
	for range 11 {
		nodes[0].get(q.path()).wantStatus(200)
	}
	// the store's limit is judged first
	nodes[0].withHeader("X-Forwarded-For", "192.0.2.8").post(q.path()+"/accept", "").want(429, tooMany).wantHeader("X-RateLimit-Limit", "50")
	r.Mini.SetTime(now.Add(time.Minute))
	nodes[1].post(q.path()+"/accept", "").wantStatus(201).wantHeader("X-RateLimit-Limit", "30").wantHeader("X-RateLimit-Remaining", "29")
}
