//go:build long

package blackbox_test

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Every query of the dashboard has an answer while two nodes are under load. With
// DASHBOARD_PICTURE=FILE the answers are drawn, and the load lasts longer.
func TestLongDashboardUnderLoad(t *testing.T) {
	lasts, picture := 20*time.Second, os.Getenv("DASHBOARD_PICTURE")
	if picture != "" {
		lasts = 3 * time.Minute
	}
	redis := redistest.Real(t, "--appendonly", "yes")
	fails := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%5 == 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return false
		}
		return true
	})
	stores := append(storeFiles(t, keyTight), storeFile(t, base(), collected, setting("policy", object{"max_quantity_per_line": 1_000_000}), hookedTo(fails)))
	byStore := []string{"--metrics-stores"}
	first := watchedNode(t, options{redis: redis.URL(), stores: stores, flags: byStore})
	second := watchedNode(t, options{redis: redis.URL(), flags: byStore})
	redistest.Real(t, "--replicaof", strings.Replace(redis.Addr(), ":", " ", 1)) // panels show its lag
	p, began := watchMore(t, hastyRules(t), exporters(t, redis), first, second), time.Now()
	until := began.Add(10 * time.Second).Truncate(time.Minute).Add(time.Minute + 5*time.Second) // a store is limited by a whole minute
	for until.Sub(began) < lasts {
		until = until.Add(time.Minute)
	}
	loads(t, until, first, second)
	if picture != "" {
		began = began.Add(time.Minute) // until then the rates rise
	}
	all := panels(t)
	for _, panel := range all {
		for _, target := range panel.Targets {
			answer := p.span(t, allOf.Replace(target.Expr), began)
			if len(answer) == 0 {
				t.Errorf("%s: %s has no data", panel.Title, target.Expr)
			}
			panel.answers = append(panel.answers, answer)
		}
	}
	if picture != "" {
		drawDashboard(t, picture, all)
	}
}

// loads keeps two nodes busy until a moment: carts are filled, changed and read, stock is adjusted,
// carts are sold, a second store is over its limit, and logins fail. The load rises and falls.
func loads(t *testing.T, until time.Time, nodes ...*node) {
	var all sync.WaitGroup
	defer all.Wait()
	began := time.Now()
	for n := range 8 {
		shop, other := nodes[n%len(nodes)].client(t), nodes[(n+1)%len(nodes)]
		var paths [20]string
		for i := range paths {
			paths[i] = shop.newCart()
		}
		all.Go(func() {
			for i := 0; time.Now().Before(until); i++ {
				path := paths[i%len(paths)]
				if added := shop.outcome("POST", path+"/lines", addBody(hammer, "1")); added.status != http.StatusCreated {
					t.Errorf("%v (%v)\nwant: 201", added.answer, added.err)
					return
				}
				shop.outcome("GET", path, "")
				shop.on(other).outcome("GET", path, "")
				shop.withKey(keyAll).outcome("GET", "catalog/products?per_page=5", "")
				phase := time.Since(began).Seconds() / 20
				time.Sleep(time.Duration(float64(n)*2*(1+float64(int(phase)%3))) * time.Millisecond)
			}
		})
	}
	all.Go(func() {
		for n := 0; time.Now().Before(until); n++ {
			nodes[n%len(nodes)].client(t).sells(`{"email":"a@b.example"}`)
			time.Sleep(time.Duration(200+150*(n/40%4)) * time.Millisecond)
		}
	})
	all.Go(func() {
		for n := 0; time.Now().Before(until); n++ {
			shop := nodes[n%len(nodes)].client(t).withKey(keyAll)
			shop.outcome("POST", "catalog/stock-adjustments", adjustBody(relic, "1"))
			shop.withKey(keyTight).outcome("GET", "me", "")
			if n%10 == 0 {
				shop.outcome("POST", "contacts/login", credentials(adaEmail, "secret-password-"+strconv.Itoa(n)))
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}
