package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// someCommand is a random command that the quote may get.
func (q *Quotes) someCommand(dice *rand.Rand, h *heldQuote) quoteCommand {
	if h.want.version > 0 && dice.IntN(5) < 2 {
		return q.customersCommand(dice, h)
	}
	return q.merchantsCommand(dice, h)
}

// merchantsCommand is a random command of the merchant.
func (q *Quotes) merchantsCommand(dice *rand.Rand, h *heldQuote) quoteCommand {
	switch n := dice.IntN(20); {
	case n < 10 && (h.want.draft == nil || len(h.want.draft.Lines) == 0 || n < 4):
		return someDraft(dice, &h.want)
	case n < 16:
		expected := int64(-1)
		if d := h.want.draft; d != nil && dice.IntN(3) > 0 {
			sums := d.Sums()
			expected = sums.Goods
			if d.Delivery >= 0 {
				expected = sums.Order
			}
			expected += int64(max(0, dice.IntN(8)-6)) // sometimes it is wrong
		}
		return offerDraft(expected)
	case n < 18:
		return withdrawOffer(someText(dice))
	case n < 19:
		return dropDraft()
	case dice.IntN(2) == 0:
		return bindQuote(dice.IntN(2) == 0)
	}
	return someDraft(dice, &h.want)
}

// customersCommand is a random command of the customer, who has the link.
func (q *Quotes) customersCommand(dice *rand.Rand, h *heldQuote) quoteCommand {
	switch n := dice.IntN(10); {
	case n < 4:
		return askForChange(someText(dice))
	case n < 5:
		return declineOffer(someText(dice))
	case n < 8:
		return acceptVersion(max(0, h.want.version-1-dice.IntN(2)), h.country()) // 0 is the first
	}
	return acceptVersion(h.want.version, h.country())
}

// country is the country of the terms' tax.
func (h *heldQuote) country() string {
	if h.want.terms.Country != "" {
		return h.want.terms.Country
	}
	return model.Countries[0]
}

func someText(dice *rand.Rand) string { return fmt.Sprintf("text %d", dice.IntN(1000)) }

// someDraft is a PATCH of some members.
func someDraft(dice *rand.Rand, q *wantedQuote) quoteCommand {
	lines := q.terms.Lines
	if q.draft != nil {
		lines = q.draft.Lines
	}
	var members []string
	var edits []func(t *model.QuoteTerms)
	add := func(name string, value any, edit func(t *model.QuoteTerms)) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // cannot happen: texts and numbers
		}
		members, edits = append(members, fmt.Sprintf("%q:%s", name, text)), append(edits, edit)
	}
	if len(lines) == 0 || dice.IntN(2) == 0 {
		written, sent := someLines(dice, lines, q.account)
		add("lines", sent, func(t *model.QuoteTerms) { t.Lines = written })
	}
	if dice.IntN(3) == 0 {
		tenths, amount := int64(0), int64(0)
		var value any
		switch dice.IntN(3) {
		case 0:
			tenths = int64(1 + dice.IntN(1000))
			value = map[string]any{"percent": fmt.Sprintf("%d.%d", tenths/10, tenths%10)}
		case 1:
			amount = int64(1 + dice.IntN(20_000))
			value = map[string]any{"name": "Project", "amount": amount}
		}
		add("discount", value, func(t *model.QuoteTerms) { t.Tenths, t.Amount = tenths, amount })
	}
	if dice.IntN(3) == 0 {
		price := int64(-1)
		var value any
		if dice.IntN(3) > 0 {
			price = int64(1 + dice.IntN(9000))
			value = map[string]any{"name": "Van", "price_amount": price, "tax": "standard"}
		}
		add("shipping", value, func(t *model.QuoteTerms) { t.Delivery = price })
	}
	if dice.IntN(3) == 0 {
		hold := dice.IntN(3) > 0
		add("hold_stock", hold, func(t *model.QuoteTerms) { t.Hold = hold })
	}
	if dice.IntN(4) == 0 {
		country := model.Countries[dice.IntN(len(model.Countries))]
		add("country", country, func(t *model.QuoteTerms) { t.Country = country })
	}
	if dice.IntN(3) == 0 {
		message := someText(dice)
		add("offer_message", message, func(t *model.QuoteTerms) { t.Message = message })
	}
	if past := q.terms.Until; dice.IntN(6) == 0 || !past.IsZero() && past.Before(time.Now()) && dice.IntN(2) == 0 {
		var until time.Time
		var value any
		if dice.IntN(3) == 0 {
			until = time.Now().Add(shortOffer).Truncate(time.Second)
			value = until.UTC().Format(time.RFC3339)
		}
		add("valid_until", value, func(t *model.QuoteTerms) { t.Until = until })
	}
	return writeDraft("{"+strings.Join(members, ",")+"}", func(t *model.QuoteTerms) {
		for _, edit := range edits {
			edit(t)
		}
	})
}

// someLines keeps some of the lines, with changes, and adds some. It returns them, and as a body has them.
func someLines(dice *rand.Rand, before []model.QuoteLine, account bool) (lines []model.QuoteLine, sent []map[string]any) {
	for _, l := range before {
		if dice.IntN(4) == 0 {
			continue
		}
		l.Trade = account
		entry := map[string]any{"id": l.ID}
		if dice.IntN(3) == 0 {
			l.Quantity = int64(1 + dice.IntN(15))
			entry["quantity"] = l.Quantity
		}
		if l.Product != "" && dice.IntN(3) == 0 {
			l.Own = somePrice(dice)
			entry["unit_price_amount"] = priceOrNull(l.Own)
		}
		if dice.IntN(3) == 0 {
			l.Discount = dice.Int64N(l.Price()*l.Quantity + 1)
			entry["discount_amount"] = l.Discount
		}
		lines, sent = append(lines, l), append(sent, entry)
	}
	for range max(1-len(lines), dice.IntN(3)) {
		l := model.QuoteLine{Quantity: int64(1 + dice.IntN(12)), Own: somePrice(dice), Trade: account}
		entry := map[string]any{"quantity": l.Quantity}
		if n := dice.IntN(4); n < len(model.QuotesProducts) {
			l.Product = model.QuotesProducts[n]
			entry["product_id"] = l.Product
		} else {
			l.Tax, l.Own = []string{"standard", "reduced"}[dice.IntN(2)], int64(dice.IntN(10_000))
			entry["name"], entry["tax"] = "Work", l.Tax
		}
		if l.Product == model.QuotesScarce {
			l.Quantity = int64(1 + dice.IntN(3))
			entry["quantity"] = l.Quantity
		}
		entry["unit_price_amount"] = priceOrNull(l.Own)
		if dice.IntN(2) == 0 {
			l.Discount = dice.Int64N(l.Price()*l.Quantity + 1)
			entry["discount_amount"] = l.Discount
		}
		lines, sent = append(lines, l), append(sent, entry)
	}
	return lines, sent
}

// somePrice is a price of the merchant's own, or the catalogue's.
func somePrice(dice *rand.Rand) int64 {
	return int64(dice.IntN(6000))*int64(dice.IntN(2)) - int64(dice.IntN(2))
}

// priceOrNull is a price in a body.
func priceOrNull(own int64) any {
	if own < 0 {
		return nil
	}
	return own
}
