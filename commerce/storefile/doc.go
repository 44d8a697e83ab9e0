// Package storefile owns the store document (format 1): one JSON file with a store's settings, keys,
// customers and catalogue. It reads documents and writes exports.
//
// A document with any fault is refused as a whole. Every fault is listed with its path, in the order
// of the document. Each noun of the document has a file of its own, in the words of
// docs/store-document.md: one row a member. A noun is read after the nouns that it refers to.
//
// docs/store.schema.json describes a document's shape for editors and generators. It is written from
// the same rows. A kind states its pattern beside its reading, and tests prove that the two agree.
//
// The package refuses to know files and Redis: it gets bytes and returns commerce types, which keep
// no part of those bytes in memory.
//
// A change set is judged beside a store in memory (change_set_judgement.go), and makes the pages of the next document
// (change_batch.go).
//
// Open first: document.go (the whole document), kind.go (an object and its values, in the rows of internal/field), marks.go
// (what faults, exports and change sets must know of a member).
package storefile
