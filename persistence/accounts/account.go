package accounts

import (
	"crypto/sha256"
	"embed"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Accounts are the customers' accounts of all stores. It remembers the tokens that the node has
// seen.
type Accounts struct {
	client *redisdb.Client
	tokens tokenCache
}

// New returns accounts without a remembered token.
func New(client *redisdb.Client) *Accounts { return &Accounts{client: client} }

// CustomersKey is the key of the set of a store's account ids: {<store>}:customers.
func CustomersKey(store uuid.UUID) string { return records.SingleKey(store, "customers") }

// EmailKey is the key of the customer id of an account's e-mail address:
// {<store>}:email:<sha256 of the lower-cased address>. Guests have none.
func EmailKey(store uuid.UUID, email string) string {
	hash := sha256.Sum256([]byte(email))
	return records.HashKey(store, "email", hash[:])
}

// ExternalKey is the key of the customer id of an account's external id:
// {<store>}:external:<sha256 of the external id>.
func ExternalKey(store uuid.UUID, externalID string) string {
	hash := sha256.Sum256([]byte(externalID))
	return records.HashKey(store, "external", hash[:])
}

// FindAccount finds an account by its e-mail address. Errors: ErrUnavailable.
func (a *Accounts) FindAccount(store uuid.UUID, email string, deadline time.Time) (engine.Account, error) {
	return a.findBy(store, EmailKey(store, email), deadline, func(c *commerce.Contact) bool { return c.Email == email })
}

// FindExternal finds an account by its external id. Errors: ErrUnavailable.
func (a *Accounts) FindExternal(store uuid.UUID, externalID string, deadline time.Time) (engine.Account, error) {
	return a.findBy(store, ExternalKey(store, externalID), deadline, func(c *commerce.Contact) bool { return c.ExternalID == externalID })
}

// findBy finds the account that an index entry names, if the account still is the one that the entry is for.
func (a *Accounts) findBy(store uuid.UUID, entry string, deadline time.Time, is func(*commerce.Contact) bool) (engine.Account, error) {
	v, err := a.client.RunScript(deadline, findAccountScript, []string{entry}, records.ContactPrefix(store))
	if err == nil && len(v) != 2 {
		err = redisdb.ErrReply
	}
	if err != nil {
		return engine.Account{}, a.client.Unreadable(err, entry)
	}
	var texts [2]string
	for i := range texts {
		texts[i], _ = v[i].(string)
	}
	found := engine.Account{Entry: texts[0]}
	id, ok := commerce.ParseID(texts[0])
	if !ok || texts[1] == "" {
		return found, nil
	}
	record, err := records.Contacts.Decode(engine.RecordKey{Store: store, ID: id}, texts[1])
	if err != nil {
		return engine.Account{}, a.client.Unreadable(err, records.ContactPrefix(store)+texts[0])
	}
	if is(record.State) && !record.State.Guest {
		found.Record = &record
	}
	return found, nil
}

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

//go:embed *.lua
var files embed.FS

var (
	// ReadTokenScript resolves a token.
	ReadTokenScript   = redisdb.NewScript(files, "read_token")
	findAccountScript = redisdb.NewScript(files, "find_account")
)
