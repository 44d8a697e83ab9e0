package model

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
)

// envelope is the part of a cart's answer that the suite checks. Spec: Cart envelope.
type envelope struct {
	Data struct {
		ID       string          `json:"id"`
		Status   string          `json:"status"`
		Email    string          `json:"email"`
		Metadata json.RawMessage `json:"metadata"`
		Lines    []envelopeLine  `json:"lines"`
		Totals   totals          `json:"totals"`
	} `json:"data"`
}

type envelopeLine struct {
	ID        uuid.UUID   `json:"id"`
	ProductID string      `json:"product_id"`
	Quantity  json.Number `json:"quantity"`
	UnitPrice int64       `json:"unit_price_amount"`
	Total     money       `json:"line_total"`
}

// money is an amount in cents. Spec: money.
type money struct {
	Amount int64 `json:"amount"`
}

// parseCart reads a cart's answer and recomputes its prices and totals.
func parseCart(body []byte) (string, State, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return "", nil, fmt.Errorf("not a cart envelope: %w", err)
	}
	c, err := e.cart()
	if err == nil {
		err = e.Data.Totals.check(e.Data.Lines)
	}
	return e.Data.ID, c, err
}

// cart is the state that the answer shows.
func (e *envelope) cart() (Cart, error) {
	c := Cart{Exists: true, Email: e.Data.Email}
	if e.Data.Status != "active" {
		return c, fmt.Errorf("status %q, want active", e.Data.Status)
	}
	if m := string(e.Data.Metadata); m != "null" {
		c.Metadata = m
	}
	for i := range e.Data.Lines {
		line, err := e.Data.Lines[i].line()
		if err != nil {
			return c, err
		}
		c.Lines = append(c.Lines, line)
	}
	return c, nil
}

func (l *envelopeLine) line() (Line, error) {
	p := product(l.ProductID)
	if p == nil {
		return Line{}, fmt.Errorf("a line with the product %q, which no client added", l.ProductID)
	}
	q, err := decimal.NewFromString(l.Quantity.String())
	if err != nil {
		return Line{}, fmt.Errorf("quantity %q: %w", l.Quantity, err)
	}
	return Line{ID: l.ID, Product: p, Quantity: q.Shift(3).IntPart()}, nil
}
