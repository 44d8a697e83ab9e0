package records

import (
	"math"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// largest makes a cart with the longest numbers, and texts of this length.
func largest(parts, text int) *commerce.Cart {
	long := strings.Repeat("x", text)
	until := time.UnixMilli(math.MaxInt64 / int64(time.Millisecond))
	c := &commerce.Cart{Email: long, DiscountCode: &long, CreatedAt: until, UpdatedAt: until, ExpiresAt: until}
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

func TestNoCartIsLargerThanItsBound(t *testing.T) {
	d := seeded(t)
	carts := []*commerce.Cart{{}, largest(0, 300), largest(1, 1<<14), largest(100, 0)}
	for range 500 {
		carts = append(carts, d.cart(d.IntN(6)).State)
	}
	for i, c := range carts {
		if size, bound := sizeOfCart(c), boundOfCart(c); size > bound {
			t.Errorf("cart %d: %d bytes, more than the bound of %d", i, size, bound)
		}
	}
}

func TestCartFits(t *testing.T) {
	sized := func(size int) *commerce.Cart {
		c := &commerce.Cart{Lines: []commerce.Line{{Name: strings.Repeat("x", maxCartSize)}}}
		excess := sizeOfCart(c) - size
		c.Lines[0].Name = c.Lines[0].Name[excess:]
		if got := sizeOfCart(c); got != size {
			t.Fatalf("a cart of %d bytes has %d", size, got)
		}
		return c
	}
	const limit = maxCartSize
	for _, c := range []struct {
		before, next int // bytes; 0 for no cart
		want         bool
	}{
		{0, limit, true},
		{0, limit + 1, false},
		{limit, limit, true},
		{limit, limit + 1, false},
		{limit + 2, limit + 1, true},
		{limit + 1, limit + 1, true},
		{limit + 1, limit + 2, false},
	} {
		var before *commerce.Cart
		if c.before > 0 {
			before = sized(c.before)
		}
		if got := CartFits(before, sized(c.next)); got != c.want {
			t.Errorf("from %d to %d bytes: %v, want %v", c.before, c.next, got, c.want)
		}
	}
}
