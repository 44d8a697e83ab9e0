package bench_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/bench"
)

const officeAdapter = `{
	"name": "office", "decimals": 0, "articles": [{"product": "mug", "unit_price": 895, "whole": true}],
	"shapes": {
		"cart": {"id": "id"},
		"sold": {"id": "cart", "order": "id", "total": "total"},
		"state": {"order": "id", "total": "total", "states": ["status", "reason"]}
	},
	"states": {"paid": "placed null", "cancelled": "cancelled null", "ended": "cancelled unpaid"},
	"operations": {
		"create": {"method": "POST", "path": "/carts", "status": 201, "shape": "cart"},
		"read": {"method": "GET", "path": "/carts/{cart}", "status": 200, "shape": "cart"},
		"add": {"method": "POST", "path": "/carts/{cart}/lines", "status": 200},
		"checkout": {"method": "POST", "path": "/carts/{cart}/checkout", "body": "{quantity}", "status": 201, "shape": "sold"},
		"pay": {"method": "POST", "path": "/orders/{order}/pay?amount={amount}", "status": 200, "shape": "state"},
		"cancel": {"method": "POST", "path": "/orders/{order}/cancel", "status": 200, "shape": "state"},
		"order": {"method": "GET", "path": "/orders/{order}", "status": 200, "shape": "state"}
	}
}`

// office sells empty carts, at the delivery's price. officeAdapter describes its API.
type office struct {
	mu     sync.Mutex
	ids    int
	states map[string][2]any // status and reason, by order
	// forget is the number of payments that are answered and not kept.
	forget int
	// cancelled is the number of cancelled orders, paid that of paid ones.
	cancelled, paid int
}

func (o *office) serve(t *testing.T) string {
	o.states = map[string][2]any{}
	mux := http.NewServeMux()
	cart := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.ids++
			id := r.PathValue("cart")
			if id == "" {
				id = fmt.Sprint("c", o.ids)
			}
			reply(w, status, map[string]any{"id": id})
		}
	}
	mux.HandleFunc("POST /carts", cart(http.StatusCreated))
	mux.HandleFunc("GET /carts/{cart}", cart(http.StatusOK))
	mux.HandleFunc("POST /carts/{cart}/checkout", func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		defer o.mu.Unlock()
		id := "o" + r.PathValue("cart")
		o.states[id] = [2]any{"cancelled", "unpaid"} // at once, unless it is paid or cancelled
		reply(w, http.StatusCreated, map[string]any{"id": id, "cart": r.PathValue("cart"), "total": 495})
	})
	change := func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		defer o.mu.Unlock()
		id, shown := r.PathValue("order"), [2]any{"cancelled", nil}
		if strings.HasSuffix(r.URL.Path, "/pay") {
			o.paid++
			if shown[0] = "placed"; r.FormValue("amount") != "495" {
				w.WriteHeader(http.StatusConflict)
				return
			}
		} else {
			o.cancelled++
		}
		if o.forget > 0 && shown[0] == "placed" {
			o.forget--
		} else {
			o.states[id] = shown
		}
		reply(w, http.StatusOK, map[string]any{"id": id, "total": 495, "status": shown[0], "reason": shown[1]})
	}
	mux.HandleFunc("POST /orders/{order}/pay", change)
	mux.HandleFunc("POST /orders/{order}/cancel", change)
	mux.HandleFunc("GET /orders/{order}", func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		defer o.mu.Unlock()
		state := o.states[r.PathValue("order")]
		reply(w, http.StatusOK, map[string]any{"id": r.PathValue("order"), "total": 495, "status": state[0], "reason": state[1]})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// sellAndVerify sells carts and reads all orders back.
func sellAndVerify(t *testing.T, o *office) *bench.Result {
	t.Helper()
	adapter, err := bench.ParseAdapter([]byte(officeAdapter))
	if err != nil {
		t.Fatal(err)
	}
	sale := bench.Scenario{Name: "sale", Journey: []string{"create", "checkout"}, After: []bench.Share{{Op: "pay", Weight: 70}, {Op: "cancel", Weight: 15}}}
	w, err := bench.NewWorld(t.Context(), bench.Plan{
		Case: "sale", Target: o.serve(t), Adapter: adapter, Scenario: sale, Connections: 2, Carts: 2, Stores: 1, Seed: 3, Timeout: patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Run(t.Context(), bench.Load{Duration: time.Minute, Requests: 300})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Verify(t.Context(), &r.Check); err != nil {
		t.Fatal(err)
	}
	return r
}

// Orders are paid, cancelled and left in the scenario's shares, and each is read back in its state.
func TestSaleReadsEveryOrderBack(t *testing.T) {
	o := &office{}
	r := sellAndVerify(t, o)
	sold := int(r.ByOp["checkout"].Count)
	if !r.Check.OK() || r.Failed != 0 || int(r.Check.Records) < sold || sold < 80 {
		t.Errorf("%d sold, %d failed, %+v, %+v", sold, r.Failed, r.Check, r.Errors)
	}
	if left := sold - o.paid - o.cancelled; o.paid < sold/2 || o.cancelled == 0 || left <= 0 {
		t.Errorf("of %d orders %d were paid, %d cancelled; want about 70 and 15 %%", sold, o.paid, o.cancelled)
	}
}

// A payment that was answered and is gone at the end is lost, and the run is not OK.
func TestSaleFindsALostPayment(t *testing.T) {
	r := sellAndVerify(t, &office{forget: 1})
	d := bench.Document{Results: []bench.Result{*r}}
	faults := strings.Join(d.OK(0), "; ")
	if r.Check.Lost != 1 || !strings.Contains(faults, `as "cancelled unpaid", want "placed null"`) {
		t.Errorf("%d lost, %s; want 1, with the order's state", r.Check.Lost, faults)
	}
}

func TestScenariosAfterASale(t *testing.T) {
	adapter, err := bench.LoadAdapter("cartd")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]bench.Scenario{
		"pay and cancel":   {Journey: []string{"create", "checkout"}, After: []bench.Share{{Op: "read", Weight: 1}}},
		"100 per cent":     {Journey: []string{"create", "checkout"}, After: []bench.Share{{Op: "pay", Weight: 101}}},
		"a checkout":       {Journey: []string{"create", "read"}, After: []bench.Share{{Op: "pay", Weight: 1}}},
		"no part of a mix": {Mix: []bench.Share{{Op: "pay", Weight: 1}}},
	} {
		_, err := bench.NewWorld(t.Context(), bench.Plan{Target: "http://127.0.0.1:1", Adapter: adapter, Scenario: s, Connections: 1, Carts: 1, Stores: 1})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v, want an error with %q", s, err, name)
		}
	}
}
