package httpserver

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// The fake's answers to what a merchant asks.

func (s fakeStore) StoreStatus(*engine.Request) (engine.StoreStatus, error) {
	s.fake.called = append(s.fake.called, "store")
	return engine.StoreStatus{Revision: "0123456789abcdef", Closed: s.fake.admission.Store.Closed}, s.fake.err
}

func (s fakeStore) CloseStore(r *engine.Request, message string) (engine.StoreStatus, error) {
	s.fake.called = append(s.fake.called, "close "+message)
	return engine.StoreStatus{}, s.fake.err
}

func (s fakeStore) OpenStore(*engine.Request) (engine.StoreStatus, error) {
	s.fake.called = append(s.fake.called, "open")
	return engine.StoreStatus{}, s.fake.err
}

func (s fakeStore) DocumentEntries(*engine.Request, *engine.EntryQuery) (engine.EntryPage, error) {
	s.fake.called = append(s.fake.called, "entries")
	return engine.EntryPage{}, s.fake.err
}

func (s fakeStore) DocumentEntry(*engine.Request, string, string) (storefile.ListedEntry, error) {
	s.fake.called = append(s.fake.called, "entry")
	return storefile.ListedEntry{Tag: `"0123456789abcdef"`, Text: []byte("{}")}, s.fake.err
}

func (s fakeStore) FindContacts(*engine.Request, *engine.ContactQuery) (engine.ContactPage, error) {
	s.fake.called = append(s.fake.called, "contacts")
	return engine.ContactPage{Contacts: []*commerce.Contact{sampleContact()}}, s.fake.err
}

func (s fakeStore) GuestEmail(*engine.Request, engine.RecordKey) (string, error) {
	return "", s.fake.err
}

func (s fakeStore) StockHolders(*engine.Request, uuid.UUID, commerce.Micros) ([]engine.StockHolder, bool, error) {
	return []engine.StockHolder{}, true, s.fake.err
}

func (s fakeStore) ScanCarts(*engine.Request, string, string) ([]uuid.UUID, string, error) {
	s.fake.called = append(s.fake.called, "scan")
	return nil, "", s.fake.err
}

func (s fakeStore) WebhookQueues(*engine.Request) ([]engine.WebhookQueue, error) {
	s.fake.called = append(s.fake.called, "webhooks")
	return nil, s.fake.err
}

func (s fakeStore) SalesSummary(*engine.Request, int) (engine.Summary, error) {
	s.fake.called = append(s.fake.called, "summary")
	return engine.Summary{At: testNow}, s.fake.err
}

func (s fakeStore) HistoryPage(*engine.Request, string) (engine.HistoryPage, error) {
	s.fake.called = append(s.fake.called, "history")
	return engine.HistoryPage{}, s.fake.err
}

func (s fakeStore) UseCounts(_ uuid.UUID, uses []commerce.Use, _ time.Time) ([]int64, error) {
	s.fake.called = append(s.fake.called, "use counts")
	return make([]int64, len(uses)), s.fake.err
}

func (s fakeStore) StockLevels(_, _ uuid.UUID, items []uuid.UUID, _ time.Time) ([]commerce.StockLevel, error) {
	return make([]commerce.StockLevel, len(items)), s.fake.err
}
