package answers

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// StoreQuoteView is a quote for the merchant. Sums are the amounts of its draft; nil without a draft.
type StoreQuoteView struct {
	QuoteView
	Sums *commerce.DraftSums
}

// StoreQuoteAt is a quote for the merchant at a time, with its token.
func StoreQuoteAt(s *commerce.Store, q *commerce.Quote, sums *commerce.DraftSums, now time.Time) StoreQuoteView {
	v := StoreQuoteView{QuoteView: QuoteAt(q, now), Sums: sums}
	if q.Version > 0 {
		v.Token = s.QuoteToken(q.ID)
	}
	return v
}

// StoreQuote is a quote as the merchant sees it.
var StoreQuote = field.Object("StoreQuote",
	field.Of(slices.Concat(quoteHead, quoteLines, quoteRest), StoreQuoteView.quote),
	field.Value("token", TextOrNull, "The secret of the quote's link; null ahead of the first offer.", func(v StoreQuoteView) string { return v.Token }),
	field.Of(slices.Concat(field.Rows(quoteCreated), quoteTerms), StoreQuoteView.quote),
	field.Member("hold_until", TimeOrNull, "How long the offer holds its stock; null if it holds none.",
		func(v StoreQuoteView) *time.Time { return &v.HoldUntil }),
	field.Member("internal_note", TextOrNull, "", func(v StoreQuoteView) *string { return &v.InternalNote }),
	field.Value("draft", field.OrNull(quoteDraft), "What an offer would make the terms of; null if nothing is written.", StoreQuoteView.draft),
	field.Member("history", field.List(quoteAct), "The last 50 events.", func(v StoreQuoteView) *[]commerce.QuoteAct { return &v.History }),
)

func (v StoreQuoteView) quote() QuoteView { return v.QuoteView }

// draftView is a draft with its amounts. It is zero without a draft.
type draftView struct {
	d    *commerce.QuoteDraft
	sums *commerce.DraftSums
}

func (v StoreQuoteView) draft() draftView {
	if v.Sums == nil {
		return draftView{}
	}
	return draftView{v.Draft, v.Sums}
}

var quoteAct = field.Object("QuoteEvent",
	field.Member("at", Time, "", func(a *commerce.QuoteAct) *time.Time { return &a.At }),
	field.Member("event", Names(commerce.HistoryEvents...), "", func(a *commerce.QuoteAct) *string { return &a.Event }),
	field.Member("by", TextOrNull, "The name of the merchant's key; null for the customer.", func(a *commerce.QuoteAct) *string { return &a.By }),
	field.Member("version", Integer, "", func(a *commerce.QuoteAct) *int { return &a.Version }),
	field.Member("total_amount", Amount, "In minor units.", func(a *commerce.QuoteAct) *commerce.Amount { return &a.Total }),
	field.Member("text", TextOrNull, "", func(a *commerce.QuoteAct) *string { return &a.Text }))

var quoteDraft = field.Object("QuoteDraft",
	field.Value("country", TextOrNull, "null for the store's.", func(v draftView) string { return v.d.Country.String() }),
	field.Value("lines", field.Counted(draftLine, func(v draftView) int { return len(v.d.Lines) }, draftView.line), "", func(v draftView) draftView { return v }),
	field.Member("lines_discount_name", TextOrNull, "", func(v draftView) *string { return &v.d.LinesName }),
	field.Member("discount", field.OrNull(wholeDiscount), "", func(v draftView) **commerce.WholeDiscount { return &v.d.Discount }),
	field.Member("shipping", field.OrNull(draftShipping), "", func(v draftView) **commerce.FixedDelivery { return &v.d.Delivery }),
	field.Member("valid_until", TimeOrNull, "", func(v draftView) *time.Time { return &v.d.ValidUntil }),
	field.Member("acceptance_mode", field.OrNull(Names(commerce.AcceptanceModes()...)), "", func(v draftView) *string { return &v.d.Mode }),
	field.Member("hold_stock", Boolean, "", func(v draftView) *bool { return &v.d.HoldStock }),
	field.Member("offer_message", TextOrNull, "", func(v draftView) *string { return &v.d.OfferMessage }),
	field.Member("discounts", discounts, "", func(v draftView) *[]commerce.OrderDiscount { return &v.sums.Goods.Discounts }),
	field.Value("totals", quoteTotals, "Of the goods.", func(v draftView) *commerce.OrderTotals { return &v.sums.Totals }),
	field.Value("order_total", field.Pointer(Money), "With the fixed delivery; null without one.", func(v draftView) *commerce.Amount {
		if v.d.Delivery == nil {
			return nil
		}
		return &v.sums.Order.Total
	}),
	field.Member("missing", Texts, "The fields that an offer would refuse.", func(v draftView) *[]string { return &v.sums.Missing }),
	field.Value("ready", Boolean, "Nothing is missing.", func(v draftView) bool { return len(v.sums.Missing) == 0 }),
	field.Of(soldTaxation, func(v draftView) SoldTaxationView { return SoldTaxationView{&v.sums.Tax, ""} }),
)

