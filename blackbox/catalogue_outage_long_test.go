//go:build long

package blackbox_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"cartd/internal/redistest"
)

func wantRemaining(a answer, limit int) {
	a.t.Helper()
	if left, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining")); err != nil || left < 0 || left >= limit {
		a.t.Errorf("%v\nX-RateLimit-Remaining: got %q, want 0 to %d", a, a.header.Get("X-RateLimit-Remaining"), limit-1)
	}
}

// withoutRedis are requests while Redis is away; hammer, gloves and cable are tracked.
var withoutRedis = []struct {
	key, path, token string
	status           int
}{
	{"", productsPath + "/nails", "", 200},
	{"", productsPath + "/" + drill, "", 200},
	{"", productsPath + "/blind", "", 200},
	{"", productsPath + "/hammer", "", 503},
	{"", productsPath + "/gloves", "", 503},
	{"", productsPath + "/unknown", "", 404},
	{"", productsPath + "/relic", "", 404}, // tracked, and inactive
	{"", productsPath, "", 503},
	{"", productsPath + "?per_page=1&page=2", "", 200}, // nails
	{"", productsPath + "?per_page=2", "", 503},        // hammer and nails
	{"", productsPath + "?q=drill&sort=-price", "", 200},
	{"", productsPath + "?q=none", "", 200},
	{"", productsPath + "?q=hammer", "", 503},
	{"", productsPath + "?page=99", "", 200},
	{"", productsPath + "?sort=none", "", 422},
	{"", categoriesPath, "", 200},
	{"", categoriesPath + "/tools", "", 200},
	{"", redirectsPath, "", 200},
	{"", sitemapPath, "", 200},
	{"", productsPath + "/nails", tokenTess, 503},
	{"", productsPath + "/nails", wrongToken, 503},
	{"", sitemapPath, tokenTess, 503},
	{keyNoStock, productsPath, "", 200},
	{keyNoStock, productsPath + "/hammer", "", 200},
	{keyNoCatalog, productsPath + "/nails", "", 403},
	{keyNothing, productsPath + "/nails", "", 403},
}

// docs/api/catalogue.md#caching-and-redis-away: a page without tracked products, requested without a
// token, is answered with rate-limit headers. Every other page is 503.
func TestLongCatalogueWithoutRedis(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		away, back func(r *redistest.Server)
	}{
		{"dead", (*redistest.Server).Kill, (*redistest.Server).Restart},
		{"silent", (*redistest.Server).Pause, (*redistest.Server).Resume},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := durable(t)
			stores := []string{
				storeFile(t, base(), withStock, withCategories, without("configurator")),
				storeFile(t, another(storeNoStock, keyNoStock, changes(withStock, withCategories, without("stock")))),
				storeFile(t, another(storeNoCatalog, keyNoCatalog, changes(without("catalog")))),
			}
			shop := start(t, options{redis: r.URL(), stores: stores, flags: []string{"--redis-timeout", "1s", "--request-timeout", "3s"}}).client(t)
			for _, key := range []string{keyShop, keyNoStock, keyNoCatalog} {
				shop.withKey(key).get("me").wantStatus(http.StatusOK)
			}
			before := map[string]answer{}
			for _, row := range withoutRedis {
				before[row.path+row.token] = shop.withToken(row.token).get(row.path)
			}
			c.away(r)
			began := time.Now()
			answers := together(len(withoutRedis), func(i int) outcome {
				row := withoutRedis[i]
				shop := shop.withToken(row.token)
				if row.key != "" {
					shop = shop.withKey(row.key)
				}
				return shop.outcome("GET", row.path, "")
			})
			if took := time.Since(began); took > answeredWithin {
				t.Errorf("the answers took %v, want at most %v", took, answeredWithin)
			}
			for i, o := range answers {
				row := withoutRedis[i]
				switch {
				case o.err != nil:
					t.Errorf("%s: %v", o.call, o.err)
				case row.status == http.StatusServiceUnavailable:
					wantRetryLater(o.answer)
				default:
					o.wantStatus(row.status).wantHeader("X-RateLimit-Limit", "2000000")
					wantRemaining(o.answer, 2000000)
				}
				if row.status == http.StatusOK && row.key == "" {
					was := before[row.path+row.token]
					o.want(http.StatusOK, string(was.body)).wantHeader("ETag", was.header.Get("ETag"))
					shop.ifNoneMatch(was.header.Get("ETag")).get(row.path).wantStatus(http.StatusNotModified).wantHeader("X-RateLimit-Limit", "2000000")
				}
			}
			wantUnavailable(shop.withKey("wrong").get(categoriesPath)) // Redis may have such a key
			c.back(r)
			shop.eventually(productsPath+"/hammer", http.StatusOK)
			shop.withToken(tokenTess).eventually(productsPath+"/nails", http.StatusOK)
		})
	}
}

// The node's own window enforces the limit.
func TestLongCatalogueLimitWithoutRedis(t *testing.T) {
	t.Parallel()
	const limit = 20
	r := durable(t)
	shop := start(t, options{redis: r.URL(), stores: []string{limited(t, limit)}, flags: []string{"--redis-timeout", "1s"}}).client(t)
	shop.get(productsPath + "/nails").wantStatus(200)
	r.Kill()
	shop.eventually("/readyz", http.StatusServiceUnavailable)
	granted, last := 0, ""
	for range limit + 1 {
		a := shop.get(productsPath + "/nails")
		if a.status == http.StatusTooManyRequests {
			wantRefused(a, limit)
			break
		}
		wantRemaining(a.wantStatus(200).wantHeader("X-RateLimit-Limit", "20"), limit)
		if left := a.header.Get("X-RateLimit-Remaining"); left == last {
			t.Errorf("%v\nX-RateLimit-Remaining is %s again", a, left)
		} else {
			last = left
		}
		granted++
	}
	if granted < limit-1 || granted > limit || last != "0" {
		t.Errorf("%d requests were granted with %q left at the end, want %d, or one less for the one that Redis counted", granted, last, limit)
	}
	wantRefused(shop.get(categoriesPath), limit)
	r.Restart()
	shop.eventually(productsPath+"/nails", http.StatusOK)
}
