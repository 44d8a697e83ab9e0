package commerce

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// Hold is a cart's hold on the store's stock. The items follow from its lines; the commit decides
// how much is granted.
type Hold struct {
	// Asks are the asks of the cart, by item; nil if it has none.
	Asks []StockAsk
	// Until is the expiry of the hold, in milliseconds; zero without asks.
	Until time.Time
}

// DefaultHold is the hold time of a store without its own. docs/store-document.md#stock.
const DefaultHold = time.Hour

// MaxCartItems is the maximum number of stock items that a cart holds or takes.
const MaxCartItems = 1000

// StockAsk is the quantity of one item that a cart asks for, and the part that it holds.
type StockAsk struct {
	Item uuid.UUID
	// Quantity is at most MaxStock, Granted at most Quantity.
	Quantity, Granted Micros
}

// clockSlack is the maximum normal lead of a record's time over a request's time: requests admitted
// later may be written earlier. A record further ahead was written by a wrong clock.
const clockSlack = time.Minute

// reserve sets the cart's asks to the stock of its lines. The hold lasts for the store's hold time
// after the last write, and at most for the cart's life. docs/store-document.md#stock: until
// stock_hold_minutes after the cart's last write.
func (c *Cart) reserve(s *Store, now time.Time) {
	c.Hold = Hold{Asks: c.asks(s)}
	if c.Hold.Asks == nil {
		return
	}
	written := c.UpdatedAt
	if written.Sub(now) > clockSlack {
		written = now // or the hold would last until the wrong clock's time
	}
	c.Hold.Until = written.Add(s.StockHold)
	if c.Hold.Until.After(c.ExpiresAt) {
		c.Hold.Until = c.ExpiresAt
	}
}

// asks sums up the stock of all lines, in the order of the items. Only an active cart asks for
// stock.
func (c *Cart) asks(s *Store) []StockAsk {
	if c.Status != CartActive {
		return nil
	}
	return c.wanted(s)
}

// wanted sums up the stock of all lines of a cart in any status.
func (c *Cart) wanted(s *Store) []StockAsk {
	if !s.HoldsStock() {
		return nil
	}
	var asks []StockAsk
	for i := range c.Lines {
		asks = c.Lines[i].appendAsks(asks, s)
	}
	return addedUp(asks)
}

// appendAsks appends the asks of a line: its whole quantity or, for a line made to measure, the
// quantities of its components.
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

// of is the use of so many configured units, rounded half up once to millionths, at most MaxStock.
// A quantity that is no decimal, which no configuration has, gives 0.
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

// addedUp sorts asks by item and merges those of the same item. All of them count as granted until
// the commit sets the grants.
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

// findAsk finds the ask for an item in a list sorted by item.
func findAsk(asks []StockAsk, item uuid.UUID) (at int, found bool) {
	return slices.BinarySearchFunc(asks, item, func(a StockAsk, id uuid.UUID) int { return bytes.Compare(a.Item[:], id[:]) })
}

// Granting returns the cart with its own copy of the asks, so that the grants can be set.
func (c *Cart) Granting() *Cart {
	next := *c
	next.Hold.Asks = slices.Clone(c.Hold.Asks)
	return &next
}

// HoldChange is a commit's change of a cart's hold.
type HoldChange struct {
	Cart uuid.UUID
	// Until is the expiry of the new hold; zero if nothing is held any more.
	Until time.Time
	// Items are the items whose hold differs from the ask.
	Items []ItemChange
	// Expired is true if the hold may have expired. Items are then all items.
	Expired bool
	// Whole is true if the items are held whole or not at all.
	Whole bool
}

// ItemChange is a cart's ask for one item (0 if it has none any more) and the quantity held by its
// record.
type ItemChange struct {
	Item       uuid.UUID
	Asked, Had Micros
}

// ChangeHold compares the holds of two states of a cart; current is nil if there is none. It
// returns nil if neither holds anything. With all, it lists every item of both, as for an expired
// hold. An item held as asked is not listed otherwise.
func ChangeHold(current, next *Cart, all bool) *HoldChange {
	if current == nil {
		current = &Cart{}
	}
	if current.Hold.Asks == nil && next.Hold.Asks == nil {
		return nil
	}
	change := &HoldChange{Cart: next.ID, Until: next.Hold.Until}
	change.Expired = all || current.Hold.Asks != nil && !next.UpdatedAt.Before(current.Hold.Until)
	had, asked := current.Hold.Asks, next.Hold.Asks
	for len(had) > 0 || len(asked) > 0 {
		item := nextItem(&had, &asked)
		if change.Expired || item.Asked != item.Had {
			change.Items = append(change.Items, item)
		}
	}
	return change
}

// nextItem removes the first item from two lists sorted by item.
func nextItem(had, asked *[]StockAsk) ItemChange {
	var order int
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
