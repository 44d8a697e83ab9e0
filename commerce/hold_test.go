package commerce

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
)

// stockedShop is the test shop that tracks stock of tiles, cord, drills and the withdrawn product.
func stockedShop() *Store {
	s := testShop()
	s.StockHold = time.Hour
	for _, p := range s.Products {
		switch p.ID {
		case tile, cord, drill, withdrawn:
			p.TrackStock = true
		}
	}
	s.Index()
	return s
}

// asks are pairs of item and quantity in millionths, all granted.
func asks(stock ...any) []StockAsk {
	var all []StockAsk
	for i := 0; i < len(stock); i += 2 {
		q := Micros(stock[i+1].(int))
		all = append(all, StockAsk{Item: stock[i].(uuid.UUID), Quantity: q, Granted: q})
	}
	return all
}

func plainLine(product, variant uuid.UUID, q Quantity) Line {
	return Line{ProductID: product, VariantID: variant, Quantity: q}
}

// madeLine is a line made to measure; one unit uses the given quantities of components.
func madeLine(q Quantity, uses ...ComponentUse) Line {
	return Line{ProductID: blind, Quantity: q, Configuration: &Configuration{Components: uses}}
}

// docs/store-document.md#stock: a line asks for its whole quantity; a line made to measure asks for
// each component's. Lines of one product add up. Only tracked products are held.
func TestAsksOfACart(t *testing.T) {
	maximum := int(MaxStock)
	for _, c := range []struct {
		name  string
		lines []Line
		want  []StockAsk
	}{
		{"nothing", nil, nil},
		{"untracked", []Line{plainLine(gift, uuid.Nil, One), plainLine(nowhere, uuid.Nil, One), madeLine(One, ComponentUse{gift, "1"})}, nil},
		{"a line", []Line{plainLine(cord, uuid.Nil, 2500)}, asks(cord, 2_500_000)},
		{"variants by themselves", []Line{plainLine(drill, white, One), plainLine(drill, red, 2*One)}, asks(white, 1_000_000, red, 2_000_000)},
		{"a variant that is gone", []Line{plainLine(drill, testID(0x99), One)}, nil},
		{"what is withdrawn", []Line{plainLine(withdrawn, uuid.Nil, One)}, asks(withdrawn, 1_000_000)},
		{"lines add up", []Line{plainLine(cord, uuid.Nil, One), plainLine(tile, uuid.Nil, One), madeLine(2*One, ComponentUse{cord, "0.25"}),
			madeLine(One, ComponentUse{cord, "0.125"})},
			asks(tile, 1_000_000, cord, 1_625_000)},
		{"rounded half up, once a line", []Line{madeLine(1, ComponentUse{cord, "0.0005"}, ComponentUse{tile, "0.000499999999"}),
			madeLine(1, ComponentUse{cord, "0.0015"})}, asks(cord, 1+2)},
		{"exact decimals", []Line{madeLine(3*One, ComponentUse{cord, "0.123456789012345"})}, asks(cord, 370_370)},
		{"no more than there can be", []Line{madeLine(MaxQuantity, ComponentUse{cord, "9223372036854.775807"}), plainLine(cord, uuid.Nil, One)}, asks(cord, maximum)},
	} {
		cart := NewCart(cartID, noon)
		cart.Lines = c.lines
		cart.reserve(stockedShop(), noon)
		if !reflect.DeepEqual(cart.Hold.Asks, c.want) {
			t.Errorf("%s: asks for %v, want %v", c.name, cart.Hold.Asks, c.want)
		}
	}
}

// docs/store-document.md#stock: only while the stock module is on; a cart that is not active holds
// nothing.
func TestCartsWithoutAHold(t *testing.T) {
	for name, change := range map[string]func(*Cart, *Store){
		"converted": func(c *Cart, _ *Store) { c.Status = CartConverted },
		"merged":    func(c *Cart, _ *Store) { c.Status = CartMerged },
		"no module": func(_ *Cart, s *Store) { s.Modules = 1 << ModuleCommerce },
	} {
		cart, shop := NewCart(cartID, noon), stockedShop()
		cart.Lines = []Line{plainLine(tile, uuid.Nil, One)}
		change(cart, shop)
		if cart.reserve(shop, noon); !reflect.DeepEqual(cart.Hold, Hold{}) {
			t.Errorf("%s: %+v", name, cart.Hold)
		}
	}
}

