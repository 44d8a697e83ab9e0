package answers

import (
	"math/rand/v2"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

func slowQuoteLine(l *commerce.OrderLine, t *commerce.Taxation) any {
	return slowSoldLine(l, t, object{"configuration", slowConfiguration(l.Configuration)})
}

// slowQuote is a quote with its lines or their number, and with its token unless that is empty.
func slowQuote(q *commerce.Quote, t *commerce.OrderTotals, now time.Time, token string, lines ...any) string {
	id := idOrNull(q.Customer.ID)
	all := append(object{
		"id", q.ID, "number", q.Number, "status", q.Status(now), "acceptance_mode", q.AcceptanceMode(), "currency", "EUR", "cart_id", idOrNull(q.CartID),
		"customer_id", id, "contact_id", id, "email", orNull(q.Email), "name", orNull(q.Name), "company_name", orNull(q.CompanyName),
		"phone", orNull(q.Phone), "message", orNull(q.Message), "reference", orNull(q.Reference), "metadata", slowMetadata(q.Metadata),
		"quote_reasons", append([]string{}, q.Reasons...),
	}, lines...)
	all = append(all,
		"discounts", slowList(q.Goods.Discounts, func(d *commerce.OrderDiscount) any { return slowDiscount(d.ID, d.Name, d.Code, d.Kind, d.Amount) }),
		"discount_total", euros(t.DiscountTotal),
		"totals", object{
			"subtotal", euros(t.Subtotal), "tax_total", euros(t.TaxTotal), "discount_total", euros(t.DiscountTotal), "total", euros(t.Total),
			"tax_breakdown", slowTaxes(t.Breakdown),
		},
		"valid_until", slowTime(q.ValidUntil), "order_id", idOrNull(q.OrderID), "signer_name", orNull(q.SignerName),
		"accepted_at", slowTime(q.AcceptedAt), "declined_at", slowTime(q.DeclinedAt), "decline_reason", orNull(q.DeclineReason))
	all = append(all, slowTaxation(&q.Tax, q.VATID)...)
	if token != "" {
		all = append(all, "token", token)
	}
	return slowJSON(append(all, "created_at", slowTime(q.CreatedAt), "version", q.Version, "offer_message", orNull(q.OfferMessage), "shipping", nil,
		"order_total", nil, "withdrawn_at", slowTime(q.WithdrawnAt), "withdraw_reason", orNull(q.WithdrawReason), "change_request", nil))
}

func TestAQuoteIsEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(400) {
		d := dice{rand.New(rand.NewPCG(seed, 3))}
		o := d.order()
		q := &commerce.Quote{
			ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), Customer: o.Customer, Metadata: o.Metadata, Reasons: d.texts(),
			CreatedAt: o.PlacedAt, ValidUntil: o.PlacedAt.Add(time.Hour), OrderID: d.id(), SignerName: d.text(),
			AcceptedAt: o.CancelledAt, DeclinedAt: o.Payment.PaidAt, DeclineReason: d.text(),
			Version: 1 + d.IntN(3), OfferMessage: d.text(), WithdrawReason: d.text(),
		}
		q.Email, q.Name, q.CompanyName, q.Phone, q.Message, q.Reference = d.text(), d.text(), d.text(), d.text(), d.text(), d.text()
		q.Goods.Lines, q.Goods.Discounts = o.Lines, o.Discounts
		q.Tax, q.VATID = o.Tax, o.VATID
		totals, secret := q.Totals(), d.text()
		lines := slowList(q.Goods.Lines, func(l *commerce.OrderLine) any { return slowQuoteLine(l, &q.Tax) })
		shown := QuoteAt(q, noon)
		shown.Token = secret
		row := engine.QuoteRow{Quote: q, Totals: o.Totals, LinesCount: d.IntN(10)}
		for name, c := range map[string]struct {
			got  []byte
			want string
		}{
			"without token": {Quote.Append(nil, QuoteAt(q, noon)), slowQuote(q, &totals, noon, "", "lines", lines)},
			"with token":    {Quote.Append(nil, shown), slowQuote(q, &totals, noon, secret, "lines", lines)},
			"a list":        {QuoteRow.Append(nil, QuoteRowAt(&row, noon)), slowQuote(q, &o.Totals, noon, "", "lines_count", row.LinesCount)},
		} {
			if string(c.got) != c.want {
				t.Fatalf("seed %d, %s:\n got %s\nwant %s", seed, name, c.got, c.want)
			}
		}
	}
}
