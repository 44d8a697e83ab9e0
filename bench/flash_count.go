package bench

import (
	"context"
	"fmt"
	"strconv"
)

// count reads the system's own counts and compares them with what shoppers were told.
func (s *flash) count(ctx context.Context, check *Check) *Flash {
	p := &s.plan
	f := &Flash{Shoppers: p.Shoppers, Units: p.Units, Uses: p.Uses}
	all := s.receipts()
	whole := newHistogram()
	for _, r := range all {
		whole.RecordValue(min(int64(r.at.Sub(r.came)), maxLatency))
		switch r.outcome {
		case outcomeSold:
			if f.Sold++; f.Sold <= p.Units {
				f.SoldAfter = r.at.Sub(s.begin).Seconds()
				f.OrdersPerSecond = float64(f.Sold) / f.SoldAfter
			}
		case outcomeSoldOut:
			f.SoldOut++
		default:
			f.Unsure++
		}
	}
	f.Visit = latencyOf(whole, false)
	c := &counter{flash: s, out: f, buyer: s.buyers[0], check: check}
	c.count(ctx, all)
	return f
}

// counter reads the counts of a sale.
type counter struct {
	*flash
	out   *Flash
	buyer *buyer
	check *Check
}

func (c *counter) fault(format string, args ...any) {
	c.out.Faults = append(c.out.Faults, fmt.Sprintf(format, args...))
}

func (c *counter) count(ctx context.Context, all []receipt) {
	f, a := c.out, c.plan.Adapter
	if missing := f.Shoppers - len(all); missing > 0 {
		c.fault("%d shoppers did not come", missing)
	}
	given := map[string]bool{}
	order := a.Flash.Order.compile(a)
	for i := range all {
		r := &all[i]
		if r.outcome != outcomeSold {
			continue
		}
		if given[r.order] {
			c.fault("order %s was given to two shoppers", r.order)
		}
		given[r.order] = true
		c.readOrder(&order, r)
	}
	c.readOrders(ctx, given)
	c.readStock()
	f.WithoutStock = max(0, f.Orders-min(f.UnitsGone, f.Units))
	if f.Sold == f.Units && f.Orders == f.Units && f.UnitsGone == f.Units {
		f.SoldOutAfter = f.SoldAfter
	}
	c.compare()
}

// ask sends one request of the count and reads its answer by its shape.
func (c *counter) ask(e *exchange, v *values) error {
	b := c.buyer
	if err := b.do(e.send, v, false); err != nil {
		return err
	}
	want := e.match(&b.response, &b.answer)
	if want == nil || !want.store(&b.response, v, &b.answer) {
		return fmt.Errorf("status %d: %.300s", b.response.StatusCode(), b.response.Body())
	}
	return scan(b.response.Body(), e.shape, &b.answer)
}

// readOrder reads the order that a shopper was given. It must be of one unit, at the total that the
// shopper was told.
func (c *counter) readOrder(e *exchange, r *receipt) {
	c.check.Records++
	if err := c.ask(e, &r.values); err != nil {
		c.check.Lost++
		c.fault("a shopper was told sold, order %s, and cannot read it: %v", r.order, err)
		return
	}
	got, f := &c.buyer.answer, c.plan.Adapter.Flash
	for _, l := range got.lines {
		c.out.UnitsSold += int(l.quantity / One)
	}
	if len(got.lines) != 1 || got.lines[0].quantity != One || len(got.lines[0].product) > 0 && string(got.lines[0].product) != f.Product {
		c.fault("order %s has %d lines and is not of one unit of the product", r.order, len(got.lines))
	}
	if got.total != r.amount {
		c.fault("order %s has a total of %d, its shopper was told %d", r.order, got.total, r.amount)
	}
	switch got.total {
	case f.Reduced:
		c.out.UsesCounted++
	case f.Full:
	default:
		c.fault("order %s has a total of %d, neither %d nor %d", r.order, got.total, f.Reduced, f.Full)
	}
}

// readOrders reads the list of all orders. An order that no shopper was given may only be one of an
// unsure shopper; at the reduced total it counts as a use of the code, like the others.
func (c *counter) readOrders(ctx context.Context, given map[string]bool) {
	a, strangers, seen := c.plan.Adapter, 0, map[string]bool{}
	page := a.Flash.Orders.compile(a)
	v := c.adminValues()
	for ctx.Err() == nil {
		before := string(v[slotPage])
		if err := c.ask(&page, &v); err != nil {
			c.fault("the orders cannot be listed: %v", err)
			return
		}
		rows := c.buyer.answer.lines
		for _, row := range rows {
			id := string(row.id)
			if !seen[id] && !given[id] {
				strangers++
				if row.total == a.Flash.Reduced {
					c.out.UsesCounted++
				}
			}
			seen[id] = true
		}
		if string(v[slotPage]) == before { // the adapter does not keep where to go on: pages count rows
			v.set(slotPage, strconv.Itoa(len(seen)))
		}
		if next := string(v[slotPage]); len(rows) == 0 || next == "null" || next == before {
			break
		}
	}
	c.out.Orders = len(seen)
	for id := range given {
		if !seen[id] {
			c.fault("order %s, which a shopper was given, is not in the list", id)
		}
	}
	if strangers > c.out.Unsure {
		c.fault("%d orders in the list were given to no shopper, and %d shoppers are unsure", strangers, c.out.Unsure)
	}
}

// readStock reads how many units are gone.
func (c *counter) readStock() {
	a := c.plan.Adapter
	stock, v := a.Flash.Stock.compile(a), c.adminValues()
	if err := c.ask(&stock, &v); err != nil {
		c.fault("the stock cannot be read: %v", err)
		return
	}
	quantity := c.buyer.answer.line.quantity
	for _, l := range c.buyer.answer.lines {
		quantity += l.quantity
	}
	if c.out.UnitsGone = int(quantity / One); !a.Flash.Taken {
		c.out.UnitsGone = c.plan.Units - c.out.UnitsGone
	}
}

func (c *counter) adminValues() values {
	c.buyer.reset()
	return c.buyer.values
}

// compare finds the contradictions between the counts. Orders of unsure shoppers are in the system's
// counts only, and a unit that an unsure shopper's cart holds may be gone without an order.
func (c *counter) compare() {
	f := c.out
	if f.Sold > f.Units || f.UnitsSold > f.Units || f.UnitsGone > f.Units {
		c.fault("more than %d units were sold", f.Units)
	}
	if f.UnitsGone < f.Orders || f.UnitsGone > f.Orders+f.Unsure {
		c.fault("%d orders of one unit each took %d units from stock", f.Orders, f.UnitsGone)
	}
	if f.UsesCounted > f.Uses {
		c.fault("the code was used %d times, %d times more than it may be", f.UsesCounted, f.UsesCounted-f.Uses)
	}
	if f.SoldOut > 0 && f.UnitsGone < f.Units {
		c.fault("shoppers were told sold out, and %d units are left", f.Units-f.UnitsGone)
	}
	units, uses := min(f.Units, f.Shoppers), min(f.Uses, f.Shoppers)
	if f.Unsure == 0 && (f.UnitsSold != units || f.UsesCounted != uses) {
		c.fault("%d units sold and %d uses, want %d and %d: there were shoppers enough", f.UnitsSold, f.UsesCounted, units, uses)
	}
}
