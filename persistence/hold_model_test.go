package persistence

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/stock"
)

// shelfStore tracks two products and a product's variant; a blind uses a component.
func shelfStore() *commerce.Store {
	price := commerce.Amount(100)
	sold := commerce.Prices{Base: &price}
	s := &commerce.Store{
		ID: shopID, Modules: commerce.Modules(0).With(commerce.ModuleCommerce).With(commerce.ModuleStock),
		Policy:    commerce.Policy{MaxLines: 100, MaxQuantityPerLine: commerce.MaxQuantity},
		StockHold: time.Hour,
		Products: []*commerce.Product{
			{ID: nails, Active: true, TrackStock: true, Prices: sold},
			{ID: cable, Active: true, TrackStock: true, Unit: commerce.UnitMetre, Prices: sold},
			{ID: testID(0xa3), Active: true, Prices: sold},
		},
	}
	s.Index()
	return s
}

// blindLine is a line made to measure that uses cable.
func blindLine(quantity commerce.Quantity) commerce.Line {
	return commerce.Line{
		ID: uuid.New(), ProductID: testID(0xa4), Quantity: quantity,
		Configuration: &commerce.Configuration{Components: []commerce.ComponentUse{{ProductID: cable, Quantity: "0.3333335"}}},
	}
}

// history is a random life of carts that share a shelf.
type history struct {
	*shelf
	*rand.Rand
	shop *commerce.Store
	ids  []uuid.UUID
}

// step changes one cart or the stock on hand, or lets holds expire. Sometimes its node dies
// ahead of the commit or after it, or commits twice.
func (h *history) step() {
	h.Helper()
	switch n := h.IntN(20); {
	case n == 0:
		h.onHand(nails, h.IntN(50)-10)
	case n == 1:
		h.onHand(cable, h.IntN(50)-10)
	case n == 2:
		h.release()
	case n == 3:
		h.limit(h.shop.Products[h.IntN(2)])
	default:
		h.change(h.ids[h.IntN(len(h.ids))])
	}
}

// limit gives a product another limit below zero, or none.
func (h *history) limit(p *commerce.Product) {
	if p.Backorder = nil; h.IntN(3) > 0 {
		p.Backorder = &commerce.Backorder{Limit: units(int64(h.IntN(30)))}
	}
	h.shop.Index()
}

func (h *history) change(id uuid.UUID) {
	h.Helper()
	next := h.next(id)
	if next == nil {
		return
	}
	fresh := h.grantable()
	before := h.carts[id]
	visit := h.visit(next)
	switch h.IntN(6) {
	case 0: // it died with nothing sent
		return
	case 1: // it died while it awaited the answer
		send(h, h.db, visit)
		h.carts[id] = h.loaded(id)
	case 2: // sent twice
		send(h, h.db, visit)
		send(h, h.db, visit)
		h.carts[id] = h.loaded(id)
	default:
		h.write(next)
	}
	h.checkGrants(before.State, h.carts[id].State, fresh)
}

// next returns the cart after a random change; nil if the change is refused.
func (h *history) next(id uuid.UUID) *commerce.Cart {
	record := h.carts[id]
	now := time.Now().Add(time.Duration(h.IntN(120)-118) * time.Minute).UTC().Truncate(time.Millisecond)
	if record.State == nil {
		return commerce.NewCart(id, now)
	}
	cart := *record.State
	cart.ExpiresAt = cart.ExpiresAt.Add(time.Hour) // carts do not expire here
	cart.UpdatedAt = time.Time{}                   // Redis's clock may have gone back
	var command commerce.Command[*commerce.Cart] = commerce.PatchCart{}
	switch n := h.IntN(10); {
	case n < 4:
		command = commerce.AddLine{LineID: uuid.New(), ProductID: []uuid.UUID{nails, cable, testID(0xa3)}[h.IntN(3)],
			Quantity: commerce.Quantity(1+h.IntN(20)) * commerce.One}
	case n < 6 && len(cart.Lines) > 0:
		command = commerce.ChangeLine{LineID: cart.Lines[h.IntN(len(cart.Lines))].ID.String(), Quantity: commerce.Quantity(1+h.IntN(20)) * commerce.One}
	case n < 8 && len(cart.Lines) > 0:
		command = commerce.RemoveLine{LineID: cart.Lines[h.IntN(len(cart.Lines))].ID.String()}
	case n == 8 && len(cart.Lines) < 3:
		cart.Lines = append(cart.Lines[:len(cart.Lines):len(cart.Lines)], blindLine(commerce.Quantity(1+h.IntN(9000))))
	}
	h.shop.Modules = commerce.Modules(0).With(commerce.ModuleCommerce)
	if h.IntN(20) > 0 { // otherwise the stock module is off for this change
		h.shop.Modules = h.shop.Modules.With(commerce.ModuleStock)
	}
	changed, _, refusal := commerce.ChangeCart(&cart, command, &commerce.Input{Store: h.shop, Now: now})
	if refusal != nil {
		return nil
	}
	return changed
}

// grantable is the stock on hand with the limit.
func (h *history) grantable() map[uuid.UUID]commerce.Micros {
	most := map[uuid.UUID]commerce.Micros{}
	for item, n := range h.redis.HGetAll(background, stock.OnHandKey(shopID)).Val() {
		id := uuid.MustParse(item)
		most[id] = stock.Micros(n) + h.shop.Backorder(id).Limit
	}
	return most
}

// checkGrants fails if more of an item was granted than there was.
func (h *history) checkGrants(before, after *commerce.Cart, most map[uuid.UUID]commerce.Micros) {
	h.Helper()
	had := map[uuid.UUID]commerce.Micros{}
	if before != nil {
		for _, a := range before.Hold.Asks {
			had[a.Item] = a.Granted
		}
	}
	held := h.held()
	for _, a := range after.Hold.Asks {
		if a.Granted > had[a.Item] && held[a.Item] > most[a.Item] {
			h.Errorf("%s of %s are held, there may be %s", held[a.Item], a.Item, most[a.Item])
		}
	}
}

// After every step of random histories the sums equal the carts' holds, and no grant makes them exceed the
// stock on hand and its limit.
func TestSumsEqualTheHolds(t *testing.T) {
	shoptest.Alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		steps := 200
		if s.Mini == nil {
			steps = 400
		}
		d := shoptest.Seeded(t)
		h := &history{shelf: newShelf(t, s, nails, 30, cable, 30), Rand: d, shop: shelfStore()}
		h.judged = h.shop
		for i := range 6 {
			h.ids = append(h.ids, testID(i+1))
		}
		for range steps {
			h.step()
			if h.held(); t.Failed() {
				return
			}
		}
		for id := range h.carts { // a cart that asks for nothing holds nothing, whatever its node knows
			empty := *h.carts[id].State
			empty.Lines, empty.Hold = nil, commerce.Hold{}
			h.write(&empty)
		}
		h.wantHeld("at the end")
	})
}
