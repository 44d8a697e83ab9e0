package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// cart is the cart envelope's content as a client reads it. Spec: Cart.
type cart struct {
	ID                string
	Currency          string
	Status            string
	Email             *string
	Metadata          json.RawMessage
	DiscountCode      *string `json:"discount_code"`
	DiscountCodeError *string `json:"discount_code_error"`
	Discounts         []discountSeen
	RequiresQuote     bool     `json:"requires_quote"`
	QuoteReasons      []string `json:"quote_reasons"`
	Policy            struct {
		Pricing struct {
			VATDisplay string `json:"vat_display"`
		}
	}
	Lines  []line
	Totals totals
}

// discountSeen is one applied discount. Spec: discounts.
type discountSeen struct {
	ID, Name string
	Code     *string
	Kind     string
	Amount   int64
}

// line is one line of a cart. Spec: lines[].
type line struct {
	ID        string
	ProductID string  `json:"product_id"`
	VariantID *string `json:"variant_id"`
	Name      string
	SKU       *string
	Quantity  json.Number
	UnitPrice int64 `json:"unit_price_amount"`
	LineTotal money `json:"line_total"`
}

// money is an amount in minor units. Spec: money.
type money struct {
	Amount   int64
	Currency string
}

// totals are the cart totals. Spec: totals.
type totals struct {
	Subtotal      money
	TaxTotal      money `json:"tax_total"`
	Total         money
	DiscountTotal money    `json:"discount_total"`
	TaxBreakdown  []taxRow `json:"tax_breakdown"`
}

// taxRow is one entry of tax_breakdown; Rate is the percentage as written.
type taxRow struct {
	Rate      json.Number
	Base, Tax int64
}

// cart reads the answer as a cart envelope with the given status.
func (a answer) cart(status int) cart {
	a.t.Helper()
	a.wantStatus(status)
	c, err := a.parseCart()
	if err != nil {
		a.t.Fatalf("%v\nwant a cart envelope: %v", a, err)
	}
	return c
}

func (a answer) parseCart() (cart, error) {
	var envelope struct{ Data *cart }
	if err := json.Unmarshal(a.body, &envelope); err != nil {
		return cart{}, err
	}
	if envelope.Data == nil {
		return cart{}, fmt.Errorf("no data in %s", short(string(a.body)))
	}
	return *envelope.Data, envelope.Data.broken()
}

// broken compares a cart's amounts with one another. Every cart that a test reads is checked.
func (c *cart) broken() error {
	var lines, discounts, base, tax int64
	t := &c.Totals
	lowest := min(t.Subtotal.Amount, t.TaxTotal.Amount, t.Total.Amount, t.DiscountTotal.Amount)
	for _, l := range c.Lines {
		lines, lowest = lines+l.LineTotal.Amount, min(lowest, l.LineTotal.Amount)
	}
	for _, d := range c.Discounts {
		discounts, lowest = discounts+d.Amount, min(lowest, d.Amount)
	}
	for _, row := range t.TaxBreakdown {
		base, tax, lowest = base+row.Base, tax+row.Tax, min(lowest, row.Base, row.Tax)
	}
	if lowest < 0 || lines != t.Total.Amount && lines != t.Subtotal.Amount || discounts != t.DiscountTotal.Amount ||
		base != t.Subtotal.Amount || tax != t.TaxTotal.Amount || t.Subtotal.Amount+t.TaxTotal.Amount != t.Total.Amount {
		return fmt.Errorf("the amounts contradict each other: %+v", *c)
	}
	return nil
}

// newCart makes a cart and returns its path.
func (c client) newCart() string {
	c.t.Helper()
	return "commerce/carts/" + c.post("commerce/carts", "").cart(http.StatusCreated).ID
}

// add adds a product and wants 201; more has further members of the body.
func (c client) add(path, product, quantity string, more ...string) cart {
	c.t.Helper()
	return c.post(path+"/lines", addBody(product, quantity, more...)).cart(http.StatusCreated)
}

// addBody is the body of a line add; quantity is JSON text.
func addBody(product, quantity string, more ...string) string {
	members := append([]string{`"product_id":` + quoted(product), `"quantity":` + quantity}, more...)
	return "{" + strings.Join(members, ",") + "}"
}

// variant is the body member that names a variant.
func variant(id string) string { return `"variant_id":` + quoted(id) }

// plain is a text of the lines: name, quantity, unit price, total.
func (c cart) plain() string {
	rows := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		rows[i] = fmt.Sprintf("%s %s × %d = %d", l.Name, l.Quantity, l.UnitPrice, l.LineTotal.Amount)
	}
	return strings.Join(rows, "; ")
}
