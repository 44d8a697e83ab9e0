package httpserver

import (
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
