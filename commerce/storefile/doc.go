// Package storefile reads the store document (format 1): one JSON file with a
// store's settings, keys, customers and catalogue.
//
// Reading is all or nothing: a document with any fault is refused whole, and
// every fault is listed with its path, in the order of the document. Each noun of
// the document has its file, which reads like the document's page; whatever
// refers to something is read after what it refers to.
//
// docs/store.schema.json says the same of a document's shape, for editors and
// generators; tests hold the two together.
//
// It knows neither files nor Redis: it gets bytes and returns commerce types that
// keep nothing of those bytes alive.
//
// Open first: document.go (the whole), reader.go (how a member is read).
package storefile
