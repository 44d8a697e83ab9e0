package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"cartd/commerce"
	"cartd/engine"
)

// business counts what a merchant asks for, by store if Config.StoreMetrics is set; else the label is
// empty. A replay of a request counts nothing.
type business struct {
	carts, orders, turnover *prometheus.CounterVec
	byStore                 bool
}

func newBusiness(byStore bool) business {
	b := business{
		carts:    counters("cartd_carts_made_total", "Carts made.", "store"),
		orders:   counters("cartd_orders_total", "Orders made, by checkout or by the accept of a quote.", "store"),
		turnover: counters("cartd_orders_cents_total", "Totals of these orders, in cents.", "store"),
		byStore:  byStore,
	}
	if !byStore {
		for _, counter := range []*prometheus.CounterVec{b.carts, b.orders, b.turnover} {
			counter.WithLabelValues("")
		}
	}
	return b
}

func (b *business) collectors() []prometheus.Collector {
	return []prometheus.Collector{b.carts, b.orders, b.turnover}
}

// storeLabel is the label of the request's store.
func (b *business) storeLabel(x *exchange) string {
	if !b.byStore || x.facts.Store == nil {
		return ""
	}
	return x.facts.Store.ID.String()
}

// made counts a new cart.
func (b *business) made(x *exchange, reply *engine.Reply) {
	if !reply.Replayed {
		b.carts.WithLabelValues(b.storeLabel(x)).Inc()
	}
}

// sold counts a new order.
func (b *business) sold(x *exchange, reply *engine.Reply, o *commerce.Order) {
	if !reply.Replayed && !reply.Existing {
		store := b.storeLabel(x)
		b.orders.WithLabelValues(store).Inc()
		b.turnover.WithLabelValues(store).Add(float64(o.Totals.Total))
	}
}
