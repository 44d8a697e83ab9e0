package answers

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// StoreContact is a contact as the merchant sees it.
var StoreContact = Object("StoreContact", append(slices.Clip(profile),
	Member("created_at", TimeOrNull, "null for a guest without a record.", func(v ProfileView) *time.Time { return &v.CreatedAt }),
	Value("approved", Boolean, "false while a business awaits approval.", func(v ProfileView) bool { return !v.Contact.Awaits() }),
	Member("guest", Boolean, "Whether there is no account, but an address that carts, orders or quotes have.", func(v ProfileView) *bool { return &v.Guest }))...)

// StoreContactList is a page of contacts.
var StoreContactList = cursorPage("StoreContactList", StoreContact)

// StockRow is the stock of an item as the merchant sees it.
var StockRow = Object("StockRow",
	Member("product_id", UUID, "", func(r *engine.LevelRow) *uuid.UUID { return &r.Product.ID }),
	Value("variant_id", UUIDOrNull, "", func(r *engine.LevelRow) uuid.UUID {
		if r.Variant == nil {
			return uuid.Nil
		}
		return r.Variant.ID
	}),
	Value("sku", TextOrNull, "", func(r *engine.LevelRow) string {
		if r.Variant != nil {
			return cmp.Or(r.Variant.SKU, r.Product.SKU)
		}
		return r.Product.SKU
	}),
	Value("name", Text, "", func(r *engine.LevelRow) string {
		if r.Variant != nil && r.Variant.Name != "" {
			return r.Product.Name + ", " + r.Variant.Name
		}
		return r.Product.Name
	}),
	NullUnless(func(r *engine.LevelRow) bool { return r.Tracked },
		Member("on_hand", Stock, "null if the stock is not tracked, as held and available.", func(r *engine.LevelRow) *commerce.Micros { return &r.Level.OnHand }),
		Member("held", Stock, "The holds of all carts and quotes.", func(r *engine.LevelRow) *commerce.Micros { return &r.Level.Held }),
		Value("available", Stock, "", func(r *engine.LevelRow) commerce.Micros { return r.Level.Available() })),
	If(func(r *engine.LevelRow) bool { return r.Holders != nil },
		Member("holders", List(stockHolder), "Only if the answer has one item: the first 50 to expire.",
			func(r *engine.LevelRow) *[]engine.StockHolder { return &r.Holders }),
		Member("holders_complete", Boolean, "false if there may be more.", func(r *engine.LevelRow) *bool { return &r.Complete })),
)

var stockHolder = Object("StockHolder",
	Member("kind", Names("cart", "quote"), "", func(h *engine.StockHolder) *string { return &h.Kind }),
	Member("id", UUID, "", func(h *engine.StockHolder) *uuid.UUID { return &h.ID }),
	Member("quantity", Stock, "", func(h *engine.StockHolder) *commerce.Micros { return &h.Quantity }),
	Member("until", Time, "", func(h *engine.StockHolder) *time.Time { return &h.Until }),
)

// StockRowList is a page of the stock.
var StockRowList = cursorPage("StockRowList", StockRow)

// DiscountUses are how often a discount was used.
var DiscountUses = Object("DiscountUses",
	Member("used", LongNumber, "Orders and quotes that used it.", func(u *engine.DiscountUses) *int64 { return &u.Used }),
	Member("usage_limit", Pointer(LongNumber), "", func(u *engine.DiscountUses) **int64 { return &u.Discount.UsageLimit }),
	Member("code_uses", Pointer(LongNumber), "null without `code`.", func(u *engine.DiscountUses) **int64 { return &u.ByCode }),
	Member("customer_uses", Pointer(LongNumber), "null without `customer_id`. They are counted only if the discount has a limit for each customer.",
		func(u *engine.DiscountUses) **int64 { return &u.ByAccount }),
)

