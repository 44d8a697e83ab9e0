package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence"
	"cartd/persistence/operator"
)

type storedCart = operator.Found[*commerce.Cart]

// foundCart is a cart that is evaluated for its customer.
type foundCart struct {
	*storedCart
	evaluation *commerce.Evaluation
	// checkout is what is kept of its checkout; nil if that is nothing.
	checkout *commerce.PreparedCheckout
}

var cartShown = shownAs(
	field.Value("data", answers.Cart, "", func(f foundCart) answers.CartView {
		return answers.CartView{Store: f.Store, Evaluation: f.evaluation}
	}),
	field.Of(append(foundShown(func(c *commerce.Cart) commerce.Binding { return c.Customer }),
		field.Member("merged_into", answers.UUIDOrNull, "", func(f *storedCart) *uuid.UUID { return &f.State.MergedInto }),
		field.Member("created_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.CreatedAt }),
		field.Member("last_activity_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.UpdatedAt }),
		field.Member("expires_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.ExpiresAt }),
		field.Self("holds", field.Counted(holdShown, countHolds, holdOf), ""),
	), func(f foundCart) *storedCart { return f.storedCart }),
	field.Self("discount_codes", field.Counted(answers.CodeResult, func(f foundCart) int { return len(f.State.Codes) },
		func(f foundCart, i int) commerce.CodeResult { return f.evaluation.CodeResult(i) }), ""),
	field.Value("checkout", field.OrNull(answers.KeptCheckout), "", func(f foundCart) *commerce.PreparedCheckout { return f.checkout }),
)

// cartHold is what a cart holds of an item.
type cartHold struct {
	commerce.StockAsk
	until time.Time
}

var holdShown = field.Object("",
	field.Value("item", answers.UUID, "", func(h cartHold) uuid.UUID { return h.Item }),
	field.Value("asked", answers.Stock, "", func(h cartHold) commerce.Micros { return h.Quantity }),
	field.Value("held", answers.Stock, "", func(h cartHold) commerce.Micros { return h.Granted }),
	field.Value("until", answers.Time, "", func(h cartHold) time.Time { return h.until }),
)

func countHolds(f *storedCart) int { return len(f.State.Hold.Asks) }

func holdOf(f *storedCart, i int) cartHold {
	return cartHold{f.State.Hold.Asks[i], f.State.Hold.Until}
}

// shortID is the part of an id that the log shows.
var shortID = regexp.MustCompile(`^[0-9a-fA-F]{8}$`)

// showCart shows a cart as its customer sees it: by its id, or those with its 8 characters of the log.
func showCart(q *query) error {
	if shortID.MatchString(q.word) {
		all, err := q.db.FindCarts(context.Background(), q.store, q.word)
		for _, found := range all {
			if err := showFoundCart(q, found); err != nil {
				return err
			}
		}
		return err
	}
	id, err := q.id()
	if err != nil {
		return fmt.Errorf("%w or its 8 characters of the log", err)
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Carts, q.store, id)
	if err != nil {
		return err
	}
	return showFoundCart(q, found)
}

func showFoundCart(q *query, found *storedCart) error {
	var visitor commerce.Visitor
	contact, err := accountOf(q, found.Store, found.State.Customer)
	if err != nil {
		return err
	}
	if contact != nil {
		visitor = visitorOf(contact)
	}
	return printRecord(q, cartShown, evaluated(found, visitor))
}

// accountOf is the contact of the account to which a record is bound; nil without one.
func accountOf(q *query, store *commerce.Store, owner commerce.Binding) (*commerce.Contact, error) {
	if !owner.Bound() || owner.Guest {
		return nil, nil
	}
	contact, err := operator.Find(context.Background(), q.db, persistence.Contacts, store.ID, owner.ID)
	switch {
	case errors.Is(err, operator.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return contact.State, nil
}

// evaluated is a cart as a visitor sees it, with what is kept of its checkout.
func evaluated(found *storedCart, visitor commerce.Visitor) foundCart {
	f := foundCart{storedCart: found, evaluation: new(commerce.Evaluation)}
	f.evaluation.Evaluate(found.State, found.Store, visitor, found.Now)
	if p := commerce.PrepareCheckout(found.State, found.Store, visitor, found.Now); p.KeptCheckout != (commerce.KeptCheckout{}) {
		f.checkout = p
	}
	return f
}

// visitorOf is the visitor with the token of an account. The token of no guest resolves.
func visitorOf(c *commerce.Contact) commerce.Visitor {
	if c.Guest {
		return commerce.Visitor{}
	}
	return commerce.Visitor{Known: true, CustomerID: c.ID, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge}
}

type foundOrder = operator.Found[*commerce.Order]

var orderShown = shownAs(
	field.Value("data", answers.StoreOrder, "", func(f *foundOrder) *commerce.Order { return f.State }),
	append(foundShown(func(o *commerce.Order) commerce.Binding { return o.Customer }),
		field.Value("refunded_at", answers.TimeOrNull, "", func(f *foundOrder) time.Time { return f.State.RefundedAt() }),
		field.Member("stock_taken", field.List(takeShown), "",
			func(f *foundOrder) *[]commerce.StockAsk { return &f.State.Takes }),
		field.Self("stock_left", field.Counted(aheadShown, func(f *foundOrder) int { return len(f.State.Ahead) },
			func(f *foundOrder, i int) aheadTake { return aheadTake{&f.State.Ahead[i], f.State} }), ""),
	)...)

var takeShown = field.Object("",
	field.Member("item", answers.UUID, "", func(t *commerce.StockAsk) *uuid.UUID { return &t.Item }),
	field.Member("quantity", answers.Stock, "", func(t *commerce.StockAsk) *commerce.Micros { return &t.Quantity }),
)

var aheadShown = field.Object("",
	field.Value("item", answers.UUID, "", func(t aheadTake) uuid.UUID { return t.of.Takes[t.Take].Item }),
	field.Member("on_hand", answers.Stock, "", func(t aheadTake) *commerce.Micros { return &t.Left }),
	field.Member("available_from", answers.DateOrNull, "", func(t aheadTake) *commerce.Date { return &t.From }),
)

// aheadTake is a take of an item with a limit, with its order.
type aheadTake struct {
	*commerce.AheadTake
	of *commerce.Order
}

// showOrder shows an order as the merchant sees it: by its id, or those with a number, one a store.
func showOrder(q *query) error {
	if number, err := strconv.ParseInt(q.word, 10, 64); err == nil && number > 0 {
		all, err := q.db.FindOrders(context.Background(), q.store, number)
		for _, found := range all {
			if err := printRecord(q, orderShown, found); err != nil {
				return err
			}
		}
		return err
	}
	id, err := q.id()
	if err != nil {
		return fmt.Errorf("%w or the number", err)
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Orders, q.store, id)
	if err != nil {
		return err
	}
	return printRecord(q, orderShown, found)
}

// foundQuote is a quote with the amounts of its draft, nil without one, and its signature.
type foundQuote struct {
	*operator.Found[*commerce.Quote]
	sums      *commerce.DraftSums
	signature quoteSignature
}

// quoteSignature is the size of a signature, and the file to which it was written; empty if it was not.
type quoteSignature struct {
	bytes int
	file  string
}

var quoteShown = shownAs(
	field.Value("data", answers.StoreQuote, "", func(f foundQuote) answers.StoreQuoteView {
		return answers.StoreQuoteView{QuoteView: answers.QuoteAt(f.State, f.Now), Sums: f.sums}
	}),
	field.Of(foundShown(func(quote *commerce.Quote) commerce.Binding { return quote.Customer }),
		func(f foundQuote) *operator.Found[*commerce.Quote] { return f.Found }),
	field.Member("shipping_discounts", field.List(shippingDiscountShown), "",
		func(f foundQuote) *[]commerce.ShippingDiscount { return &f.State.Goods.Shipping }),
	field.Value("signature", field.OrNull(signatureShown), "", func(f foundQuote) quoteSignature { return f.signature }),
)

var shippingDiscountShown = field.Object("",
	field.Member("name", answers.Text, "", func(d *commerce.ShippingDiscount) *string { return &d.Name }),
	field.Member("code", answers.TextOrNull, "", func(d *commerce.ShippingDiscount) *string { return &d.Code }),
	field.NullUnless(func(d *commerce.ShippingDiscount) bool { return d.Value.Fixed },
		field.Member("amount", answers.Money, "", func(d *commerce.ShippingDiscount) *commerce.Amount { return &d.Value.Amount })),
	field.NullUnless(func(d *commerce.ShippingDiscount) bool { return !d.Value.Fixed },
		field.Member("percent", answers.Percent, "", func(d *commerce.ShippingDiscount) *commerce.Percent { return &d.Value.Percent })),
)

var signatureShown = field.Object("",
	field.Value("bytes", answers.Integer, "", func(s quoteSignature) int { return s.bytes }),
	field.Value("file", answers.TextOrNull, "", func(s quoteSignature) string { return s.file }),
)

// showQuote shows a quote as the merchant sees it now, and writes its signature to a file if one is named.
func showQuote(q *query) error {
	id, err := q.id()
	if err != nil {
		return err
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Quotes, q.store, id)
	if err != nil {
		return err
	}
	if found.State.Gone {
		return operator.ErrNotFound
	}
	sums, err := draftSums(q, found)
	if err != nil {
		return err
	}
	png, err := q.db.Signature(context.Background(), engine.RecordKey{Store: found.Store.ID, ID: id})
	if err != nil {
		return err
	}
	if q.signature != "" {
		if png == "" {
			return fmt.Errorf("quote %s has no signature", id)
		}
		err = writeFile(q.signature, func(w io.Writer) error {
			_, err := io.WriteString(w, png)
			return err
		})
		if err != nil {
			return fmt.Errorf("--signature %s: %w", q.signature, withoutPath(err))
		}
	}
	return printRecord(q, quoteShown, foundQuote{found, sums, quoteSignature{len(png), q.signature}})
}

// draftSums are the amounts of a quote's draft for its customer; nil without a draft.
func draftSums(q *query, found *operator.Found[*commerce.Quote]) (*commerce.DraftSums, error) {
	quote := found.State
	if quote.Draft == nil {
		return nil, nil
	}
	contact, err := accountOf(q, found.Store, quote.Customer)
	return quote.Sums(found.Store, contact, found.Now), err
}

type foundStock = operator.FoundStock

var stockShown = shownAs(
	field.Value("data", answers.Availability, "", availabilityOf),
	field.Value("store", storeShown, "", func(f *foundStock) *commerce.Store { return f.Store }),
	field.Member("product", answers.Text, "", func(f *foundStock) *string { return &f.Product.Name }),
	field.Value("variant", answers.TextOrNull, "", func(f *foundStock) string {
		if f.Variant == nil {
			return ""
		}
		return f.Variant.Name
	}),
	field.NullUnless(func(f *foundStock) bool { return f.Product.TrackStock },
		field.Member("on_hand", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.OnHand }),
		field.Member("held", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.Held }),
		field.Member("limit", answers.Stock, "", func(f *foundStock) *commerce.Micros { return &f.Level.Limit })),
	field.Member("holds", field.List(stockHoldShown), "",
		func(f *foundStock) *[]operator.FoundHold { return &f.Holds }),
)

var stockHoldShown = field.Object("",
	field.Member("cart_id", answers.UUID, "", func(h *operator.FoundHold) *uuid.UUID { return &h.Cart }),
	field.Member("held", answers.Stock, "", func(h *operator.FoundHold) *commerce.Micros { return &h.Held }),
	field.Member("until", answers.Time, "", func(h *operator.FoundHold) *time.Time { return &h.Until }),
)

func availabilityOf(f *foundStock) answers.AvailabilityView {
	row := &commerce.Availability{ProductID: f.Product.ID}
	if f.Variant != nil {
		row.VariantID = f.Variant.ID
	}
	if f.Product.TrackStock {
		row.Product = f.Product
	}
	view := answers.AvailabilityView{Availability: row}
	view.Add(f.Level, f.Store.Backorder(f.Item()).From)
	return view
}

// showStock shows the stock of a product, of each of its variants, or of one variant, with the carts that hold
// some of it: by an id, its 8 characters of the log, or a SKU.
func showStock(q *query) error {
	all, err := q.db.FindStock(context.Background(), q.store, q.word)
	for _, f := range all {
		if err := printRecord(q, stockShown, f); err != nil {
			return err
		}
	}
	return err
}
