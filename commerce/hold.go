package commerce

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Hold is what a cart holds of the store's stock. Which stock that is follows from
// its lines; what of it was granted is decided by the commit itself.
type Hold struct {
	// Asks are what the cart asks for, by item; nil: nothing.
	Asks []StockAsk
	// Until is when the hold expires, in milliseconds; zero where nothing is asked for.
	Until time.Time
}

// MaxCartItems is how many items of the store's stock a cart holds, or takes, at most.
const MaxCartItems = 1000

// StockAsk is how much of one item a cart asks for and, of that, holds.
type StockAsk struct {
	Item uuid.UUID
	// Quantity is at most MaxStock, Granted at most Quantity.
	Quantity, Granted Micros
}

// clockSlack is by how much a record may be ahead of a request's time because others that
// were admitted later have come before it. What is further ahead was written by a clock
// that was wrong.
const clockSlack = time.Minute

// reserve makes the cart, written at now, ask for the stock of its lines, until the
// store's hold time after its last write; never beyond the cart's own life.
// Stock: until stock_hold_minutes after the cart's last write.
func (c *Cart) reserve(s *Store, now time.Time) {
	c.Hold = Hold{Asks: c.asks(s)}
	if c.Hold.Asks == nil {
		return
	}
	written := c.UpdatedAt
	if written.Sub(now) > clockSlack {
		written = now // or others would wait for the stock until that clock's time has come
	}
	c.Hold.Until = written.Add(s.StockHold)
	if c.Hold.Until.After(c.ExpiresAt) {
		c.Hold.Until = c.ExpiresAt
	}
}

// asks adds up the stock of all lines: only an active cart asks for any. The result
// is in the order of the items.
func (c *Cart) asks(s *Store) []StockAsk {
	if c.Status != CartActive || !s.HoldsStock() {
		return nil
	}
	var asks []StockAsk
	for i := range c.Lines {
		asks = c.Lines[i].appendAsks(asks, s)
	}
	return addedUp(asks)
}

// appendAsks adds what a line asks for: its whole quantity or, made to measure,
// that of its components.
func (l *Line) appendAsks(asks []StockAsk, s *Store) []StockAsk {
	if l.Configuration == nil {
		if item, ok := s.tracked(l.ProductID, l.VariantID); ok {
			asks = append(asks, StockAsk{Item: item, Quantity: l.Quantity.Micros()})
		}
		return asks
	}
	for _, use := range l.Configuration.Components {
		if item, ok := s.tracked(use.ProductID, uuid.Nil); ok {
			asks = append(asks, StockAsk{Item: item, Quantity: use.of(l.Quantity)})
		}
	}
	return asks
}

// of is what so many configured units use: rounded half up to millionths, once, and
// at most MaxStock. A quantity that is no decimal, which no configuration has, is
// nothing.
func (u ComponentUse) of(units Quantity) Micros {
	each, err := decimal.NewFromString(u.Quantity)
	if err != nil {
		return 0
	}
	total := each.Mul(decimal.New(int64(units), -quantityPlaces)).Shift(microsPlaces).Round(0)
	if total.GreaterThan(decimal.New(int64(MaxStock), 0)) {
		return MaxStock
	}
	return Micros(total.IntPart())
}

// addedUp sorts asks by item and makes those of one item one. Until the commit says
// otherwise, all of it counts as granted.
func addedUp(asks []StockAsk) []StockAsk {
	slices.SortFunc(asks, func(a, b StockAsk) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	sums := asks[:0]
	for _, a := range asks {
		switch last := len(sums) - 1; {
		case a.Quantity == 0:
			continue
		case last >= 0 && sums[last].Item == a.Item:
			sums[last].Quantity = sums[last].Quantity.plus(a.Quantity)
		default:
			sums = append(sums, a)
		}
	}
	if len(sums) == 0 {
		return nil
	}
	for i := range sums {
		sums[i].Granted = sums[i].Quantity
	}
	return sums
}

// findAsk finds the ask for an item in a list in the order of the items.
func findAsk(asks []StockAsk, item uuid.UUID) (at int, found bool) {
	return slices.BinarySearchFunc(asks, item, func(a StockAsk, id uuid.UUID) int { return bytes.Compare(a.Item[:], id[:]) })
}

// Granting returns the cart with a hold of its own, to note in what was granted.
func (c *Cart) Granting() *Cart {
	next := *c
	next.Hold.Asks = slices.Clone(c.Hold.Asks)
	return &next
}

// HoldChange is what a commit does to what a cart holds.
type HoldChange struct {
	Cart uuid.UUID
	// Known is when the hold expires that the cart has; zero: it has none. Until is
	// when the new one does; zero: nothing is held any more.
	Known, Until time.Time
	// Items are those whose hold is not yet what is asked for.
	Items []ItemChange
	// Expired: the hold may be gone. Items are then all there are.
	Expired bool
}

// ItemChange is what a cart asks for of one item (0: nothing any more), and what it
// holds according to its record.
type ItemChange struct {
	Item       uuid.UUID
	Asked, Had Micros
}

// ChangeHold compares what two states of a cart hold; before is nil where there was
// none. Nil: neither holds anything. With all it lists every item of both, as for a
// hold that has expired. Nothing is asked of the stock of an item that is held as
// asked for.
func ChangeHold(before, next *Cart, all bool) *HoldChange {
	if before == nil {
		before = &Cart{}
	}
	if before.Hold.Asks == nil && next.Hold.Asks == nil {
		return nil
	}
	change := &HoldChange{Cart: next.ID, Known: before.Hold.Until, Until: next.Hold.Until}
	change.Expired = all || before.Hold.Asks != nil && !next.UpdatedAt.Before(before.Hold.Until)
	had, asked := before.Hold.Asks, next.Hold.Asks
	for len(had) > 0 || len(asked) > 0 {
		item := nextItem(&had, &asked)
		if change.Expired || item.Asked != item.Had {
			change.Items = append(change.Items, item)
		}
	}
	return change
}

// nextItem takes the first item off two lists in the order of the items.
func nextItem(had, asked *[]StockAsk) ItemChange {
	order := 0
	switch {
	case len(*had) == 0:
		order = 1
	case len(*asked) == 0:
		order = -1
	default:
		order = bytes.Compare((*had)[0].Item[:], (*asked)[0].Item[:])
	}
	var item ItemChange
	if order <= 0 {
		item.Item, item.Had = (*had)[0].Item, (*had)[0].Granted
		*had = (*had)[1:]
	}
	if order >= 0 {
		item.Item, item.Asked = (*asked)[0].Item, (*asked)[0].Quantity
		*asked = (*asked)[1:]
	}
	return item
}
