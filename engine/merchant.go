package engine

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/commerce/storefile"
)

// What a merchant asks about the store: docs/api/merchant.md.

const (
	// MaxLooked is the maximum number of records that a page of the merchant's looks at to find those that are asked for.
	MaxLooked = 1000
	// MaxWork is the work, in time of the processor, after which such a page ends.
	MaxWork = 15 * time.Millisecond
)

// MerchantStorage is the part of Storage for the merchant's reads. All errors may be ErrUnavailable.
type MerchantStorage interface {
	// StoreStatus is what the node knows of a store. CloseStore closes the store for orders, with a message for its visitors or
	// the usual one; OpenStore ends that closing. Errors also: ErrUnknownOutcome.
	StoreStatus(*Request) (StoreStatus, error)
	CloseStore(r *Request, message string) (StoreStatus, error)
	OpenStore(*Request) (StoreStatus, error)
	// DocumentEntries reads a page of a list of the document, DocumentEntry one entry. Errors also: *commerce.Refusal.
	DocumentEntries(*Request, *EntryQuery) (EntryPage, error)
	DocumentEntry(r *Request, list, key string) (storefile.ListedEntry, error)
	// FindContacts reads a page of accounts by a name, or of those that await approval. Errors also: *commerce.Refusal. GuestEmail is
	// the address of a guest's newest order or quote; empty if there is none.
	FindContacts(*Request, *ContactQuery) (ContactPage, error)
	GuestEmail(r *Request, guest RecordKey) (string, error)
	// StockHolders reads who holds some of an item, of which so much is held; complete is false if there may be more.
	StockHolders(r *Request, item uuid.UUID, held commerce.Micros) (holders []StockHolder, complete bool, err error)
	// ScanCarts finds carts whose ids begin so, from a cursor on; next is empty at the end.
	ScanCarts(r *Request, short, after string) (ids []uuid.UUID, next string, err error)
	WebhookQueues(*Request) ([]WebhookQueue, error)
	SalesSummary(r *Request, days int) (Summary, error)
	HistoryPage(r *Request, after string) (HistoryPage, error)
}

// StoreStatus is a store as its merchant sees it.
type StoreStatus struct {
	Revision  string
	Products  int
	Suspended bool
	// Closed is the refusal of a store that takes no orders, nil if it is open; ClosedBy is ByOperator or ByMerchant.
	Closed   *commerce.Refusal
	ClosedBy string
	// Warnings are those of the document; not Warned if they are not known yet.
	Warnings []string
	Warned   bool
}

// Who has closed a store.
const (
	ByOperator = "operator"
	ByMerchant = "merchant"
)

// Warnings lists what is doubtful about a store's document.
func Warnings(s *commerce.Store, now time.Time) []string { return catalogue.Warnings(s, now) }

// EntryQuery asks for entries of a list of the store's document.
type EntryQuery struct {
	List string
	// Part is a part of a name or a SKU, normalized; empty for all entries. After is the key of the entry after which the page begins.
	Part, After string
	Size        int
}

// EntryPage is a page of entries. NextAfter is the key after which the next one begins; empty at the end.
type EntryPage struct {
	Entries   []storefile.ListedEntry
	NextAfter string
}

// ReadStoreStatus, CloseStore and OpenStore are those of MerchantStorage.
func (e *Engine) ReadStoreStatus(r *Request) (StoreStatus, error) { return e.storage.StoreStatus(r) }
func (e *Engine) OpenStore(r *Request) (StoreStatus, error)       { return e.storage.OpenStore(r) }
func (e *Engine) CloseStore(r *Request, message string) (StoreStatus, error) {
	return e.storage.CloseStore(r, message)
}

// ReadDocumentEntries and ReadDocumentEntry are those of MerchantStorage.
func (e *Engine) ReadDocumentEntries(r *Request, q *EntryQuery) (EntryPage, error) {
	return e.storage.DocumentEntries(r, q)
}
func (e *Engine) ReadDocumentEntry(r *Request, list, key string) (storefile.ListedEntry, error) {
	return e.storage.DocumentEntry(r, list, key)
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

// Act is a change by a key of the merchant's, for the store's history. On is the id of what was changed; empty for the store.
type Act struct{ Name, Key, On string }

// Act is what the history gets of a request that changes something; nil if it gets nothing.
func (r *Request) Act(on uuid.UUID) *Act {
	if r.Operation == "" || !r.Key.Merchant() {
		return nil
	}
	act := &Act{Name: r.Operation, Key: r.Key.Name}
	if on != uuid.Nil {
		act.On = on.String()
	}
	return act
}
