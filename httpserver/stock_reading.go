package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

const (
	// stockRead is the maximum number of items of one trip to Redis. docs/design.md#bounded.
	stockRead = 2000
	// smallStock is the number of items up to which a request reads stock without a turn.
	smallStock = 200
	// stockItemBytes is the memory that the reading of one item takes at a time: its id, also as a
	// text, the three numbers of the reply, the level.
	stockItemBytes = 400
	// stockTurns is the number of stores whose large readings are done at a time.
	stockTurns = 4
)

// stockReading reads the stock of any number of items, some at a time, and passes each level on
// together with the number of its owner. Its memory counts in the budget of answers. A store has one
// large reading at a time, so that the requests of other stores come in between its trips.
type stockReading struct {
	exchange *exchange
	// cart is the cart whose own hold counts as available; zero for none.
	cart uuid.UUID
	pass func(owner int, item uuid.UUID, level commerce.StockLevel)

	items  []uuid.UUID
	owners []int32
	// reserved are the bytes that are counted; turn is true while the store's turn is taken.
	reserved int
	turn     bool
}

// readStock begins to read the stock of at most n items. The caller ends the reading.
func (x *exchange) readStock(cart uuid.UUID, n int, pass func(int, uuid.UUID, commerce.StockLevel)) (*stockReading, error) {
	r := &stockReading{exchange: x, cart: cart, pass: pass}
	if n > smallStock {
		if err := x.takes(x.server.stockTurns); err != nil {
			return nil, err
		}
		r.turn = true
	}
	n = min(n, stockRead)
	if err := x.room(n * stockItemBytes); err != nil {
		r.end()
		return nil, err
	}
	r.reserved = n * stockItemBytes
	r.items, r.owners = make([]uuid.UUID, 0, n), make([]int32, 0, n)
	return r, nil
}

// add reads the stock of an item, now or later.
func (r *stockReading) add(owner int, item uuid.UUID) error {
	r.items, r.owners = append(r.items, item), append(r.owners, int32(owner))
	if len(r.items) < stockRead {
		return nil
	}
	return r.flush()
}

// flush reads the items that were added since the last trip.
func (r *stockReading) flush() error {
	if len(r.items) == 0 {
		return nil
	}
	x := r.exchange
	levels, err := x.server.engine.StockLevels(x.request.Store, r.cart, r.items, x.request.Deadline)
	if err != nil {
		return err
	}
	for i, level := range levels {
		r.pass(int(r.owners[i]), r.items[i], level)
	}
	r.items, r.owners = r.items[:0], r.owners[:0]
	return nil
}

// end gives the turn and the memory back.
func (r *stockReading) end() {
	_ = r.exchange.room(-r.reserved)
	if r.turn {
		r.exchange.server.stockTurns.End(r.exchange.request.Store.ID)
	}
}
