package httpserver

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The envelope as structs, in the order of the specification's tables. It is the slow model that
// the encoder is compared with.
type (
	slowEnvelope struct {
		Data slowCart `json:"data"`
	}
	slowCart struct {
		ID                string           `json:"id"`
		Currency          string           `json:"currency"`
		Status            string           `json:"status"`
		Email             *string          `json:"email"`
		Metadata          *json.RawMessage `json:"metadata"`
		DiscountCode      *string          `json:"discount_code"`
		DiscountCodeError *string          `json:"discount_code_error"`
		Discounts         []slowDiscount   `json:"discounts"`
		Policy            slowPolicy       `json:"policy"`
		RequiresQuote     bool             `json:"requires_quote"`
		QuoteReasons      []string         `json:"quote_reasons"`
		Lines             []slowLine       `json:"lines"`
		Totals            slowTotals       `json:"totals"`
	}
	slowDiscount struct {
		ID     string  `json:"id"`
		Name   string  `json:"name"`
		Code   *string `json:"code"`
		Kind   string  `json:"kind"`
		Amount int64   `json:"amount"`
	}
	slowPolicy struct {
		IdentityMode  string      `json:"identity_mode"`
		Audience      string      `json:"audience"`
		MinOrderValue *int64      `json:"min_order_value_amount"`
		MaxLines      int         `json:"max_lines"`
		MaxQuantity   int64       `json:"max_quantity_per_line"`
		Pricing       slowPricing `json:"pricing"`
	}
	slowPricing struct {
		Visibility   string `json:"guest_price_visibility"`
		VATDisplay   string `json:"vat_display"`
		ShowOriginal bool   `json:"show_original_price"`
		ShowTiers    bool   `json:"show_tier_table"`
	}
	slowLine struct {
		ID         string          `json:"id"`
		ProductID  string          `json:"product_id"`
		VariantID  *string         `json:"variant_id"`
		Name       string          `json:"name"`
		SKU        *string         `json:"sku"`
		Quantity   json.Number     `json:"quantity"`
		UnitAmount int64           `json:"unit_price_amount"`
		UnitPrice  slowMoney       `json:"unit_price"`
		Total      slowMoney       `json:"line_total"`
		Attributes *slowAttributes `json:"attributes"`
	}
	slowAttributes struct {
		Configuration slowConfiguration `json:"configuration"`
	}
	slowConfiguration struct {
		Dimensions json.RawMessage `json:"dimensions"`
		Choices    []string        `json:"choices"`
		Breakdown  []slowPart      `json:"breakdown"`
		Components []slowComponent `json:"components"`
		Matrix     slowMatrix      `json:"matrix"`
	}
	slowPart struct {
		Label  string `json:"label"`
		Amount int64  `json:"amount"`
	}
	slowComponent struct {
		ProductID string `json:"product_id"`
		Qty       string `json:"qty"`
	}
	slowMatrix struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	slowMoney struct {
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
	}
	slowTotals struct {
		Subtotal  slowMoney `json:"subtotal"`
		Tax       slowMoney `json:"tax_total"`
		Total     slowMoney `json:"total"`
		Discount  slowMoney `json:"discount_total"`
		Breakdown []slowTax `json:"tax_breakdown"`
	}
	slowTax struct {
		Rate json.Number `json:"rate"`
		Base int64       `json:"base"`
		Tax  int64       `json:"tax"`
	}
)

func euros(a commerce.Amount) slowMoney { return slowMoney{int64(a), "EUR"} }

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// slowDecimal returns the shortest decimal of n/per.
func slowDecimal(n, per int64) json.Number {
	return json.Number(strconv.FormatFloat(float64(n)/float64(per), 'f', -1, 64))
}

func slowObject(t *testing.T, n int, member func(int) (string, string)) json.RawMessage {
	object := "{"
	for i := range n {
		if i > 0 {
			object += ","
		}
		key, value := member(i)
		object += slowJSON(t, key) + ":" + value
	}
	return json.RawMessage(object + "}")
}

func slowMetadata(t *testing.T, m commerce.Metadata) *json.RawMessage {
	if m == nil {
		return nil
	}
	object := slowObject(t, len(m), func(i int) (string, string) {
		value := m[i].Value.Text
		if m[i].Value.IsString {
			value = slowJSON(t, value)
		}
		return m[i].Key, value
	})
	return &object
}

func slowMirror(t *testing.T, c *commerce.Cart, s *commerce.Store, e *commerce.Evaluation) string {
	m := slowCart{
		ID: c.ID.String(), Currency: "EUR", Status: c.Status.String(), Email: orNull(c.Email), DiscountCode: c.DiscountCode,
		DiscountCodeError: orNull(e.DiscountError), Discounts: []slowDiscount{}, RequiresQuote: e.RequiresQuote,
		QuoteReasons: append([]string{}, e.QuoteReasons...), Lines: []slowLine{},
		Policy: slowPolicy{
			s.Policy.IdentityMode, s.Policy.Audience, (*int64)(s.Policy.MinOrderValue), s.Policy.MaxLines, int64(s.Policy.MaxQuantityPerLine / commerce.One),
			slowPricing{s.Policy.Pricing.GuestPriceVisibility, e.VATDisplay, s.Policy.Pricing.ShowOriginalPrice, s.Policy.Pricing.ShowTierTable},
		},
		Totals: slowTotals{euros(e.Subtotal), euros(e.TaxTotal), euros(e.Total), euros(e.DiscountTotal), []slowTax{}},
	}
	m.Metadata = slowMetadata(t, c.Metadata)
	for _, a := range e.Discounts {
		m.Discounts = append(m.Discounts, slowDiscount{a.Discount.ID.String(), a.Discount.Name, orNull(a.Discount.Code), a.Discount.Kind.String(), int64(a.Amount)})
	}
	for i := range c.Lines {
		m.Lines = append(m.Lines, slowMirrorLine(t, &c.Lines[i], e.LineTotals[i]))
	}
	for _, row := range e.Breakdown {
		m.Totals.Breakdown = append(m.Totals.Breakdown, slowTax{slowDecimal(int64(row.Rate), int64(commerce.Hundred)/100), int64(row.Base), int64(row.Tax)})
	}
	return slowJSON(t, slowEnvelope{m})
}

func slowMirrorLine(t *testing.T, l *commerce.Line, total commerce.Amount) slowLine {
	m := slowLine{
		ID: l.ID.String(), ProductID: l.ProductID.String(), Name: l.Name, SKU: orNull(l.SKU), Quantity: slowDecimal(int64(l.Quantity), 1000),
		UnitAmount: int64(l.UnitPrice), UnitPrice: euros(l.UnitPrice), Total: euros(total),
	}
	if l.VariantID != uuid.Nil {
		m.VariantID = orNull(l.VariantID.String())
	}
	c := l.Configuration
	if c == nil {
		return m
	}
	out := slowConfiguration{Choices: append([]string{}, c.Choices...), Breakdown: []slowPart{}, Components: []slowComponent{}, Matrix: slowMatrix{c.MatrixID, c.MatrixName}}
	out.Dimensions = slowObject(t, len(c.Dimensions), func(i int) (string, string) {
		return c.Dimensions[i].Key, strconv.FormatInt(c.Dimensions[i].Value, 10)
	})
	for _, part := range c.Breakdown {
		out.Breakdown = append(out.Breakdown, slowPart{part.Label, int64(part.Amount)})
	}
	for _, use := range c.Components {
		out.Components = append(out.Components, slowComponent{use.ProductID.String(), use.Quantity})
	}
	m.Attributes = &slowAttributes{out}
	return m
}
