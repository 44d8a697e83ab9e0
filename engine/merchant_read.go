package engine

import (
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// ContactQuery asks for contacts by one of its members.
type ContactQuery struct {
	Email, ExternalID string
	// Name is the beginning of a name. Awaiting asks for the businesses that await approval, the oldest first.
	Name     string
	Awaiting bool
	// After is the end of the page before; empty for the first page.
	After string
	Size  int
}

// ContactPage is a page of contacts. NextAfter is empty at the end.
type ContactPage struct {
	Contacts  []*commerce.Contact
	NextAfter string
}

// FindContacts returns a page of contacts: docs/api/merchant.md#customers. Errors: *commerce.Refusal, ErrUnavailable.
func (e *Engine) FindContacts(r *Request, q *ContactQuery) (page ContactPage, err error) {
	switch {
	case q.Email != "":
		found, err := e.storage.FindAccount(r.Store.ID, q.Email, r.Deadline)
		if err != nil {
			return page, err
		}
		if found.Record != nil {
			page.Contacts = append(page.Contacts, found.Record.State)
		}
		guest, err := e.guest(r, r.Store.GuestID(q.Email))
		if guest != nil {
			page.Contacts = append(page.Contacts, guest.State)
		}
		return page, err
	case q.ExternalID != "":
		found, err := e.storage.FindExternal(r.Store.ID, q.ExternalID, r.Deadline)
		if found.Record != nil {
			page.Contacts = append(page.Contacts, found.Record.State)
		}
		return page, err
	}
	return e.storage.FindContacts(r, q)
}

// guest is the guest of an id: by its record, or by an order or a quote of its address; nil if there is none.
func (e *Engine) guest(r *Request, id uuid.UUID) (*Record[*commerce.Contact], error) {
	key := RecordKey{r.Store.ID, id}
	found, err := e.contacts.Find(key, true, r.Deadline)
	if err != nil || found != nil {
		return found, err
	}
	email, err := e.storage.GuestEmail(r, key)
	if err != nil || email == "" || r.Store.GuestID(email) != id {
		return nil, err
	}
	return &Record[*commerce.Contact]{State: &commerce.Contact{ID: id, Guest: true, Email: email}}, nil
}

// ReadStoreContact returns a contact by its id, a guest too. Errors: *commerce.Refusal (404), ErrUnavailable.
func (e *Engine) ReadStoreContact(r *Request, id string) (*Record[*commerce.Contact], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return nil, commerce.NotFound("Contact", id)
	}
	found, err := e.guest(r, parsed)
	if err == nil && found == nil {
		err = commerce.NotFound("Contact", id)
	}
	return found, err
}

// ChangeStoreContact applies Request.Command, a *commerce.ChangeStanding, to the account Request.ContactID. With a refusal for a version that
// does not match, the reply has the current contact.
func (e *Engine) ChangeStoreContact(r *Request) (Reply, error) {
	reply, err := e.ChangeContact(r)
	switch {
	case errors.Is(err, commerce.AddressBookChanged):
		err = commerce.ContactChanged
	case errors.Is(err, ContactKind.missing(r)):
		err = commerce.NotFound("Contact", r.ContactID.String())
	}
	return reply, err
}

// LevelQuery asks for the stock of items: of IDs, with an SKU, or below a number.
type LevelQuery struct {
	IDs []uuid.UUID
	SKU string
	// Below leaves out items of which so much is available; nil if it was not sent.
	Below *commerce.Quantity
	// After is the item after which the page begins.
	After uuid.UUID
	Size  int
}

// LevelRow is the stock of an item. Tracked is false if the store counts none of it.
type LevelRow struct {
	Product *commerce.Product
	// Variant is nil for a product without variants.
	Variant *commerce.Variant
	Tracked bool
	Level   commerce.StockLevel
	// Holders are those of the only item of an answer; nil else. Complete is false if there may be more.
	Holders  []StockHolder
	Complete bool
}

// Item is the id that the stock counts under.
func (l *LevelRow) Item() uuid.UUID {
	if l.Variant != nil {
		return l.Variant.ID
	}
	return l.Product.ID
}

// StockHolder is a cart or a quote that holds some of an item.
type StockHolder struct {
	Kind     string
	ID       uuid.UUID
	Quantity commerce.Micros
	Until    time.Time
}

// LevelPage is a page of the stock. NextAfter is zero at the end.
type LevelPage struct {
	Rows      []*LevelRow
	NextAfter uuid.UUID
}

// maxLevels is the number of items that a page looks at to find those below a number.
const maxLevels = 2000

