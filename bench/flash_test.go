package bench_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/bench"
)

const boothAdapter = `{
	"name": "booth", "headers": {"X-Api-Key": "{key}"}, "decimals": 2,
	"shapes": {
		"order": {"id": "id", "total": "total", "lines": {"at": "lines", "id": "id", "product": "product", "quantity": "count"}},
		"orders": {"lines": {"at": "orders", "id": "id", "total": "total"}},
		"stock": {"line": {"at": "stock", "id": "id", "quantity": "left"}}
	},
	"flash": {
		"product": "mug", "full_total": 1495, "reduced_total": 1395,
		"steps": [
			{"op": "create", "method": "POST", "path": "/carts", "answers": [{"status": 201, "keep": {"cart": "id", "session": "header X-Session"}}]},
			{"op": "checkout", "method": "POST", "path": "/carts/{cart}/buy?session={session}&total={amount}", "answers": [
				{"status": 200, "at": "type", "is": "order", "means": "sold", "keep": {"order": "order.id", "amount": "order.total"}},
				{"status": 200, "at": "type", "is": "dearer", "means": "again", "keep": {"amount": "total"}},
				{"status": 409, "means": "sold_out"}
			]}
		],
		"order": {"op": "read", "method": "GET", "path": "/orders/{order}", "shape": "order", "answers": [{"status": 200}]},
		"orders": {"op": "read", "method": "GET", "path": "/orders?skip={page}", "headers": {"X-Api-Key": "{admin}"}, "shape": "orders",
		 "answers": [{"status": 200}]},
		"stock": {"op": "read", "method": "GET", "path": "/stock", "shape": "stock", "answers": [{"status": 200}]}
	}
}`

// booth sells one product. boothAdapter describes its API.
type booth struct {
	mu            sync.Mutex
	units, uses   int
	ids           int
	orders        []map[string]any
	busy          int // so many checkouts are refused with 503
	forgets, lies int // so many orders are answered and not kept; kept and not answered
	extra         int // units taken beyond each order's
	quantity      int // of a line
}

