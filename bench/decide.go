package bench

import (
	"fmt"
	"strconv"
)

// pageSize is the number of products on a page of the catalogue.
const pageSize = 25

// bookSize is the maximum of an address book. An add to a full book becomes a removal.
const bookSize = 10

// next decides the next request.
func (v *visitor) next() *step {
	if v.again != nil {
		s := v.again
		v.again = nil
		s.repeat = true
		return s
	}
	var s *step
	if v.world.journey != nil {
		s = v.stride()
	} else {
		s = v.decide(v.pick())
	}
	v.sent++
	if v.world.scenario.Once && s.op.write() && !s.op.address() {
		s.once = fmt.Appendf(nil, "cartbench-%s-%04d-%010d", v.world.nonce, v.index, v.sent)
	}
	return s
}

// pick draws an operation by its weight.
func (v *visitor) pick() op {
	n := v.rng.IntN(v.world.weights)
	for i, share := range v.world.scenario.Mix {
		if n -= share.Weight; n < 0 {
			return v.world.mix[i]
		}
	}
	return v.world.mix[0]
}

func (v *visitor) decide(o op) *step {
	switch {
	case o == opCreate:
		return &step{op: opCreate, rec: &record{store: v.rng.IntN(v.world.plan.Stores)}, line: -1}
	case o.catalogue():
		return v.decideBrowse(o)
	case o.address():
		return v.decideAddress(o, v.books[v.rng.IntN(len(v.books))])
	case o == opClaim:
		return v.decideClaim()
	}
	rec := v.carts[v.rng.IntN(len(v.carts))]
	if rec.pending != nil {
		o = opRead
	}
	switch o {
	case opAdd, opConfigure:
		return v.decideAdd(rec)
	case opChange:
		if len(rec.lines) == 0 {
			return v.decideAdd(rec)
		}
		i := v.rng.IntN(len(rec.lines))
		return &step{op: o, rec: rec, line: i, article: rec.lines[i].article, quantity: v.amount(rec.lines[i].article, 90)}
	case opRemove:
		if len(rec.lines) <= v.world.scenario.Lines {
			return v.decideAdd(rec)
		}
		return &step{op: o, rec: rec, line: v.rng.IntN(len(rec.lines))}
	}
	return &step{op: opRead, rec: rec, line: -1}
}

// decideBrowse draws a product, or a page of products in the order of the articles. The lines of its
// record are the expected products, with their price at quantity 1.
func (v *visitor) decideBrowse(o op) *step {
	n := 1
	if o == opProductList {
		n = pageSize
	}
	page := v.rng.IntN(len(v.world.articles) / n)
	rec := &record{store: v.rng.IntN(v.world.plan.Stores)}
	for i := page * n; i < (page+1)*n; i++ {
		rec.lines = append(rec.lines, line{id: v.world.articles[i].Product, article: i, quantity: One})
	}
	if rec.id = strconv.Itoa(page + 1); o == opProduct {
		rec.id = rec.lines[0].id
	}
	return &step{op: o, rec: rec, line: -1, article: page * n}
}

// decideClaim alternates between a new guest cart and its claim. The claim moves the lines of the
// previously claimed cart into the guest cart.
func (v *visitor) decideClaim() *step {
	if v.guest != nil && v.guest.pending == nil && len(v.guest.lines) > 0 { // the claim was answered
		v.carts[0], v.guest = v.guest, nil
	}
	earlier := v.carts[0]
	switch {
	case earlier.pending != nil:
		return &step{op: opReadClaimed, rec: earlier, line: -1}
	case !earlier.claimed: // earlier runs may have left the customer a cart
		earlier.claimed, earlier.blind = true, true
		earlier.customer = (v.index/v.world.plan.Stores + v.world.firstCustomer) % customersPerStore
		return &step{op: opClaim, rec: earlier, line: -1}
	case v.guest == nil:
		v.guest = &record{store: earlier.store, customer: earlier.customer, claimed: true}
		fallthrough
	case v.guest.id == "":
		return &step{op: opCreate, rec: v.guest, line: -1}
	case v.guest.pending != nil:
		return &step{op: opReadClaimed, rec: v.guest, line: -1}
	}
	return &step{op: opClaim, rec: v.guest, other: earlier, line: -1}
}

// decideAdd adds a new line if the cart may have one more. Otherwise the add merges into a line.
func (v *visitor) decideAdd(rec *record) *step {
	s := &step{op: v.world.scenario.add(), rec: rec, line: -1}
	if len(rec.lines) < min(v.world.scenario.Lines+v.world.scenario.Extra, len(v.world.articles)) {
		s.article = v.fresh(rec)
	} else {
		s.line = v.rng.IntN(len(rec.lines))
		s.article = rec.lines[s.line].article
	}
	s.quantity = v.amount(s.article, 3)
	return s
}

// fresh draws an article that the cart does not have.
func (v *visitor) fresh(rec *record) int {
	n := len(v.world.articles)
	for i := v.rng.IntN(n); ; i = (i + 1) % n {
		inCart := false
		for _, l := range rec.lines {
			inCart = inCart || l.article == i
		}
		if !inCart {
			return i
		}
	}
}

// amount draws a quantity up to limit. It may end in a half unless the article is sold in whole
// units.
func (v *visitor) amount(article, limit int) Quantity {
	q := One * Quantity(1+v.rng.IntN(limit))
	if !v.world.articles[article].Whole && v.rng.IntN(2) == 0 {
		q -= One / 2
	}
	return q
}

func (v *visitor) decideAddress(o op, rec *record) *step {
	switch {
	case rec.pending != nil:
		o = opAddressList
	case o == opAddressAdd && len(rec.lines) >= bookSize:
		o = opAddressRemove
	case (o == opAddressChange || o == opAddressRemove) && len(rec.lines) == 0:
		o = opAddressAdd
	}
	s := &step{op: o, rec: rec, line: -1}
	switch o {
	case opAddressAdd, opAddressChange:
		s.text = fmt.Sprintf("Spinnerijlaan %d-%d", v.index, v.sent)
		s.mark = v.rng.IntN(4) == 0
	}
	if o == opAddressChange || o == opAddressRemove {
		s.line = v.rng.IntN(len(rec.lines))
	}
	return s
}
