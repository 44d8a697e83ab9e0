package commerce

import (
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Basket is what a cart would hold, to be priced without one. docs/api/price.md#rules.
type Basket struct {
	// Faults are those that the decoder found in the fields.
	Faults Faults
	// Lines are adds, in their order. Each has faults of its own.
	Lines AddLines
	Codes []string
	// Country is the country of delivery and of the tax; nil if no deliveries are asked for.
	Country *Country
	// At is the moment whose prices are asked for; zero stands for the request's. AtSent is true if one was
	// sent, faulty ones too.
	At     time.Time
	AtSent bool
}

const (
	// BasketAhead is how far ahead the moment of a basket may be.
	BasketAhead = 366 * 24 * time.Hour
	// costlyBasket is the number of lines, multiplied by that of discounts, above which a basket is costly.
	costlyBasket = 10_000
)

// basketFields are the fields of a basket, in the order in which their faults are reported.
var basketFields = []string{"lines", "discount_codes", "country", "at"}

// Judge is the refusal of the fields; nil if they have no fault. A moment within the present second
// counts as now.
func (b *Basket) Judge(s *Store, now time.Time) *Refusal {
	faults := b.Faults.clone()
	if limit := s.Policy.CodeLimit(); len(b.Codes) > limit {
		faults.Add("discount_codes", MsgMaxItems("discount_codes", limit))
	}
	if first, last := now.Truncate(time.Second), now.Add(BasketAhead); !b.At.IsZero() {
		if b.At.Before(first) {
			faults.Add("at", MsgDateFrom("at", first))
		} else if b.At.After(last) {
			faults.Add("at", MsgDateTo("at", last))
		}
	}
	return faults.inOrder(basketFields).Refusal()
}

// Costly reports whether the price of the basket takes so long that few may be made at a time.
func (b *Basket) Costly(s *Store) bool {
	return len(b.Lines)*(len(s.discounts.automatic)+len(b.Codes)) > costlyBasket
}

// UnknownCodes is the number of codes that no active discount of the store has.
func (b *Basket) UnknownCodes(s *Store) (n int) {
	for _, code := range b.Codes {
		if !s.KnowsCode(code) {
			n++
		}
	}
	return n
}

// BasketRow is what became of one line of a basket.
type BasketRow struct {
	*BatchedAdd
	// Refused is the refusal that an add to a cart would get; nil if there is none.
	Refused *Refusal
	// SameAs is the index of the row to which the line was added; -1 if there is none.
	SameAs int
	// Line is the line of the evaluated cart, at its index; nil if the row is refused or was added to
	// another.
	Line *Line
	LineAmounts
	at int
}

// PricedBasket is a basket as a cart in the visitor's context. Its cart is not kept.
type PricedBasket struct {
	*Evaluation
	Rows []BasketRow
	// Asked is true if deliveries are asked for. Deliveries are those that can be chosen.
	Asked      bool
	Deliveries []DeliveryOption
}

// Uses are the uses by the visitor's account, and of codes of batches, whose counts have to be read ahead
// of Price; nil if there are none.
func (b *Basket) Uses(s *Store, v Visitor) []Use {
	codes := make([]AttachedCode, len(b.Codes))
	for i := range codes {
		codes[i].Code = b.Codes[i]
	}
	in := &Input{Store: s, Visitor: v}
	if needs := in.countUses(codes); needs != nil {
		return needs.Uses
	}
	return nil
}

// Price makes a cart of the basket, add by add and code by code, and evaluates it. counts are those of
// Uses. A refused add leaves no trace. The moment decides the prices of periods and which discounts run.
func (b *Basket) Price(e *Evaluation, s *Store, v Visitor, counts *UseCounts, now time.Time) *PricedBasket {
	if !b.At.IsZero() {
		now = b.At
	}
	in := &Input{Store: s, Visitor: v, Now: now, Counts: counts} // no add is simultaneous with another
	p := &PricedBasket{Evaluation: e, Rows: make([]BasketRow, len(b.Lines)), Asked: b.Country != nil}
	cart := NewCart(uuid.Nil, now)
	for i := range b.Lines {
		row := &p.Rows[i]
		*row = BasketRow{BatchedAdd: &b.Lines[i], Refused: b.Lines[i].Fault.ofEntry(i), SameAs: -1}
		if row.Refused == nil {
			cart, row.Refused = p.add(cart, i, in)
			row.Refused = row.Refused.under("lines." + strconv.Itoa(i))
		}
	}
	for _, code := range b.Codes {
		if next, _, refused := ChangeCart(cart, AttachCode{Code: code}, in); refused == nil {
			cart = next
		}
	}
	e.evaluateIn(s.CountryOr(b.Country), cart, s, v, now)
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Refused == nil && row.SameAs < 0 {
			row.Line = &e.Cart.Lines[row.at]
			row.LineAmounts = e.lineAmounts(row.at, row.Line.applied(s, &e.Tax))
		}
	}
	if p.Asked {
		p.Deliveries = DeliveryOptions(cart, s, v, now, b.Country)
	}
	return p
}

// add returns the cart with the line of a row, or as it is with the refusal.
func (p *PricedBasket) add(cart *Cart, i int, in *Input) (*Cart, *Refusal) {
	row := &p.Rows[i]
	next, _, refused := ChangeCart(cart, row.AddLine, in)
	if refused != nil {
		return cart, refused
	}
	row.at = next.raised(cart)
	for earlier := range p.Rows[:i] {
		if other := &p.Rows[earlier]; other.Refused == nil && other.SameAs < 0 && other.at == row.at {
			row.SameAs = earlier
		}
	}
	return next, nil
}

// raised is the index of the line that an add has made or raised.
func (c *Cart) raised(before *Cart) int {
	for i := range before.Lines {
		if c.Lines[i].Quantity != before.Lines[i].Quantity {
			return i
		}
	}
	return len(before.Lines)
}