// ReadLevels returns a page of the stock: docs/api/merchant.md#stock.
func (e *Engine) ReadLevels(r *Request, q *LevelQuery) (page LevelPage, err error) {
	rows, more := levelRows(r.Store, q)
	var items []uuid.UUID
	for _, row := range rows {
		if row.Tracked {
			items = append(items, row.Item())
		}
	}
	levels, err := e.storage.StockLevels(r.Store.ID, uuid.Nil, items, r.Deadline)
	if err != nil {
		return page, err
	}
	for at, row := range rows {
		if row.Tracked {
			row.Level, levels = levels[0], levels[1:]
		}
		if q.Below == nil || row.Level.Available() < q.Below.Micros() {
			page.Rows = append(page.Rows, row)
		}
		if q.Below != nil && len(page.Rows) == q.Size && (at+1 < len(rows) || more) {
			page.NextAfter = row.Item()
			return page, nil
		}
	}
	if more {
		page.NextAfter = rows[len(rows)-1].Item()
	}
	if len(page.Rows) == 1 && q.Below == nil && page.Rows[0].Tracked {
		row := page.Rows[0]
		row.Holders, row.Complete, err = e.storage.StockHolders(r, row.Item(), row.Level.Held)
	}
	return page, err
}

// levelRows are the items that a query names or looks at, and whether there are more.
func levelRows(s *commerce.Store, q *LevelQuery) (rows []*LevelRow, more bool) {
	switch {
	case q.Below != nil:
		began := q.After == uuid.Nil
		for _, p := range productsFrom(s, q.After) {
			if !p.TrackStock {
				continue
			}
			for _, row := range itemsOf(p, p.ID, "") {
				if began {
					rows = append(rows, row)
				}
				began = began || row.Item() == q.After
			}
			if len(rows) > maxLevels {
				return rows[:maxLevels], true
			}
		}
	case q.SKU != "":
		for _, p := range s.Products {
			rows = append(rows, itemsOf(p, uuid.Nil, q.SKU)...)
		}
	default:
		for _, id := range q.IDs {
			p := s.Product(id)
			if p == nil {
				p = s.ProductOfVariant(id)
			}
			if p != nil {
				rows = append(rows, itemsOf(p, id, "")...)
			}
		}
	}
	return rows[:min(len(rows), commerce.MaxStockIDs)], false
}

// productsFrom are the products from that of an item on; all for no item, none for one that the store does not have.
func productsFrom(s *commerce.Store, item uuid.UUID) []*commerce.Product {
	if item == uuid.Nil {
		return s.Products
	}
	p := s.Product(item)
	if p == nil {
		p = s.ProductOfVariant(item)
	}
	at := slices.Index(s.Products, p)
	if at < 0 {
		return nil
	}
	return s.Products[at:]
}

// itemsOf are the items of a product that an id or an SKU names: those of a product are its own, or those of all its variants.
func itemsOf(p *commerce.Product, id uuid.UUID, sku string) (rows []*LevelRow) {
	is := func(own uuid.UUID, ownSKU string) bool { return own == id || sku != "" && ownSKU == sku }
	whole := is(p.ID, p.SKU)
	if whole && len(p.Variants) == 0 {
		rows = append(rows, &LevelRow{Product: p, Tracked: p.TrackStock})
	}
	for i := range p.Variants {
		if v := &p.Variants[i]; whole || is(v.ID, v.SKU) {
			rows = append(rows, &LevelRow{Product: p, Variant: v, Tracked: p.TrackStock})
		}
	}
	return rows
}

// DiscountUses are how often a discount was used. Counts that were not asked for are nil.
type DiscountUses struct {
	Discount          *commerce.Discount
	Used              int64
	ByCode, ByAccount *int64
}

// ReadDiscountUses returns how often a discount was used, also with a code and by a customer; nil for none. Errors: *commerce.Refusal,
// ErrUnavailable.
func (e *Engine) ReadDiscountUses(r *Request, id, code string, customer uuid.UUID) (uses DiscountUses, err error) {
	parsed, ok := commerce.ParseID(id)
	if uses.Discount = r.Store.Discount(parsed); !ok || uses.Discount == nil {
		return uses, commerce.NotFound("Discount", id)
	}
	asked := []commerce.Use{{Discount: parsed}}
	if code != "" {
		use, ok := r.Store.CodeUse(uses.Discount, code)
		if !ok {
			var faults commerce.Faults
			faults.Add("code", commerce.MsgIn("code"))
			return uses, faults.Refusal()
		}
		asked = append(asked, use)
	}
	if customer != uuid.Nil {
		asked = append(asked, commerce.Use{Discount: parsed, Counter: commerce.CountCustomer, Field: customer.String()})
	}
	counts, err := e.storage.UseCounts(r.Store.ID, asked, r.Deadline)
	if err != nil {
		return uses, err
	}
	uses.Used = counts[0]
	rest := counts[1:]
	if code != "" {
		uses.ByCode, rest = &rest[0], rest[1:]
	}
	if customer != uuid.Nil {
		uses.ByAccount = &rest[0]
	}
	return uses, nil
}

