package records

import (
	"math"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// largest makes a cart with the longest numbers, and texts of this length.
func largest(parts, text int) *commerce.Cart {
	long := strings.Repeat("x", text)
	until := time.UnixMilli(math.MaxInt64 / int64(time.Millisecond))
	code := commerce.AttachedCode{Code: long, Counted: commerce.CountedUses{Uses: math.MinInt64}, Used: math.MinInt64}
	c := &commerce.Cart{Email: long, Codes: []commerce.AttachedCode{code, code}, CreatedAt: until, UpdatedAt: until, ExpiresAt: until}
	l := commerce.Line{
		Name: long, SKU: long, Quantity: math.MinInt64, UnitPrice: math.MinInt64, Tax: math.MinInt64, Born: math.MaxUint64,
		Configuration: &commerce.Configuration{MatrixID: long, MatrixName: long},
	}
	l.VariantID[0] = 1
	for range parts {
		c.Metadata = append(c.Metadata, commerce.MetadataEntry{Key: long, Value: commerce.Scalar{Text: long}})
		c.Hold.Asks = append(c.Hold.Asks, commerce.StockAsk{Quantity: -1})
		made := l.Configuration
		made.Dimensions = append(made.Dimensions, commerce.DimensionValue{Key: long, Value: math.MinInt64})
		made.Choices = append(made.Choices, long)
		made.Breakdown = append(made.Breakdown, commerce.PricePart{Label: long, Amount: math.MinInt64})
		made.Components = append(made.Components, commerce.ComponentUse{Quantity: long})
	}
	for range parts {
		c.Lines = append(c.Lines, l)
	}
	c.Hold.Until = until
	return c
}

func TestNoRecordIsLargerThanItsCartsSize(t *testing.T) {
	d := seeded(t)
	carts := []*commerce.Cart{{}, largest(0, 300), largest(1, 1<<14), largest(100, 0)}
	for range 500 {
		carts = append(carts, d.cart(d.IntN(6)).State)
	}
	for i, c := range carts {
		record := Carts.Encode(nil, &engine.CartRecord{State: c}, nil)
		if size, bound := len(record), c.Size(); size > bound {
			t.Errorf("cart %d: %d bytes, more than the bound of %d", i, size, bound)
		}
	}
}