var wholeDiscount = field.Object("QuoteDiscount",
	field.Member("name", TextOrNull, "", func(d *commerce.WholeDiscount) *string { return &d.Name }),
	field.Value("percent", TextOrNull, "A decimal text.", func(d *commerce.WholeDiscount) string {
		if !d.ByPercent {
			return ""
		}
		return d.Percent.String()
	}),
	field.Value("amount", field.Pointer(Amount), "In minor units.", func(d *commerce.WholeDiscount) *commerce.Amount {
		if d.ByPercent {
			return nil
		}
		return &d.Amount
	}))

var draftShipping = field.Object("QuoteDraftShipping",
	field.Member("shipping_method_id", UUIDOrNull, "", func(f *commerce.FixedDelivery) *uuid.UUID { return &f.MethodID }),
	field.Member("name", Text, "", func(f *commerce.FixedDelivery) *string { return &f.Name }),
	field.Member("price_amount", Amount, "", func(f *commerce.FixedDelivery) *commerce.Amount { return &f.Price }),
	field.Member("tax", TextOrNull, "The code of its tax rate.", func(f *commerce.FixedDelivery) *string { return &f.TaxCode }))

// draftLineView is a line of a draft as it was written, and as it would be sold.
type draftLineView struct {
	l     *commerce.DraftLine
	sold  *commerce.OrderLine
	price *commerce.Amount
}

func (v draftView) line(i int) draftLineView {
	return draftLineView{&v.d.Lines[i], &v.sums.Goods.Lines[i], v.sums.Prices[i]}
}

var draftLine = field.Object("QuoteDraftLine",
	field.Member("id", UUID, "", func(v draftLineView) *uuid.UUID { return &v.l.ID }),
	field.Member("product_id", UUIDOrNull, "null for a line outside the catalogue.", func(v draftLineView) *uuid.UUID { return &v.l.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(v draftLineView) *uuid.UUID { return &v.l.VariantID }),
	field.Member("name", Text, "", func(v draftLineView) *string { return &v.l.Name }),
	field.Member("sku", TextOrNull, "", func(v draftLineView) *string { return &v.l.SKU }),
	field.Member("quantity", Quantity, "", func(v draftLineView) *commerce.Quantity { return &v.l.Quantity }),
	field.Value("unit_price_amount", field.Pointer(Amount), "The merchant's own price; null for the catalogue's.", func(v draftLineView) *commerce.Amount {
		if !v.l.Own {
			return nil
		}
		return &v.l.UnitPrice
	}),
	field.Member("unit_price", Money, "The price that counts; 0 if there is none.", func(v draftLineView) *commerce.Amount { return &v.sold.UnitPrice }),
	field.Value("catalogue_unit_price", field.Pointer(Money), "The catalogue's of the moment; null if there is none.",
		func(v draftLineView) *commerce.Amount { return v.price }),
	field.Member("discount_amount", Amount, "", func(v draftLineView) *commerce.Amount { return &v.l.Discount }),
	field.Member("line_total", Money, "After all discounts.", func(v draftLineView) *commerce.Amount { return &v.sold.Total }),
	field.Member("tax", TextOrNull, "Of a line outside the catalogue: the code of its tax rate.", func(v draftLineView) *string { return &v.l.TaxCode }),
	field.Member("tax_rate", Percent, "In per cent.", func(v draftLineView) *commerce.Percent { return &v.sold.TaxRate }),
	field.Member("variant_name", TextOrNull, "", func(v draftLineView) *string { return &v.sold.VariantName }),
	field.Value("unit", unit, "", func(v draftLineView) string { return v.sold.Unit.String() }),
	field.Member("requires_shipping", Boolean, "", func(v draftLineView) *bool { return &v.sold.Freight.RequiresShipping }),
	field.Member("configuration", field.OrNull(Configuration), "", func(v draftLineView) **commerce.Configuration { return &v.l.Configuration }),
	field.Value("properties", Properties, "", func(v draftLineView) []commerce.Property { return propertiesOf(v.l.Properties) }),
)

// StoreQuoteList is a page of the store's quotes.
var StoreQuoteList = field.Object("StoreQuoteList", pageFields(StoreQuote, "next repeats the query with `before`; prev is null.",
	field.Object("StoreQuotePageMeta", append(pageMeta[:len(pageMeta):len(pageMeta)],
		field.Member("next_before", TextOrNull, "The `before` of the next page; null at the end.", func(p *Pages) *string { return &p.NextQuote }))...),
	"from and to are null.")...)