// Webhooks are the queues of a store's webhooks.
var Webhooks = Object("Webhooks", Self("data", List(Object("Webhook",
	Member("id", Text, "As `cartd webhooks` shows it; a webhook has a second queue for changes of stock.", func(q *engine.WebhookQueue) *string { return &q.ID }),
	Member("host", Text, "", func(q *engine.WebhookQueue) *string { return &q.Host }),
	Member("events", Texts, "", func(q *engine.WebhookQueue) *[]string { return &q.Events }),
	Member("waiting", LongNumber, "Never tried yet.", func(q *engine.WebhookQueue) *int64 { return &q.Waiting }),
	Member("retrying", LongNumber, "", func(q *engine.WebhookQueue) *int64 { return &q.Retrying }),
	Member("given_up", LongNumber, "Of the last week.", func(q *engine.WebhookQueue) *int64 { return &q.GivenUp }),
	Member("oldest_at", TimeOrNull, "Since when the oldest event waits.", func(q *engine.WebhookQueue) *time.Time { return &q.Oldest }),
)), ""))

// Summary is what a merchant sees first.
var Summary = Object("Summary",
	Member("at", Time, "", func(s *engine.Summary) *time.Time { return &s.At }),
	Member("sales", List(Object("HourSales",
		Member("hour", Time, "The beginning of the hour.", func(h *engine.HourSales) *time.Time { return &h.Hour }),
		Member("orders", LongNumber, "", func(h *engine.HourSales) *int64 { return &h.Orders }),
		Member("total_amount", Amount, "", func(h *engine.HourSales) *commerce.Amount { return &h.Amount }),
		Member("cancelled", LongNumber, "Orders of any day that were cancelled in this hour.", func(h *engine.HourSales) *int64 { return &h.Cancelled }),
		Member("cancelled_amount", Amount, "", func(h *engine.HourSales) *commerce.Amount { return &h.CancelledAmount }),
	)), "Hours in UTC; empty ones are left out.", func(s *engine.Summary) *[]engine.HourSales { return &s.Sales }),
	Self("orders", Object("",
		Member("unpaid", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Unpaid }),
		Member("overdue", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Overdue }),
	), ""),
	Self("quotes", Object("",
		Member("waiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.QuotesWaiting }),
		Member("offered", LongNumber, "", func(s *engine.Summary) *int64 { return &s.QuotesOffered }),
		Member("expiring", LongNumber, "Within 7 days.", func(s *engine.Summary) *int64 { return &s.QuotesExpiring }),
	), ""),
	Self("contacts", Object("", Member("awaiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Awaiting })), ""),
	Self("webhooks", Object("",
		Member("waiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Waiting }),
		Member("given_up", LongNumber, "", func(s *engine.Summary) *int64 { return &s.GivenUp }),
	), ""),
)

// History is a page of the store's history.
var History = cursorPage("History", Object("HistoryRow",
	Value("at", Time, "", func(r engine.HistoryRow) time.Time { return r.At }),
	Value("key", TextOrNull, "The name of the API key; null for an operator's command.", func(r engine.HistoryRow) string { return r.Key }),
	Value("act", Text, "The id of the operation, or the word of an operator's command.", func(r engine.HistoryRow) string { return r.Act }),
	Value("on", TextOrNull, "The id of what was changed; of the document the revision.", func(r engine.HistoryRow) string { return r.On }),
))

// StoreCartList is a page of carts that are found by their ids or their customer.
var StoreCartList = cursorPage("StoreCartList", CartRow)

// StoreCartView is a cart as the merchant sees it. Explanation and Checks are nil unless they are asked for.
type StoreCartView struct {
	CartAnswerView
	Explanation *ExplanationView
	Checks      []commerce.CheckoutCheck
	HasChecks   bool
}

// StoreCart is a cart in the context of its customer.
var StoreCart = Object("StoreCart",
	Of(cartAnswer, func(v StoreCartView) CartAnswerView { return v.CartAnswerView }),
	If(func(v StoreCartView) bool { return v.Explanation != nil },
		Value("explain", Pointer(Explanation), "With `include=explain`.", func(v StoreCartView) *ExplanationView { return v.Explanation })),
	If(func(v StoreCartView) bool { return v.HasChecks }, Value(IncludeChecks, List(CheckoutCheck),
		"With `include=checks`: the refusals that a checkout would get now.", func(v StoreCartView) []commerce.CheckoutCheck { return v.Checks })),
)
