package answers

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// StoreStatus is a store as its merchant sees it.
var StoreStatus = field.Object("StoreStatus",
	field.Member("revision", Text, "Names the document that counts.", func(s *engine.StoreStatus) *string { return &s.Revision }),
	field.Member("products", Integer, "", func(s *engine.StoreStatus) *int { return &s.Products }),
	field.Member("suspended", Boolean, "", func(s *engine.StoreStatus) *bool { return &s.Suspended }),
	field.Value("closed", Boolean, "Whether the store takes no orders.", func(s *engine.StoreStatus) bool { return s.Closed != nil }),
	field.NullUnless(func(s *engine.StoreStatus) bool { return s.Closed != nil },
		field.Member("message", TextOrNull, "What visitors of a closed store read.", func(s *engine.StoreStatus) *string { return &s.Closed.Message })),
	field.Member("closed_by", field.OrNull(Names(engine.ByOperator, engine.ByMerchant)), "", func(s *engine.StoreStatus) *string { return &s.ClosedBy }),
	field.NullUnless(func(s *engine.StoreStatus) bool { return s.Warned },
		field.Member("warnings", Texts, "Those of `cartd check`; null until they are made.", func(s *engine.StoreStatus) *[]string { return &s.Warnings })),
)

// CursorView is a page of a list that says where the next one begins. NextAfter is empty at the end.
type CursorView[R any] struct {
	Rows      iter.Seq[R]
	Size      int
	NextAfter string
	Grown     func(size int) bool
}

// cursorPage is such a page of rows of a kind.
func cursorPage[R any](name string, row Kind[R]) Kind[CursorView[R]] {
	rows := rowsOf(row)
	return field.Object(name,
		field.Self("data", Kind[CursorView[R]]{Schema: rows.Schema, Append: func(dst []byte, v CursorView[R]) []byte {
			return rows.Append(dst, PageView[R]{Rows: v.Rows, Grown: v.Grown})
		}}, ""),
		field.Self("meta", field.Object("",
			field.Value("per_page", Integer, "The page size in force.", func(v CursorView[R]) int { return v.Size }),
			field.Value("next_after", TextOrNull, "The `after` of the next page; null at the end.", func(v CursorView[R]) string { return v.NextAfter }),
		), ""))
}

// Entry is an entry of a store's document, as its canonical text. EntryList is a page of them.
var (
	Entry     = Kind[json.RawMessage]{Schema: openapi.Map(openapi.Anything), Append: func(dst []byte, text json.RawMessage) []byte { return append(dst, text...) }}
	EntryList = cursorPage("EntryList", Entry)
)

// StoreContact is a contact as the merchant sees it.
var StoreContact = field.Object("StoreContact", append(slices.Clip(profile),
	field.Member("created_at", TimeOrNull, "null for a guest without a record.", func(v ProfileView) *time.Time { return &v.CreatedAt }),
	field.Value("approved", Boolean, "false while a business awaits approval.", func(v ProfileView) bool { return !v.Contact.Awaits() }),
	field.Member("guest", Boolean, "Whether there is no account, but an address that carts, orders or quotes have.",
		func(v ProfileView) *bool { return &v.Guest }))...)

// StoreContactList is a page of contacts.
var StoreContactList = cursorPage("StoreContactList", StoreContact)

