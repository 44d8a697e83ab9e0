package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// docs/api/limits.md has a row for each of these.
func TestAdvisedLimitsAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/api/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		shoppers int
		row      string
	}{{4, "| 4 | 488 | 120 | 124 |"}, {40, "| 40 | 2,720 | 120 | 1,240 |"}, {100, "| 100 | 6,440 | 120 | 3,100 |"}} {
		l := AdvisedLimits(c.shoppers, 2)
		if row := fmt.Sprintf("| %d | %d | %d | %d |", c.shoppers, l.PerMinute, l.PerClient, l.ReservedForCarts); row != strings.ReplaceAll(c.row, ",", "") {
			t.Errorf("advised are %s, want %s", row, c.row)
		}
		if !strings.Contains(string(text), c.row) {
			t.Errorf("docs/api/limits.md has no row %s", c.row)
		}
		if l.ReservedForCarts > l.PerMinute/2 {
			t.Errorf("%+v: only half of the limit can be reserved", l)
		}
	}
}

// Each journey has an address of its own, and the crawlers one; their refusals are counted, and are no errors.
func TestCrawlersBesideShoppers(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]map[string]int{"journey": {}, "crawler": {}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		address := r.Header.Get("X-Forwarded-For")
		if address == crawlerAddress {
			asked["crawler"][address]++
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		asked["journey"][address]++
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/carts") {
			w.WriteHeader(http.StatusCreated)
		}
		fmt.Fprint(w, `{"data":{"id":"c","lines":[],"totals":{"total":{"amount":0}}}}`)
	}))
	t.Cleanup(server.Close)
	adapter, err := LoadAdapter("cartd")
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWorld(context.Background(), Plan{
		Target: server.URL, Adapter: adapter, Connections: 3, Carts: 3, Stores: 1, Timeout: 5 * time.Second,
		Scenario: Scenario{Name: "crawl", Journey: []string{"create", "read"}, Crawlers: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	result, err := w.Run(context.Background(), Load{Duration: time.Minute, Requests: 60})
	if err != nil {
		t.Fatal(err)
	}
	c := result.Crawl
	if len(result.Errors) > 0 || c.Carts.Refused > 0 || c.Carts.Requests < c.Journeys || c.Crawlers.Requests == 0 || c.Crawlers.Refused != c.Crawlers.Requests {
		t.Errorf("%+v, errors %+v", c, result.Errors)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(asked["crawler"]) != 1 || len(asked["journey"]) != int(c.Journeys) {
		t.Errorf("%d journeys from %d addresses, crawlers from %d", c.Journeys, len(asked["journey"]), len(asked["crawler"]))
	}
	for _, want := range []string{"carts and checkouts", "crawlers"} {
		if !strings.Contains(c.Text(), want) {
			t.Errorf("the report lacks %q: %s", want, c.Text())
		}
	}
}

func TestCrawlersNeedAJourney(t *testing.T) {
	for _, s := range []Scenario{{Crawlers: 1, Mix: []Share{{"read", 1}}}, {Crawlers: -1, Journey: []string{"create"}}} {
		if s.check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