// docs/store-document.md#stock: until stock_hold_minutes after the cart's last write of any kind. A
// cart that is gone holds nothing.
func TestExpiryOfAHold(t *testing.T) {
	s := newScene(t)
	s.shop = stockedShop()
	s.in.Store = s.shop
	s.do(s.add(tile, One))
	if want := s.in.Now.Add(time.Hour); !s.cart.Hold.Until.Equal(want) {
		t.Errorf("expires at %v, want %v", s.cart.Hold.Until, want)
	}
	s.in.Now = s.in.Now.Add(time.Minute)
	s.do(PatchCart{})
	if want := s.in.Now.Add(time.Hour); !s.cart.Hold.Until.Equal(want) {
		t.Errorf("after another write it expires at %v, want %v", s.cart.Hold.Until, want)
	}
	s.shop.StockHold = 365 * 24 * time.Hour
	s.do(PatchCart{})
	if !s.cart.Hold.Until.Equal(s.cart.ExpiresAt) {
		t.Errorf("expires at %v, the cart expires at %v", s.cart.Hold.Until, s.cart.ExpiresAt)
	}
	s.do(RemoveLine{LineID: s.cart.Lines[0].ID.String()})
	if !reflect.DeepEqual(s.cart.Hold, Hold{}) {
		t.Errorf("without lines: %+v", s.cart.Hold)
	}
}

// A cart written by a clock far ahead does not hold its stock until that clock's time. A cart whose
// time is ahead by moments keeps its full hold.
func TestExpiryOfAHoldAfterAClockWasAhead(t *testing.T) {
	s := newScene(t)
	s.shop = stockedShop()
	s.in.Store = s.shop
	s.in.Now = noon.AddDate(0, 0, 10)
	s.do(s.add(tile, One))
	s.in.Now = s.in.Now.Add(-time.Second)
	s.do(PatchCart{})
	if want := noon.AddDate(0, 0, 10).Add(time.Hour); !s.cart.Hold.Until.Equal(want) {
		t.Errorf("a second earlier than the last write it expires at %v, want %v", s.cart.Hold.Until, want)
	}
	s.in.Now = noon
	s.do(PatchCart{})
	if want := noon.Add(time.Hour); !s.cart.Hold.Until.Equal(want) {
		t.Errorf("expires at %v, want %v", s.cart.Hold.Until, want)
	}
	if want := noon.AddDate(0, 0, 10).Add(CartLifetime); !s.cart.ExpiresAt.Equal(want) {
		t.Errorf("expires at %v, want %v: an earlier clock does not shorten a cart's life", s.cart.ExpiresAt, want)
	}
}

// A write changes only the items whose hold differs from the ask. After a hold may have expired, it
// changes all.
func TestChangesOfAHoldByACommit(t *testing.T) {
	until, later := noon.Add(time.Hour), noon.Add(2*time.Hour)
	short := asks(tile, 5, cord, 7)
	short[1].Granted = 3
	cart := func(written, until time.Time, asks []StockAsk) *Cart {
		return &Cart{ID: cartID, UpdatedAt: written, Hold: Hold{Asks: asks, Until: until}}
	}
	none := cart(noon, time.Time{}, nil)
	for _, c := range []struct {
		name         string
		before, next *Cart
		all          bool
		want         string // known, until, expired, items
	}{
		{"a plain cart", none, none, true, ""},
		{"a new plain cart", nil, none, false, ""},
		{"a first line", none, cart(noon, until, asks(tile, 5)), false, "1 false [tile 5 0]"},
		{"nothing new", cart(noon, until, asks(tile, 5)), cart(noon, later, asks(tile, 5)), false, "2 false []"},
		{"more, less, gone and new", cart(noon, until, asks(tile, 5, cord, 7, white, 2)), cart(noon, later, asks(tile, 6, white, 1, grey, 4)), false,
			"2 false [tile 6 5][cord 0 7][white 1 2][grey 4 0]"},
		{"what is short", cart(noon, until, short), cart(noon, later, asks(tile, 5, cord, 7)), false, "2 false [cord 7 3]"},
		{"all released", cart(noon, until, short), none, false, "0 false [tile 0 5][cord 0 3]"},
		{"all asked for", cart(noon, until, short), cart(noon, later, asks(tile, 5)), true, "2 true [tile 5 5][cord 0 3]"},
		{"expired", cart(noon, until, asks(tile, 5)), cart(until, later, asks(tile, 5)), false, "2 true [tile 5 5]"},
		{"about to", cart(noon, until, asks(tile, 5)), cart(until.Add(-1), later, asks(tile, 5)), false, "2 false []"},
	} {
		if got := shownChange(ChangeHold(c.before, c.next, c.all)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// shownChange writes a change with hours after noon and item names.
func shownChange(c *HoldChange) string {
	if c == nil {
		return ""
	}
	hours := func(at time.Time) int { return int(max(0, at.Sub(noon)) / time.Hour) }
	items := ""
	names := map[uuid.UUID]string{tile: "tile", cord: "cord", white: "white", grey: "grey"}
	for _, i := range c.Items {
		items += fmt.Sprintf("[%s %d %d]", names[i.Item], i.Asked, i.Had)
	}
	if items == "" {
		items = "[]"
	}
	return fmt.Sprintf("%d %v %s", hours(c.Until), c.Expired, items)
}
