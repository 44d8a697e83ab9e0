package bench_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"cartd/bench"
)

// shop is a plain HTTP cart with faults. adapters/plain.json describes its API.
type shop struct {
	URL string

	mu      sync.Mutex
	baskets map[string]*basket
	ids     int
	writes  int
	log     []string // method, path and body of every request
	// twist is called under the lock for each write, with the number of writes so far. It is nil for
	// an honest shop.
	twist func(write int) twist
	// pause is called first for each request, without the lock.
	pause func(request int)
	seen  int
	// kill ends the server during the request that calls it.
	kill func()
}

// twist is a fault of one write.
type twist struct {
	skip   bool // answered but not done
	double bool // done twice, answered as if once
	cents  int  // added to the price in the answer
	before int  // the status of a write that is not done
	after  int  // the status of a write that is done
}

type basket struct{ items []*item }

type item struct {
	ID      string  `json:"item_id"`
	Article string  `json:"article"`
	Count   float64 `json:"count"`
	Price   string  `json:"price"`
}

var cents = map[string]int{"mug": 895, "kettle": 4250, "tea": 1299, "tray": 2100, "spoon": 145}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{baskets: map[string]*basket{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /baskets", s.create)
	mux.HandleFunc("GET /baskets/{basket}", s.read)
	mux.HandleFunc("POST /baskets/{basket}/items", s.write)
	mux.HandleFunc("PUT /baskets/{basket}/items/{item}", s.write)
	mux.HandleFunc("DELETE /baskets/{basket}/items/{item}", s.write)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.pause != nil {
			s.mu.Lock()
			s.seen++
			n := s.seen
			s.mu.Unlock()
			s.pause(n)
		}
		if r.Header.Get("X-Api-Key") == "" {
			http.Error(w, "who is it?", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	s.kill = func() {
		server.Listener.Close()
		panic(http.ErrAbortHandler)
	}
	return s
}

func (s *shop) id() string {
	s.ids++
	return fmt.Sprint("id", s.ids)
}

func (s *shop) create(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id()
	s.baskets[id] = &basket{}
	s.show(w, http.StatusCreated, id)
}

func (s *shop) read(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show(w, http.StatusOK, r.PathValue("basket"))
}

func (s *shop) show(w http.ResponseWriter, status int, id string) {
	sum := 0
	items := []item{}
	for _, i := range s.baskets[id].items {
		shown := *i
		price := int(i.Count) * cents[i.Article]
		shown.Price = fmt.Sprintf("%d.%02d", price/100, price%100)
		items = append(items, shown)
		sum += price
	}
	reply(w, status, map[string]any{"basket_id": id, "items": items, "sum": json.Number(fmt.Sprintf("%d.%02d", sum/100, sum%100))})
}

// write adds, changes or removes an item, with the faults of the twist.
func (s *shop) write(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Article string
		Count   float64
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, fmt.Sprint(r.Method, " ", r.URL.Path, " ", body))
	s.writes++
	var t twist
	if s.twist != nil {
		t = s.twist(s.writes)
	}
	if t.before != 0 {
		w.WriteHeader(t.before)
		return
	}
	target := s.baskets[r.PathValue("basket")]
	shown := target.do(s, r.Method, r.PathValue("item"), body.Article, body.Count, t)
	switch {
	case t.after != 0:
		w.WriteHeader(t.after)
	case shown == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		price := int(shown.Count)*cents[shown.Article] + t.cents
		shown.Price = fmt.Sprintf("%d.%02d", price/100, price%100)
		reply(w, http.StatusOK, shown)
	}
}

// do returns the item to show, nil if it was removed.
func (b *basket) do(s *shop, method, id, article string, count float64, t twist) *item {
	for k, i := range b.items {
		if i.ID != id && i.Article != article {
			continue
		}
		before := i.Count
		switch method {
		case http.MethodDelete:
			if !t.skip {
				b.items = append(b.items[:k], b.items[k+1:]...)
			}
			return nil
		case http.MethodPost:
			i.Count += count
		default:
			i.Count = count
		}
		shown := *i
		if t.skip {
			i.Count = before
		}
		if t.double {
			i.Count += count
		}
		return &shown
	}
	if method == http.MethodDelete {
		return nil
	}
	i := &item{ID: s.id(), Article: article, Count: count}
	b.items = append(b.items, i)
	shown := *i
	return &shown
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// plain is a plan for the shop.
func (s *shop) plan(t *testing.T, scenario bench.Scenario, connections, carts int) bench.Plan {
	t.Helper()
	adapter, err := bench.LoadAdapter("plain")
	if err != nil {
		t.Fatal(err)
	}
	return bench.Plan{
		Case: "test", System: "shop", Target: s.URL, Adapter: adapter, Scenario: scenario,
		Connections: connections, Carts: carts, Stores: 1, Seed: 7, Timeout: patience,
	}
}

func scenario(t *testing.T, name string) bench.Scenario {
	t.Helper()
	s, err := bench.LoadScenario(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