func (s *booth) serve(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /carts", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ids++
		w.Header().Set("X-Session", "s"+strconv.Itoa(s.ids))
		reply(w, http.StatusCreated, map[string]any{"id": strconv.Itoa(s.ids)})
	})
	mux.HandleFunc("POST /carts/{cart}/buy", s.buy)
	mux.HandleFunc("GET /orders/{order}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, order := range s.orders {
			if order["id"] == r.PathValue("order") {
				reply(w, http.StatusOK, order)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	})
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.Header.Get("X-Api-Key") != "office" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		skip, _ := strconv.Atoi(r.FormValue("skip"))
		reply(w, http.StatusOK, map[string]any{"orders": s.orders[skip:min(skip+7, len(s.orders))]})
	})
	mux.HandleFunc("GET /stock", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		reply(w, http.StatusOK, map[string]any{"stock": map[string]any{"id": "mug", "left": s.units}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func (s *booth) buy(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := "13.95"
	switch {
	case s.busy > 0:
		s.busy--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case r.FormValue("session") != "s"+r.PathValue("cart"):
		w.WriteHeader(http.StatusForbidden)
		return
	case s.units <= 0:
		w.WriteHeader(http.StatusConflict)
		return
	case s.uses <= 0:
		total = "14.95"
	}
	if total == "14.95" && r.FormValue("total") != total {
		reply(w, http.StatusOK, map[string]any{"type": "dearer", "total": json.Number(total)})
		return
	}
	s.units -= 1 + s.extra
	if total == "13.95" {
		s.uses--
	}
	s.ids++
	order := map[string]any{"id": fmt.Sprint("o", s.ids), "total": json.Number(total),
		"lines": []any{map[string]any{"id": "1", "product": "mug", "count": max(1, s.quantity)}}}
	if s.forgets > 0 {
		s.forgets--
		s.units++
	} else {
		s.orders = append(s.orders, order)
	}
	if s.lies > 0 {
		s.lies--
		w.WriteHeader(http.StatusConflict)
		return
	}
	reply(w, http.StatusOK, map[string]any{"type": "order", "order": order})
}

func sellOut(t *testing.T, s *booth, within time.Duration) *bench.Result {
	t.Helper()
	adapter, err := bench.ParseAdapter([]byte(boothAdapter))
	if err != nil {
		t.Fatal(err)
	}
	plan := salePlan(s.serve(t), adapter)
	plan.Within = within
	return sellBy(t, plan)
}

// salePlan is a sale of 20 units to 60 shoppers, with a code of 8 uses.
func salePlan(url string, adapter *bench.Adapter) bench.FlashPlan {
	return bench.FlashPlan{
		Case: "flash", System: adapter.Name, Target: url + "," + url, Roam: true, Adapter: adapter, Admin: "office",
		Shoppers: 60, Units: 20, Uses: 8, Connections: 6, Longest: patience, Timeout: patience,
	}
}

func sellBy(t *testing.T, plan bench.FlashPlan) *bench.Result {
	t.Helper()
	result, err := bench.RunFlash(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestFlashSaleOfAnHonestShopHasNoFault(t *testing.T) {
	for name, within := range map[string]time.Duration{"closed": 0, "open": 200 * time.Millisecond} {
		r := sellOut(t, &booth{units: 20, uses: 8}, within)
		f := r.Flash
		got := []int{f.Sold, f.SoldOut, f.Unsure, f.Orders, f.UnitsSold, f.UnitsGone, f.UsesCounted}
		if want := []int{20, 40, 0, 20, 20, 20, 8}; fmt.Sprint(got) != fmt.Sprint(want) || len(f.Faults) > 0 {
			t.Errorf("%s: sold, sold out, unsure, orders, units, gone, uses\n got: %v %v\nwant: %v", name, got, f.Faults, want)
		}
		if r.Failed != 0 || r.ByOp["checkout"].Count < 60 || f.SoldOutAfter <= 0 || f.OrdersPerSecond <= 0 || r.Check.Wrong != 0 {
			t.Errorf("%s: %d failed, %+v, %+v", name, r.Failed, r.ByOp["checkout"], f)
		}
		if d := (bench.Document{Results: []bench.Result{*r}}); len(d.OK(0)) > 0 {
			t.Errorf("%s: %v", name, d.OK(0))
		}
	}
}

// A shopper repeats what the shop had no capacity for. That counts as a failure, and as no fault.
func TestFlashShoppersRepeatWhatWasRefused(t *testing.T) {
	r := sellOut(t, &booth{units: 20, uses: 8, busy: 3}, 0)
	if f := r.Flash; f.Sold != 20 || f.SoldOut != 40 || len(f.Faults) > 0 || r.Failed != 3 {
		t.Errorf("%d sold, %d sold out, %d failed, %v; want 20, 40, 3, none", f.Sold, f.SoldOut, r.Failed, f.Faults)
	}
}

// A sale that does not sell out says so, and fewer shoppers than units are no fault.
func TestFlashSaleThatDoesNotSellOut(t *testing.T) {
	for _, c := range []struct {
		name       string
		booth      *booth
		shoppers   int
		longest    time.Duration
		want, lack []string
		faults     string
	}{
		{"as many as units", &booth{units: 20, uses: 8}, 20, patience, []string{"Sold out after ", "Orders without stock: 0.\n"}, nil, ""},
		{"few shoppers", &booth{units: 20, uses: 8}, 12, patience, []string{"12 orders in ", "orders a second.\n"}, []string{"Sold out", "WRONG"}, ""},
		{"fewer than uses", &booth{units: 20, uses: 8}, 5, patience, []string{"5 orders in ", " 5 uses of the code."}, []string{"Sold out", "WRONG"}, ""},
		{"too much sold", &booth{units: 23, uses: 8}, 60, patience, []string{"20 orders in ", "Orders without stock: 3.\n"}, []string{"Sold out"},
			"more than 20 units"},
		{"no time", &booth{units: 20, uses: 8}, 60, 1, nil, []string{"Sold out", "orders in"}, "60 shoppers did not come"},
	} {
		adapter, err := bench.ParseAdapter([]byte(boothAdapter))
		if err != nil {
			t.Fatal(err)
		}
		plan := salePlan(c.booth.serve(t), adapter)
		plan.Shoppers, plan.Longest = c.shoppers, c.longest
		f := sellBy(t, plan).Flash
		for _, text := range c.want {
			if !strings.Contains(f.Text(), text) {
				t.Errorf("%s: no %q in\n%s", c.name, text, f.Text())
			}
		}
		for _, text := range c.lack {
			if strings.Contains(f.Text(), text) {
				t.Errorf("%s: there is %q in\n%s", c.name, text, f.Text())
			}
		}
		if got := strings.Join(f.Faults, "; "); (got != "") != (c.faults != "") || !strings.Contains(got, c.faults) {
			t.Errorf("%s: faults %q, want %q", c.name, got, c.faults)
		}
	}
}

// Each dishonest shop is found out.
func TestFlashFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		booth *booth
		want  string
	}{
		{"sells more units than it has", &booth{units: 23, uses: 8}, "more than 20 units were sold"},
		{"says sold and keeps no order", &booth{units: 20, uses: 8, forgets: 1}, "was told sold, order"},
		{"says sold out and keeps an order", &booth{units: 20, uses: 8, lies: 2}, "2 orders in the list were given to no shopper"},
		{"lets the code be used too often", &booth{units: 20, uses: 9}, "the code was used 9 times, 1 times more than it may be"},
		{"lets the code be used too often, unseen", &booth{units: 20, uses: 9, lies: 2}, "the code was used 9 times"},
		{"takes two units for one", &booth{units: 20, uses: 8, extra: 1}, "took 20 units from stock"},
		{"sells two units in one order", &booth{units: 20, uses: 8, quantity: 2}, "is not of one unit"},
	} {
		r := sellOut(t, c.booth, 0)
		d := bench.Document{Results: []bench.Result{*r}}
		if got := strings.Join(r.Flash.Faults, "; "); !strings.Contains(got, c.want) || len(d.OK(0)) == 0 || !strings.Contains(r.Flash.Text(), "WRONG: ") {
			t.Errorf("a shop that %s\n got: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// The adapters of other systems can be read, and the faults of a flash sale are listed.
func TestFlashAdapters(t *testing.T) {
	for _, name := range []string{"cartd", "medusa", "vendure"} {
		if a, err := bench.LoadAdapter(name); err != nil || a.Flash == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := bench.ParseAdapter([]byte(`{"name": "x", "flash": {"product": "", "steps": [
		{"op": "buy", "method": "POST", "path": "/", "answers": [{"status": 200}]},
		{"op": "add", "method": "POST", "path": "/{basket}", "answers": [{"status": 200}]},
		{"op": "add", "method": "POST", "path": "/", "answers": [{"status": 200, "means": "maybe"}]},
		{"op": "add", "method": "POST", "path": "/", "answers": [{"status": 200, "means": "without_code"}]},
		{"op": "add", "method": "POST", "path": "/", "answers": [{"status": 200, "keep": {"colour": "id"}}]}]}}`))
	for _, want := range []string{"full_total", "a known op", "{basket}", `means "maybe"`, "{colour}", "needs steps without_code"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}
