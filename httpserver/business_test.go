package httpserver

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// New carts and orders count once, with the order's total; a replay, an order that exists and a
// refusal count nothing. The label names the store only if it is asked for.
func TestBusinessCountsOnce(t *testing.T) {
	for _, byStore := range []bool{false, true} {
		h := start(t, func(c *Config) { c.StoreMetrics = byStore })
		label := ""
		if byStore {
			label = sampleStore().ID.String()
		}
		counted := func() [3]float64 {
			b := &h.server.metrics.business
			return [3]float64{figure(b.carts.WithLabelValues(label)), figure(b.orders.WithLabelValues(label)), figure(b.turnover.WithLabelValues(label))}
		}
		h.engine.reply.Order = &commerce.Order{ID: uuid.New(), Number: 1, Totals: commerce.OrderTotals{Total: 4250}}
		create, sell := call{method: "POST", path: cartsPath}, sampleOf(cartPath+"/checkout")
		refuse := func() { h.engine.err = commerce.CartOwned }
		for _, step := range []struct {
			name   string
			with   func()
			do     call
			status int
			want   [3]float64
		}{
			{"a cart", func() {}, create, 201, [3]float64{1, 0, 0}},
			{"an order", func() {}, sell, 201, [3]float64{1, 1, 4250}},
			{"a replay of the order", func() { h.engine.reply.Replayed = true }, sell, 201, [3]float64{1, 1, 4250}},
			{"a replay of the cart", func() {}, create, 201, [3]float64{1, 1, 4250}},
			{"an order that exists", func() { h.engine.reply.Replayed, h.engine.reply.Existing = false, true }, sell, 200, [3]float64{1, 1, 4250}},
			{"a refusal", refuse, sell, 403, [3]float64{1, 1, 4250}},
		} {
			step.with()
			if got := h.do(step.do); got.status != step.status || counted() != step.want {
				t.Errorf("by store %v, %s: %d and %v counted, want %d and %v\n%s", byStore, step.name, got.status, counted(), step.status, step.want, got.body)
			}
		}
	}
}

// sampleOf is the sample call of the POST route with a path.
func sampleOf(path string) call {
	for i := range routes {
		if routes[i].path == path && routes[i].method == "POST" {
			return sample(&routes[i])
		}
	}
	panic("no route " + path)
}