// StockRow is the stock of an item as the merchant sees it.
var StockRow = field.Object("StockRow",
	field.Member("product_id", UUID, "", func(r *engine.LevelRow) *uuid.UUID { return &r.Product.ID }),
	field.Value("variant_id", UUIDOrNull, "", func(r *engine.LevelRow) uuid.UUID {
		if r.Variant == nil {
			return uuid.Nil
		}
		return r.Variant.ID
	}),
	field.Value("sku", TextOrNull, "", func(r *engine.LevelRow) string {
		if r.Variant != nil {
			return cmp.Or(r.Variant.SKU, r.Product.SKU)
		}
		return r.Product.SKU
	}),
	field.Value("name", Text, "", func(r *engine.LevelRow) string {
		if r.Variant != nil && r.Variant.Name != "" {
			return r.Product.Name + ", " + r.Variant.Name
		}
		return r.Product.Name
	}),
	field.NullUnless(func(r *engine.LevelRow) bool { return r.Tracked },
		field.Member("on_hand", Stock, "null if the stock is not tracked, as held and available.",
			func(r *engine.LevelRow) *commerce.Micros { return &r.Level.OnHand }),
		field.Member("held", Stock, "The holds of all carts and quotes.", func(r *engine.LevelRow) *commerce.Micros { return &r.Level.Held }),
		field.Value("available", Stock, "", func(r *engine.LevelRow) commerce.Micros { return r.Level.Available() })),
	field.If(func(r *engine.LevelRow) bool { return r.Holders != nil },
		field.Member("holders", field.List(stockHolder), "Only if the answer has one item: the first 50 to expire.",
			func(r *engine.LevelRow) *[]engine.StockHolder { return &r.Holders }),
		field.Member("holders_complete", Boolean, "false if there may be more.", func(r *engine.LevelRow) *bool { return &r.Complete })),
)

var stockHolder = field.Object("StockHolder",
	field.Member("kind", Names("cart", "quote"), "", func(h *engine.StockHolder) *string { return &h.Kind }),
	field.Member("id", UUID, "", func(h *engine.StockHolder) *uuid.UUID { return &h.ID }),
	field.Member("quantity", Stock, "", func(h *engine.StockHolder) *commerce.Micros { return &h.Quantity }),
	field.Member("until", Time, "", func(h *engine.StockHolder) *time.Time { return &h.Until }),
)

// StockRowList is a page of the stock.
var StockRowList = cursorPage("StockRowList", StockRow)

// DiscountUses are how often a discount was used.
var DiscountUses = field.Object("DiscountUses",
	field.Member("used", LongNumber, "Orders and quotes that used it.", func(u *engine.DiscountUses) *int64 { return &u.Used }),
	field.Member("usage_limit", field.Pointer(LongNumber), "", func(u *engine.DiscountUses) **int64 { return &u.Discount.UsageLimit }),
	field.Member("code_uses", field.Pointer(LongNumber), "null without `code`.", func(u *engine.DiscountUses) **int64 { return &u.ByCode }),
	field.Member("customer_uses", field.Pointer(LongNumber), "null without `customer_id`. They are counted only if the discount has a limit for each customer.",
		func(u *engine.DiscountUses) **int64 { return &u.ByAccount }),
)

// Webhooks are the queues of a store's webhooks.
var Webhooks = field.Object("Webhooks", field.Self("data", field.List(field.Object("Webhook",
	field.Member("id", Text, "As `cartd webhooks` shows it; a webhook has a second queue for changes of stock.",
		func(q *engine.WebhookQueue) *string { return &q.ID }),
	field.Member("host", Text, "", func(q *engine.WebhookQueue) *string { return &q.Host }),
	field.Member("events", Texts, "", func(q *engine.WebhookQueue) *[]string { return &q.Events }),
	field.Member("waiting", LongNumber, "Never tried yet.", func(q *engine.WebhookQueue) *int64 { return &q.Waiting }),
	field.Member("retrying", LongNumber, "", func(q *engine.WebhookQueue) *int64 { return &q.Retrying }),
	field.Member("given_up", LongNumber, "Of the last week.", func(q *engine.WebhookQueue) *int64 { return &q.GivenUp }),
	field.Member("oldest_at", TimeOrNull, "Since when the oldest event waits.", func(q *engine.WebhookQueue) *time.Time { return &q.Oldest }),
)), ""))

