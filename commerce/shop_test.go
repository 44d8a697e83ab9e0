package commerce

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/uuid"
)

// testID makes ids that are easy to recognise in a failure.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

var (
	cartID = testID(0xca)
	noon   = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

	tradeGroup = testID(0x61)
	otherGroup = testID(0x62)

	ada   = Visitor{Known: true, CustomerID: testID(0xada)}
	trade = Visitor{Known: true, CustomerID: testID(0x1de), GroupID: tradeGroup, B2B: true, Approved: true}
	guest = Visitor{}
	// badToken is a visitor whose token does not resolve; the other fields do not count.
	badToken = Visitor{CustomerID: testID(0xada), GroupID: tradeGroup, B2B: true}

	tile      = testID(1) // piece, with tiers and group prices
	cord      = testID(2) // metre, 9 %
	drill     = testID(3) // variants white (own price), grey (the product's), red (inactive)
	white     = testID(31)
	grey      = testID(32)
	red       = testID(33)
	faded     = testID(4) // every variant inactive
	blind     = testID(5) // made to measure
	withdrawn = testID(6) // not active
	bulk      = testID(7) // has a price only from 10 on
	special   = testID(8) // by quote
	gift      = testID(9) // price 0, no SKU
	dear      = testID(10)
	nowhere   = testID(99) // no product at all
)

func price(a Amount) *Amount { return &a }

// testShop is a store in which a test can reach every rule of a cart line.
func testShop() *Store {
	s := &Store{
		ID: testID(0x5), Modules: 1<<moduleCount - 1, PricesIncludeTax: true, Secret: [32]byte{7},
		Policy: Policy{MaxLines: 4, MaxQuantityPerLine: 100 * One, Pricing: PricingDisplay{VATDisplay: "inc"}},
		Quotes: QuoteSettings{Enabled: true},
		Products: []*Product{
			{ID: tile, Name: "Tile", SKU: "TILE", Active: true, Tax: taxed(21e9), Prices: Prices{
				Base:  price(1000),
				Group: []GroupPrice{{tradeGroup, 950}},
				Tiers: []Tier{{10 * One, 900, uuid.Nil}, {5 * One, 850, tradeGroup}, {20 * One, 990, uuid.Nil}},
			}},
			{ID: cord, Name: "Cord", SKU: "CORD", Active: true, Unit: UnitMetre, Tax: taxed(9e9), Prices: Prices{Base: price(250),
				Tiers: []Tier{{2500, 199, uuid.Nil}}}},
			{ID: drill, Name: "Drill", SKU: "DRILL", Active: true, Tax: taxed(21e9), Prices: Prices{Base: price(5000), Tiers: []Tier{{2 * One, 4000, uuid.Nil}}},
				Variants: []Variant{
					{ID: white, SKU: "DRILL-W", Active: true, Prices: Prices{Base: price(5500)}},
					{ID: grey, Active: true},
					{ID: red, Active: false, Prices: Prices{Base: price(1)}},
				}},
			{ID: faded, Name: "Faded", Active: true, Prices: Prices{Base: price(100)}, Variants: []Variant{{ID: testID(41)}}},
			{ID: blind, Name: "Blind", SKU: "BLIND", Active: true, Capability: MadeToMeasure, Tax: taxed(21e9), Configurator: &Configurator{Engine: &workshop{5000}}},
			{ID: withdrawn, Name: "Withdrawn", Tax: taxed(5_500_000_000), Prices: Prices{Base: price(100)}},
			{ID: bulk, Name: "Bulk", Active: true, Tax: taxed(21e9), Prices: Prices{Tiers: []Tier{{10 * One, 500, uuid.Nil}}}},
			{ID: special, Name: "Special", Active: true, Tax: taxed(21e9), Purchasability: ByQuote, Prices: Prices{Base: price(100)}},
			{ID: gift, Name: "Gift", Active: true, Prices: Prices{Base: price(0)}},
			{ID: dear, Name: "Dear", Active: true, Unit: UnitMetre, Tax: taxed(21e9), Prices: Prices{Base: price(MaxAmount/100 + 1)}},
		},
	}
	s.Index()
	return s
}

// cartCommand is a change of a cart, contactCommand of a contact.
type (
	cartCommand    = Command[*Cart]
	contactCommand = Command[*Contact]
)

// scene is a cart in a shop, and its visitor.
type scene struct {
	*testing.T
	shop    *Store
	cart    *Cart
	in      Input
	effects Effects
}

