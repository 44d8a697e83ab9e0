//go:build long

package blackbox_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// panel is one panel of the dashboard with what its queries have answered.
type panel struct {
	Title, Type string
	GridPos     struct{ X, Y, W, H int }
	FieldConfig struct{ Defaults struct{ Unit string } }
	Targets     []struct{ Expr, LegendFormat string }

	answers [][]series
}

func panels(t *testing.T) []*panel {
	t.Helper()
	var dashboard struct{ Panels []*panel }
	if err := json.Unmarshal([]byte(read(t, "grafana/cartd.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	return dashboard.Panels
}

// Every query of the dashboard has an answer while two nodes are under load. With
// DASHBOARD_PICTURE=FILE the answers are drawn, and the load lasts longer.
func TestLongDashboardUnderLoad(t *testing.T) {
	lasts, picture := 20*time.Second, os.Getenv("DASHBOARD_PICTURE")
	if picture != "" {
		lasts = 3 * time.Minute
	}
	redis := redistest.Real(t, "--appendonly", "yes")
	var received int
	var mu sync.Mutex
	url := hook(t, func() int {
		mu.Lock()
		defer mu.Unlock()
		if received++; received%5 == 0 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	_, first, ops1 := watchedNode(t, redis.URL(), "--store", storeFile(t, hooked(url)), "--store", storeFile(t, limited))
	_, second, ops2 := watchedNode(t, redis.URL())
	p, began := watch(t, "", ops1, ops2), time.Now()
	loads(t, began.Add(lasts), first, second)
	if picture != "" {
		began = began.Add(time.Minute) // until then the rates rise
	}
	all := panels(t)
	for _, panel := range all {
		for _, target := range panel.Targets {
			answer := p.span(t, target.Expr, began)
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
// a second store is over its limit, and logins fail. The load rises and falls.
func loads(t *testing.T, until time.Time, nodes ...string) {
	var all sync.WaitGroup
	defer all.Wait()
	began := time.Now()
	for n := range 8 {
		all.Go(func() {
			base := nodes[n%len(nodes)]
			cart := makeCart(t, base)
			for i := 0; time.Now().Before(until); i++ {
				if call("POST", cart+"/lines", "", `{"product_id": "`+tube+`", "quantity": 1}`).status != http.StatusCreated {
					t.Error("an add failed")
					return
				}
				call("GET", cart, "", "")
				call("GET", nodes[(n+1)%len(nodes)]+strings.TrimPrefix(cart, base), "", "")
				call("GET", base+"/v1/api/catalog/products?per_page=5", "", "")
				if i%20 == 0 {
					cart = makeCart(t, base)
				}
				phase := time.Since(began).Seconds() / 20
				time.Sleep(time.Duration(float64(n)*2*(1+float64(int(phase)%3))) * time.Millisecond)
			}
		})
	}
	all.Go(func() {
		for n := 0; time.Now().Before(until); n++ {
			base := nodes[n%len(nodes)]
			callWith("demo-back-office-key", "POST", base+"/v1/api/catalog/stock-adjustments", "", `{"product_id": "`+tube+`", "variant_id": null, "quantity": 1, "reason": "test"}`)
			callWith(limitedKey, "GET", base+"/v1/api/me", "", "")
			callWith(limitedKey, "GET", base+"/v1/api/me", "", "")
			if n%10 == 0 {
				call("POST", base+"/v1/api/contacts/login", "", `{"email": "ada@example.com", "password": "wrong-`+strconv.Itoa(n)+`"}`)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}