// Summary is what a merchant sees first.
var Summary = field.Object("Summary",
	field.Member("at", Time, "", func(s *engine.Summary) *time.Time { return &s.At }),
	field.Member("sales", field.List(field.Object("HourSales",
		field.Member("hour", Time, "The beginning of the hour.", func(h *engine.HourSales) *time.Time { return &h.Hour }),
		field.Member("orders", LongNumber, "", func(h *engine.HourSales) *int64 { return &h.Orders }),
		field.Member("total_amount", Amount, "", func(h *engine.HourSales) *commerce.Amount { return &h.Amount }),
		field.Member("cancelled", LongNumber, "Orders of any day that were cancelled in this hour.", func(h *engine.HourSales) *int64 { return &h.Cancelled }),
		field.Member("cancelled_amount", Amount, "", func(h *engine.HourSales) *commerce.Amount { return &h.CancelledAmount }),
	)), "Hours in UTC; empty ones are left out.", func(s *engine.Summary) *[]engine.HourSales { return &s.Sales }),
	field.Self("orders", field.Object("",
		field.Member("unpaid", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Unpaid }),
		field.Member("overdue", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Overdue }),
	), ""),
	field.Self("quotes", field.Object("",
		field.Member("waiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.QuotesWaiting }),
		field.Member("offered", LongNumber, "", func(s *engine.Summary) *int64 { return &s.QuotesOffered }),
		field.Member("expiring", LongNumber, "Within 7 days.", func(s *engine.Summary) *int64 { return &s.QuotesExpiring }),
	), ""),
	field.Self("contacts", field.Object("", field.Member("awaiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Awaiting })), ""),
	field.Self("webhooks", field.Object("",
		field.Member("waiting", LongNumber, "", func(s *engine.Summary) *int64 { return &s.Waiting }),
		field.Member("given_up", LongNumber, "", func(s *engine.Summary) *int64 { return &s.GivenUp }),
	), ""),
)

// History is a page of the store's history.
var History = cursorPage("History", field.Object("HistoryRow",
	field.Value("at", Time, "", func(r engine.HistoryRow) time.Time { return r.At }),
	field.Value("key", TextOrNull, "The name of the API key; null for an operator's command.", func(r engine.HistoryRow) string { return r.Key }),
	field.Value("act", Text, "The id of the operation, or the word of an operator's command.", func(r engine.HistoryRow) string { return r.Act }),
	field.Value("on", TextOrNull, "The id of what was changed; of the document the revision.", func(r engine.HistoryRow) string { return r.On }),
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
var StoreCart = field.Object("StoreCart",
	field.Of(cartAnswer, func(v StoreCartView) CartAnswerView { return v.CartAnswerView }),
	field.If(func(v StoreCartView) bool { return v.Explanation != nil },
		field.Value("explain", field.Pointer(Explanation), "With `include=explain`.", func(v StoreCartView) *ExplanationView { return v.Explanation })),
	field.If(func(v StoreCartView) bool { return v.HasChecks }, field.Value(IncludeChecks, field.List(CheckoutCheck),
		"With `include=checks`: the refusals that a checkout would get now.", func(v StoreCartView) []commerce.CheckoutCheck { return v.Checks })),
)

// CatalogueChanged is the answer to a change of the catalogue. The counts of a replay are not known.
var CatalogueChanged = field.Object("CatalogueChanged",
	field.Member("revision", Text, "The document's revision from now on.", func(c *engine.CatalogueChanged) *string { return &c.Revision }),
	field.NullUnless(func(c *engine.CatalogueChanged) bool { return !c.Replayed },
		field.Member("products", Integer, "The number of products of the store; null in a replay.", func(c *engine.CatalogueChanged) *int { return &c.Products }),
		field.Member("changed", Integer, "The number of entries and settings that the change set.", func(c *engine.CatalogueChanged) *int { return &c.Changed }),
		field.Member("removed", Integer, "The number of entries that it removed.", func(c *engine.CatalogueChanged) *int { return &c.Removed })),
)
