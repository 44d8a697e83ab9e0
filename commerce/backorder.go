package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Backorder permits sales of a product or of a variant ahead of its stock. docs/api/stock.md#back-orders.
type Backorder struct {
	// Limit is how far the stock on hand of each item may fall below zero.
	Limit Micros
	// From is the day on which the goods are expected; zero if it is not known.
	From Date
}

// MaxBackorder is the maximum limit, and MinStock the least stock on hand that a document may have.
const (
	MaxBackorder Micros = 100_000_000 * 1_000_000
	MinStock            = -MaxBackorder
)

// Date is a day: 1 is the first of January of the year 1. Zero is no day.
type Date int32

const (
	// dayOfEpoch is 1970-01-01.
	dayOfEpoch = 719_163
	daySeconds = 24 * 60 * 60
)

// ParseDate reads a day like 2027-05-12.
func ParseDate(text string) (Date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return 0, false
	}
	return DateOf(t), true
}

// DateOf is the day of a time in UTC.
func DateOf(t time.Time) Date {
	return Date(t.UTC().Truncate(24*time.Hour).Unix()/daySeconds + dayOfEpoch)
}

// Known reports whether d is a day that ParseDate can return.
func (d Date) Known() bool { return d > 0 && d <= lastDate }

var lastDate = DateOf(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))

// String writes the day as ParseDate reads it.
func (d Date) String() string {
	return time.Unix(int64(d-dayOfEpoch)*daySeconds, 0).UTC().Format(time.DateOnly)
}

// earlier is the earlier of two days, of which one may be zero.
func (d Date) earlier(other Date) Date {
	if d == 0 || other != 0 && other < d {
		return other
	}
	return d
}

// backorderOf is the back order of a variant, nil for the product's own.
func (p *Product) backorderOf(v *Variant) *Backorder {
	if v != nil && v.Backorder != nil {
		return v.Backorder
	}
	return p.Backorder
}

// Backorders are the back orders that are set in the product and its variants.
func (p *Product) Backorders() (all []*Backorder) {
	if p.Backorder != nil {
		all = append(all, p.Backorder)
	}
	for i := range p.Variants {
		if b := p.Variants[i].Backorder; b != nil {
			all = append(all, b)
		}
	}
	return all
}

// Backorder is that of a stock item, zero if there is none: a variant's own, else its product's.
func (s *Store) Backorder(item uuid.UUID) (b Backorder) {
	if s.backorders == 0 {
		return b
	}
	var found *Backorder
	if p := s.productOfVariant.Get(item); p != nil {
		found = p.backorderOf(p.Variant(item))
	} else if p = s.Product(item); p != nil {
		found = p.Backorder
	}
	if found != nil {
		b = *found
	}
	return b
}

// AheadTake is an order's take of an item that had a limit below zero.
type AheadTake struct {
	// Take is its index among the order's takes.
	Take int
	// Left is the stock on hand that the take left. Only the commit knows it.
	Left Micros
	// From is the day on which the goods were expected at the sale; zero if it was not known.
	From Date
}

// take sets what the order takes.
func (o *Order) take(takes []StockAsk, s *Store) {
	o.Takes = takes
	if s.backorders == 0 {
		return
	}
	for i := range takes {
		if b := s.Backorder(takes[i].Item); b.Limit > 0 {
			o.Ahead = append(o.Ahead, AheadTake{Take: i, From: b.From})
		}
	}
}

// WithLeft returns the order's takes of items with a limit, with what each of the order's takes left on hand.
func (o *Order) WithLeft(left []Micros) (ahead []AheadTake) {
	for _, take := range o.Ahead {
		take.Left = left[take.Take]
		ahead = append(ahead, take)
	}
	return ahead
}

// Waiting is whether a line of an order waits for goods.
type Waiting struct {
	Backordered bool
	// From is the latest day on which goods of the line were expected; zero if none was known.
	From Date
}

// Add counts a take of the line.
func (w *Waiting) Add(left Micros, from Date) {
	if left < 0 {
		w.Backordered, w.From = true, max(w.From, from)
	}
}

// Waiting says of each line whether a take left an item of it below zero; nil if no item had a limit.
func (o *Order) Waiting() []Waiting {
	if o.Ahead == nil {
		return nil
	}
	all := make([]Waiting, len(o.Lines))
	for i := range all {
		for _, at := range o.AheadOf(i) {
			all[i].Add(o.Ahead[at].Left, o.Ahead[at].From)
		}
	}
	return all
}

// AheadOf are the indexes in Ahead of the takes of a line.
func (o *Order) AheadOf(line int) (indexes []int) {
	if o.Ahead == nil {
		return nil
	}
	for _, take := range o.takesOf(&o.Lines[line]) {
		for i := range o.Ahead {
			if o.Takes[o.Ahead[i].Take].Item == take.Item {
				indexes = append(indexes, i)
			}
		}
	}
	return indexes
}
