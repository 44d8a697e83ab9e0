package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Cart is the model's cart. The zero Cart is a cart that does not exist.
type Cart struct {
	Exists   bool
	Email    string
	Metadata string // as JSON; empty for null
	Country  string // of the tax
	Lines    []Line // in the order of their first adds
}

// Line is one line of the model's cart.
type Line struct {
	// ID is the zero UUID until an answer has shown it.
	ID       uuid.UUID
	Product  *Product
	Quantity int64 // thousandths
}

// Same compares all fields, ids included.
func (c Cart) Same(other State) bool {
	o, ok := other.(Cart)
	return ok && c.Exists == o.Exists && c.Email == o.Email && c.Metadata == o.Metadata && c.Country == o.Country && slices.Equal(c.Lines, o.Lines)
}

// Shows compares all fields. An id that the model does not know yet matches any id.
func (c Cart) Shows(seen State) (State, bool) {
	s, ok := seen.(Cart)
	if !ok || c.Exists != s.Exists || c.Email != s.Email || c.Metadata != s.Metadata || c.Country != s.Country || len(c.Lines) != len(s.Lines) {
		return c, false
	}
	for i := range c.Lines {
		mine := c.Lines[i]
		if mine.ID == uuid.Nil {
			mine.ID = s.Lines[i].ID
		}
		if mine != s.Lines[i] {
			return c, false
		}
	}
	return s, true
}

func (c Cart) String() string {
	if !c.Exists {
		return "no cart"
	}
	parts := []string{"for " + c.Country}
	if c.Email != "" {
		parts = append(parts, c.Email)
	}
	if c.Metadata != "" {
		parts = append(parts, c.Metadata)
	}
	for _, l := range c.Lines {
		parts = append(parts, fmt.Sprintf("%s %s (line %.4s)", thousandths(l.Quantity), l.Product.Name, l.ID))
	}
	if len(c.Lines) == 0 {
		parts = append(parts, "empty")
	}
	return strings.Join(parts, ", ")
}

// thousandths prints a quantity as a plain decimal.
func thousandths(q int64) string {
	if q%1000 == 0 {
		return fmt.Sprint(q / 1000)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", q/1000, q%1000), "0")
}

// line finds a line by its id, else a line of the product whose id is not known yet; -1 if there is
// neither.
func (c Cart) line(id uuid.UUID, p *Product) int {
	if i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.ID == id }); i >= 0 {
		return i
	}
	return slices.IndexFunc(c.Lines, func(l Line) bool { return l.ID == uuid.Nil && l.Product == p })
}

// of finds the product's line; -1 if there is none.
func (c Cart) of(p *Product) int {
	return slices.IndexFunc(c.Lines, func(l Line) bool { return l.Product == p })
}

// with returns a copy of the cart with changed lines.
func (c Cart) with(change func(lines []Line) []Line) Cart {
	c.Lines = change(slices.Clone(c.Lines))
	return c
}
