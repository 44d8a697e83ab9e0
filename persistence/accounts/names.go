package accounts

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/records"
)

// NamesKey is the key of the names of a store's accounts (ZSET, all scores 0): {<store>}:names → the folded name, cut to nameBytes,
// a line feed, the id. An account has an entry for its company and one for its last and first name.
func NamesKey(store uuid.UUID) string { return records.SingleKey(store, "names") }

// AwaitingKey is the key of the businesses that await approval (ZSET): {<store>}:awaiting, id → since when, Unix milliseconds.
func AwaitingKey(store uuid.UUID) string { return records.SingleKey(store, "awaiting") }

// nameBytes is the maximum length of a name in the index.
const nameBytes = 60

// FoldName is a name, or its beginning, as the index has it: without case and accents, with single spaces.
func FoldName(name string) string {
	folded := strings.Join(strings.Fields(commerce.NormalizeText(name)), " ")
	for len(folded) > nameBytes {
		_, size := utf8.DecodeLastRuneInString(folded)
		folded = folded[:len(folded)-size]
	}
	return folded
}

// NameEntries are an account's entries in the index, in their order; none for a guest.
func NameEntries(c *commerce.Contact) (entries []string) {
	if c == nil || c.Guest {
		return nil
	}
	for _, name := range []string{c.CompanyName, c.LastName + " " + c.FirstName} {
		if folded := FoldName(name); folded != "" {
			entries = append(entries, folded+"\n"+c.ID.String())
		}
	}
	slices.Sort(entries)
	return slices.Compact(entries)
}

// IndexEntries are an account's entries in both indexes; none for a guest.
func IndexEntries(store uuid.UUID, c *commerce.Contact) (entries []records.IndexEntry) {
	for _, name := range NameEntries(c) {
		entries = append(entries, records.IndexEntry{Key: NamesKey(store), Member: name, Score: "0"})
	}
	if c.Awaits() {
		since := records.Millis(latest(c.CreatedAt, c.UpdatedAt))
		entries = append(entries, records.IndexEntry{Key: AwaitingKey(store), Member: c.ID.String(), Score: since})
	}
	return entries
}

// IndexContact writes what a change of a contact changes of both indexes. before is nil for a new contact.
func IndexContact(plan *records.Plan, store uuid.UUID, before, next *commerce.Contact) {
	had, has := IndexEntries(store, before), IndexEntries(store, next)
	for _, entry := range had {
		if !slices.ContainsFunc(has, entry.Names) {
			entry.Remove(plan)
		}
	}
	for _, entry := range has {
		if !slices.ContainsFunc(had, entry.Names) {
			entry.Add(plan)
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