// WebhookQueue is a queue of a webhook with its events. Oldest is zero if none waits.
type WebhookQueue struct {
	ID, Host                   string
	Events                     []string
	Waiting, Retrying, GivenUp int64
	Oldest                     time.Time
}

// ReadWebhooks, ReadSummary and ReadHistory are those of MerchantStorage.
func (e *Engine) ReadWebhooks(r *Request) ([]WebhookQueue, error) { return e.storage.WebhookQueues(r) }
func (e *Engine) ReadSummary(r *Request, days int) (Summary, error) {
	return e.storage.SalesSummary(r, days)
}
func (e *Engine) ReadHistory(r *Request, after string) (HistoryPage, error) {
	return e.storage.HistoryPage(r, after)
}

// Summary is what a merchant sees first of a store.
type Summary struct {
	At    time.Time
	Sales []HourSales
	// Unpaid are the orders that wait for their payment, Overdue those of them whose time is over.
	Unpaid, Overdue                              int64
	QuotesWaiting, QuotesOffered, QuotesExpiring int64
	Awaiting                                     int64
	Waiting, GivenUp                             int64
}

// HourSales are the orders that were placed and cancelled in an hour.
type HourSales struct {
	Hour                    time.Time
	Orders, Cancelled       int64
	Amount, CancelledAmount commerce.Amount
}

// HistoryRow is a change of the store. Key is empty for an operator's.
type HistoryRow struct {
	At           time.Time
	Key, Act, On string
}

// HistoryPage is a page of the history, the newest first. NextAfter is empty at the end.
type HistoryPage struct {
	Rows      []HistoryRow
	NextAfter string
}

// EachCustomerCart is EachAccountCart for the account of an id.
func (e *Engine) EachCustomerCart(r *Request, customer uuid.UUID, q *CartQuery) (total int, err error) {
	own := *q
	own.Each = func(c *commerce.Cart) error {
		if c.Status != commerce.CartActive || c.Expired(r.Now) || c.Customer.ID != customer {
			return nil
		}
		return q.Each(c)
	}
	return e.storage.EachAccountCart(RecordKey{r.Store.ID, customer}, &own, r.Deadline)
}

// FindCarts calls each for the active carts whose ids begin so, and returns where the next page begins; empty at the end. Errors:
// ErrUnavailable, those of each.
func (e *Engine) FindCarts(r *Request, short, after string, each func(*commerce.Cart) error) (next string, err error) {
	ids, next, err := e.storage.ScanCarts(r, short, after)
	if err != nil {
		return next, err
	}
	keys := make([]RecordKey, len(ids))
	for i, id := range ids {
		keys[i] = RecordKey{r.Store.ID, id}
	}
	carts, err := e.storage.LoadCarts(keys, r.Deadline)
	for i := range carts {
		if c := carts[i].State; err == nil && c != nil && !c.Expired(r.Now) {
			err = each(c)
		}
	}
	return next, err
}

// ReadStoreCart returns any cart of the store, and sets the visitor to its customer. Errors: *commerce.Refusal, ErrUnavailable.
func (e *Engine) ReadStoreCart(r *Request) (record CartRecord, err error) {
	carts, err := e.storage.LoadCarts([]RecordKey{{r.Store.ID, r.CartID}}, r.Deadline)
	if err != nil {
		return record, err
	}
	record = carts[0]
	cart := record.State
	if cart == nil || cart.Expired(r.Now) {
		return record, commerce.NotFound("Cart", r.CartID.String())
	}
	r.Visitor = commerce.Visitor{}
	if !cart.Customer.Bound() || cart.Customer.Guest {
		return record, nil
	}
	found, err := e.contacts.Find(RecordKey{r.Store.ID, cart.Customer.ID}, true, r.Deadline)
	if err == nil && found != nil && !found.State.Guest {
		c := found.State
		r.Visitor = commerce.Visitor{Known: true, CustomerID: c.ID, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge}
		r.Contact = Sighting[*commerce.Contact]{Stamp: found.Stamp, Record: found}
	}
	return record, err
}
