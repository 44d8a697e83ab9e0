package model

import (
	"cmp"
	"encoding/json"
	"errors"
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
		kept
	} `json:"data"`
	Details kept `json:"details"`
}

// kept are members of the details of a cart and of a kept checkout. Spec: Tax by country.
type kept struct {
	Country   string `json:"tax_country"`
	Exemption string `json:"tax_exemption"`
}

// check compares the exemption with that of a guest.
func (k kept) check() error {
	if want := Exemption(k.Country, false); k.Exemption != want {
		return fmt.Errorf("%s has the exemption %q, want %q", k.Country, k.Exemption, want)
	}
	return nil
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

// parseCart reads a cart's answer and recomputes its prices and totals. A kept checkout shows no lines, and so no state.
func parseCart(body []byte) (string, State, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return "", nil, fmt.Errorf("not a cart envelope: %w", err)
	}
	if e.Data.Country != "" {
		return "", nil, errors.Join(e.Data.kept.check(), e.Data.Totals.addUp(e.Data.Exemption))
	}
	c, err := e.cart()
	if err == nil {
		err = errors.Join(e.Details.check(), e.Data.Totals.check(e.Data.Lines, c.Country))
	}
	return e.Data.ID, c, err
}

// cart is the state that the answer shows.
func (e *envelope) cart() (Cart, error) {
	c := Cart{Exists: true, Email: e.Data.Email, Country: cmp.Or(e.Details.Country, home)}
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