func newScene(t *testing.T) *scene {
	s := &scene{T: t, shop: testShop(), cart: NewCart(cartID, noon)}
	s.in = Input{Store: s.shop, Now: noon.Add(time.Minute), Next: 2, Came: noon.Add(time.Minute)}
	return s
}

// try runs a command and drops its result. In every case the given cart must stay as it was, byte
// for byte.
func (s *scene) try(cmd cartCommand) (*Cart, Effects, *Refusal) {
	s.Helper()
	before := frozen(s.T, s.cart)
	refusal := cmd.Locate(s.cart)
	var next *Cart
	var effects Effects
	if refusal == nil {
		next, effects, refusal = ChangeCart(s.cart, cmd, &s.in)
	}
	if after := frozen(s.T, s.cart); after != before {
		s.Fatalf("%#v changed the given cart\nfrom %s\nto   %s", cmd, before, after)
	}
	if refusal != nil && (next != nil || effects != Effects{}) {
		s.Fatalf("%#v was refused (%v) and yet left %v, %v", cmd, refusal, next, effects)
	}
	return next, effects, refusal
}

// do runs a command that must succeed, and keeps the new cart.
func (s *scene) do(cmd cartCommand) *Cart {
	s.Helper()
	next, effects, refusal := s.try(cmd)
	if refusal != nil {
		s.Fatalf("%#v: %v", cmd, refusal)
	}
	s.cart, s.effects = next, effects
	s.in.Seen, s.in.Next = s.in.Next, s.in.Next+1
	return next
}

// refuse runs a command that must be refused with want.
func (s *scene) refuse(cmd cartCommand, want *Refusal) {
	s.Helper()
	_, _, got := s.try(cmd)
	if inWords(got) != inWords(want) {
		s.Errorf("%#v: got %s; want %s", cmd, inWords(got), inWords(want))
	} else if want.Limit != nil {
		s.maximum(got, want)
	}
}

// maximum is the maximum that a refusal names, under the field of its row.
func (s *scene) maximum(got, row *Refusal) string {
	s.Helper()
	if len(got.Limit) != 1 || got.Limit[0].Field != row.Limit[0].Field || len(got.Limit[0].Messages) != 1 || got.Limit[0].Messages[0].Value(0) == "" {
		s.Fatalf("%s: the limit is %+v, want a maximum under %s", got.Message, got.Limit, row.Limit[0].Field)
	}
	return got.Limit[0].Messages[0].Value(0)
}

// inWords is all of a refusal that an answer shows.
func inWords(r *Refusal) string {
	if r == nil {
		return "no refusal"
	}
	shown := *r
	shown.Fields, shown.When, shown.Then, shown.About, shown.Limit = nil, "", "", nil, nil
	text := fmt.Sprintf("%+v", shown)
	for _, f := range r.Fields {
		text += fmt.Sprintf(" %s: %q", f.Field, f.Texts())
	}
	return text
}

// saying are messages with these texts.
func saying(texts ...string) (all []Message) {
	for _, text := range texts {
		all = append(all, Message{row: &MessageRow{Pattern: text}})
	}
	return all
}

// add is an AddLine with a fresh id for a new line.
func (s *scene) add(product uuid.UUID, quantity Quantity) AddLine {
	return AddLine{LineID: testID(0x1000 + int(s.in.Next)), ProductID: product, Quantity: quantity}
}

func (s *scene) addVariant(product, variant uuid.UUID, quantity Quantity) AddLine {
	l := s.add(product, quantity)
	l.VariantID = variant
	return l
}

// wantLine compares the quantity and the price of the line at an index.
func (s *scene) wantLine(at int, quantity Quantity, unit Amount) {
	s.Helper()
	if at >= len(s.cart.Lines) {
		s.Fatalf("the cart has %d lines; want one at %d", len(s.cart.Lines), at)
	}
	if l := s.cart.Lines[at]; l.Quantity != quantity || l.UnitPrice != unit {
		s.Errorf("line %d is %s at %d; want %s at %d", at, l.Quantity, l.UnitPrice, quantity, unit)
	}
}

// frozen is a value as text.
func frozen(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unlimited removes the store's limits, for models without limits.
func unlimited(s *Store) {
	s.Policy.MaxLines, s.Policy.MaxQuantityPerLine = math.MaxInt, math.MaxInt64
}
