package persistence

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stores"
)

// Rounds of sales and cancels at once on two nodes, some of them sent again or cancelled twice: the counters are
// those of the orders that are left, none goes beyond its limit, and a sale is short only of a counter that was
// full in its round.
func TestCountersAreThoseOfTheOrdersThatAreLeft(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		m := &useModel{counter: newCounter(t, s), r: shoptest.Seeded(t), limits: map[commerce.Use]int64{}, seen: map[string]int{}}
		m.nodes = [2]*DB{m.db, node(t, s)}
		for round := range 60 {
			m.round(round%2 == 1 && len(m.orders) > 0)
			m.wantOrders()
		}
		for _, what := range []string{"sold", "short", "cancelled", "cancelled already"} {
			if m.seen[what] == 0 {
				t.Errorf("%s: never, of %v", what, m.seen)
			}
		}
	})
}

// useModel are random sales at a counter, with the limits of the uses that they have asked for.
type useModel struct {
	*counter
	r     *rand.Rand
	nodes [2]*DB
	// sales is the number of those that were sent. orders are those that were made.
	sales  int
	orders []engine.RecordKey
	limits map[commerce.Use]int64
	seen   map[string]int
}

// uses are random uses of three discounts: one of all orders, one also by customers and codes, one without a limit.
func (m *useModel) uses() (all []commerce.Use) {
	for n, d := range m.shop.Discounts {
		if m.r.IntN(2) == 0 {
			continue
		}
		use := commerce.Use{Discount: d.ID, Limit: int64(12 * (1 - n/2))}
		all = append(all, use)
		if n != 1 {
			continue
		}
		for _, own := range []struct {
			counter commerce.Counter
			fields  []string
			limit   int64
		}{
			{commerce.CountCode, []string{"7:1", "7:2", "7:3"}, 2},
			{commerce.CountCustomer, []string{"ada", "bob"}, 4},
			{commerce.CountCustomer, []string{"ada@x", "bob@x"}, 3},
		} {
			use.Counter, use.Limit, use.Field = own.counter, own.limit, own.fields[m.r.IntN(len(own.fields))]
			all = append(all, use)
		}
	}
	for _, use := range all {
		m.limits[unlimitedUse(use)] = use.Limit
	}
	return all
}

func unlimitedUse(use commerce.Use) commerce.Use {
	use.Limit = 0
	return use
}

// round sends some sales or cancels at once, each by one of the nodes.
func (m *useModel) round(cancels bool) {
	m.Helper()
	var all sync.WaitGroup
	var after []func()
	for range 1 + m.r.IntN(6) {
		db, again := m.nodes[m.r.IntN(2)], m.r.IntN(3) == 0
		if cancels {
			key := m.orders[m.r.IntN(len(m.orders))]
			v, refusal := m.change(key, commerce.CancelOrder{})
			if refusal != nil {
				m.Fatal(refusal)
			}
			ended := v.Before.Status == commerce.OrderCancelled
			all.Go(func() { sendTwice(m, db, v, again) })
			after = append(after, func() {
				if m.order(key).State.Status != commerce.OrderCancelled {
					m.Errorf("order %s is not cancelled", key.ID)
				}
				m.seen[map[bool]string{false: "cancelled", true: "cancelled already"}[ended]]++
			})
			continue
		}
		m.sales++
		v := m.sale(m.sales, 0xe000+m.sales, nil)
		sale := v.Effects[0].Sale
		sale.Uses = m.uses()
		for _, use := range sale.Uses {
			if use.Counter == commerce.CountAll {
				sale.Order.Discounts = append(sale.Order.Discounts, commerce.OrderDiscount{ID: use.Discount, Amount: 1})
			} else {
				sale.Order.Uses = append(sale.Order.Uses, unlimitedUse(use))
			}
		}
		sale.Order.PlacedAt = m.now
		var o engine.Outcome[*commerce.Cart]
		all.Go(func() { o = sendTwice(m, db, v, again) })
		after = append(after, func() {
			switch o.Kind {
			case engine.Done:
				m.orders = append(m.orders, engine.RecordKey{Store: shopID, ID: sale.Order.ID})
				m.seen["sold"]++
			case engine.Short:
				for _, use := range o.Shortage.Used {
					if got := m.count(use); got != use.Limit {
						m.Errorf("a sale was short of %+v, which is %d", use, got)
					}
				}
				m.seen["short"]++
			default:
				m.Errorf("a sale: %+v", o)
			}
		})
	}
	all.Wait()
	for _, judge := range after {
		judge()
	}
}

// sendTwice sends a visit, and maybe again, as a node does whose answer was lost.
func sendTwice[S any](m *useModel, db *DB, v *engine.Visit[S], again bool) engine.Outcome[S] {
	o := send(m, db, v)
	if again && o.Kind == engine.Done {
		own := *v
		own.Resent = true
		o = send(m, db, &own)
	}
	return o
}

// count is a counter in Redis.
func (m *useModel) count(use commerce.Use) int64 {
	m.Helper()
	key, field := stores.CounterOf(shopID, &use)
	n, err := strconv.ParseInt("0"+m.redis.HGet(background, key, field).Val(), 10, 64)
	if err != nil {
		m.Fatal(err)
	}
	return n
}

// wantOrders compares the counters with the orders in Redis, and with their limits.
func (m *useModel) wantOrders() {
	m.Helper()
	left := map[commerce.Use]int64{{Discount: m.shop.Discounts[2].ID}: 5} // with which the document has begun
	for _, key := range m.orders {
		if o := m.order(key).State; o.Status != commerce.OrderCancelled {
			for _, d := range o.Discounts {
				left[commerce.Use{Discount: d.ID}]++
			}
			for _, use := range o.Uses {
				left[use]++
			}
		}
	}
	for use, limit := range m.limits {
		if got := m.count(use); got != left[use] || limit > 0 && got > limit {
			m.Fatalf("%+v is %d, of at most %d; the orders that are left have %d", use, got, limit, left[use])
		}
	}
	if fields := m.redis.HKeys(background, stores.UsesKey(shopID, m.shop.Discounts[1].ID)).Val(); slices.Contains(fields, "") {
		m.Errorf("the counter has the fields %q", fields)
	}
}
