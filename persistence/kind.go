package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/stock"
)

// Kind is one kind of record, in all that the node knows about it: its texts, its judgement and memory, the
// hooks of its visits, and what an erasure leaves. A hook is nil where a kind has none.
type Kind[S any] struct {
	*records.Codec[S]
	judged *engine.Kind[S]
	// Plural is how operators call the records.
	Plural string

	// ownHead means that the record is the contact of its visitors' tokens.
	ownHead bool
	// hold returns a visit's change of the store's stock. granted adds the script's grants to
	// the state.
	hold    func(v *engine.Visit[S]) *commerce.HoldChange
	granted func(next S, planned []commerce.ItemChange, made string) (S, error)
	// pack appends an idle record; nil if idle records are not packed but read again.
	pack func([]byte, *engine.Record[S]) []byte
	// index writes the index of such records, and what else a visit changes with them.
	index func(*sending, *engine.Visit[S])
	// entries are those of a record in sorted sets that can be made of the records anew.
	entries func(engine.RecordKey, S) []records.IndexEntry
	// held reports whether the facts that a visit found mean that it has to wait: engine.Held.
	held func(*sending, *records.Result) bool

	// Erased is what an erasure leaves, and false if it does not concern the record; nil if such records
	// have nothing about a person. Erases names what it removes, Spared what if invoices are kept; empty
	// if that is the same.
	Erased         func(*commerce.Erasure, S) (S, bool)
	Erases, Spared string
	// ErasedKey is the key of a value that an erasure deletes with the record's.
	ErasedKey func(engine.RecordKey) string
}

// The kinds of record. A new kind is one more row, here and in Kinds.
var (
	Carts = &Kind[*commerce.Cart]{
		Codec: records.Carts, judged: engine.CartKind, Plural: "carts",
		hold: stock.Change, granted: records.WithGrants, pack: packCart, index: indexCart,
		Erased: (*commerce.Erasure).Cart, Erases: "e-mail, metadata, texts of lines, what is kept of a checkout",
	}
	Contacts = &Kind[*commerce.Contact]{
		Codec: records.Contacts, judged: engine.ContactKind, Plural: "customers", ownHead: true, index: indexContact,
		entries: func(key engine.RecordKey, c *commerce.Contact) []records.IndexEntry {
			return accounts.IndexEntries(key.Store, c)
		},
		Erased: (*commerce.Erasure).Contact, ErasedKey: records.DeletedKey,
		Erases: "e-mail, names, phone, company, external id, password, addresses, deleted addresses; all sessions have ended",
	}
	Orders = &Kind[*commerce.Order]{
		Codec: records.Orders, judged: engine.OrderKind, Plural: "orders", index: indexOrder,
		Erased: (*commerce.Erasure).Order,
		Erases: "e-mail, VAT id, note, metadata, texts of lines, addresses but for their country, references of payments, reason of the cancel, tracking",
		Spared: "e-mail, note, metadata, texts of lines, shipping address but for its country, references of payments, reason of the cancel, tracking; " +
			"the VAT id and the billing address stay, or where there is none the shipping address",
	}
	Quotes = &Kind[*commerce.Quote]{
		Codec: records.Quotes, judged: engine.QuoteKind, Plural: "quotes", hold: holdOfQuote, granted: numberedQuote, index: indexQuote,
		entries: quoteEntries,
		Erased:  (*commerce.Erasure).Quote, ErasedKey: records.SignatureKey,
		Erases: "e-mail, name, company, VAT id, phone, messages, metadata, texts of lines, note, draft, signer's name, reasons, signature",
		Spared: "e-mail, name, company, phone, messages, metadata, texts of lines, note, draft, signer's name, reasons, signature; the VAT id stays",
	}
	Stores = &Kind[*engine.StoreState]{
		Codec: records.Stores, judged: engine.StoreKind, Plural: "stores", index: holdStore, held: heldStore,
	}
)

// Kinds are all of them, for work that is the same for every kind.
var Kinds = []AnyKind{Carts, Contacts, Orders, Quotes}

// AnyKind is a Kind of any state.
type AnyKind interface {
	// Names are the kind's name in keys, and how operators call the records.
	Names() (name, plural string)
	// Check reads a record's text, and returns the entries that it has in sorted sets. Errors: redisdb.ErrCorrupt.
	Check(key engine.RecordKey, text string) ([]records.IndexEntry, error)
}

// Names is part of AnyKind.
func (k *Kind[S]) Names() (name, plural string) { return k.Kind, k.Plural }

// Check is part of AnyKind.
func (k *Kind[S]) Check(key engine.RecordKey, text string) ([]records.IndexEntry, error) {
	record, err := k.Decode(key, text)
	if err != nil {
		return nil, err
	}
	return k.Entries(key, record.State), nil
}

// Entries are those of a record in sorted sets.
func (k *Kind[S]) Entries(key engine.RecordKey, state S) []records.IndexEntry {
	if k.entries == nil {
		return nil
	}
	return k.entries(key, state)
}

// In is the storage of such records.
func (k *Kind[S]) In(d *DB) RecordStorage[S] { return RecordStorage[S]{d, k} }

// indexContact changes the names and the list of those who await approval with the contact.
func indexContact(w *sending, v *engine.Visit[*commerce.Contact]) {
	accounts.IndexContact(&w.Plan, v.Key.Store, v.Before, v.Next.State)
}
