package stores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

const (
	// customerChunk is the number of customers in one pipeline.
	customerChunk = 256
	// SaveAttempts bounds the compare-and-set of a customer against other writers.
	SaveAttempts = 50
)

// contactImport writes the customers of one document, each by the compare-and-set of every
// write of a contact.
type contactImport struct {
	*importLease
	contacts *records.Writer
	now      time.Time // Redis's time at the start of the chunk
	head     string    // the store's head at that moment
	// external has the customer of each external id: the first one of the document that has it.
	external map[string]uuid.UUID
}

// saveCustomers creates or updates the document's customers by id, and then their
// tokens. Errors also: errLeaseLost.
func (l *importLease) saveCustomers(ctx context.Context, doc *Document) error {
	w := contactImport{importLease: l, contacts: records.MakeWriter(), external: externalIDs(doc.Customers)}
	for start := 0; start < len(doc.Customers); start += customerChunk {
		end := min(start+customerChunk, len(doc.Customers))
		if err := w.save(ctx, doc.Customers[start:end]); err != nil {
			return err
		}
		if doc.Progress != nil {
			doc.Progress(end, len(doc.Customers))
		}
	}
	return nil
}

// externalIDs returns the customer of each external id.
func externalIDs(customers []commerce.Customer) map[string]uuid.UUID {
	first := map[string]uuid.UUID{}
	for i := range customers {
		c := &customers[i]
		if _, had := first[c.ExternalID]; !had && c.ExternalID != "" {
			first[c.ExternalID] = c.ID
		}
	}
	return first
}

// save writes a chunk. A customer that another writer changed meanwhile is tried again.
func (w *contactImport) save(ctx context.Context, chunk []commerce.Customer) error {
	var err error
	if w.now, _, err = w.stores.client.Now(ctx, HeadKey(w.store)); err != nil {
		return err
	}
	sessions := make([]uint64, len(chunk))
	due := make([]int, len(chunk))
	for i := range due {
		due[i] = i
	}
	for attempt := 0; len(due) > 0; attempt++ {
		if attempt == SaveAttempts {
			return fmt.Errorf("customer %s is being changed all the time: import again", chunk[due[0]].ID)
		}
		if due, err = w.attempt(ctx, chunk, due, sessions); err != nil {
			return err
		}
	}
	return w.saveTokens(ctx, chunk, sessions)
}

// attempt writes the customers at the indexes in due, except those that the document does not
// change. It returns the indexes of customers that another writer changed meanwhile.
func (w *contactImport) attempt(ctx context.Context, chunk []commerce.Customer, due []int, sessions []uint64) ([]int, error) {
	found, err := w.read(ctx, chunk, due)
	if err != nil {
		return nil, err
	}
	var calls []*records.Call
	var sent []int // for each call, the index of its customer
	for n, i := range due {
		old := &found[n].record
		state, err := importedContact(old.State, &chunk[i], w.now)
		if err != nil {
			return nil, fmt.Errorf("customer %s: %w", chunk[i].ID, err)
		}
		sessions[i] = state.Session
		if found[n].is(state) && found[n].indexed == chunk[i].ID.String() && !w.lacksExternal(&found[n], &chunk[i]) {
			continue
		}
		key := w.key(&chunk[i])
		visit := records.NewVisit(records.Contacts,
			&engine.Visit[*commerce.Contact]{Key: key, Seen: old.Stamp, Writes: true, Next: records.Next(w.contacts, old, state, w.now)}, nil)
		w.index(&visit, &found[n], state)
		accounts.IndexContact(&visit.Plan, w.store, old.State, state)
		calls = append(calls, &records.Call{Head: w.head, Judged: w.now, Tolerance: longestChunk, Visits: []*records.Visit{&visit}})
		sent = append(sent, i)
	}
	results, err := w.stores.CarryOut(w.store, w.stores.client.Soon(), calls...)
	if err != nil {
		return nil, err
	}
	var again []int
	for n := range results {
		switch results[n].Kind {
		case engine.Done:
		case engine.Broken:
			return nil, fmt.Errorf("%s: %w", results[n].Key, redisdb.ErrCorrupt)
		default:
			again = append(again, sent[n])
		}
	}
	return again, nil
}

// longestChunk bounds the time of a chunk.
const longestChunk = time.Hour

func (w *contactImport) key(c *commerce.Customer) engine.RecordKey {
	return engine.RecordKey{Store: w.store, ID: c.ID}
}

// lacksExternal reports whether the index of external ids has to name the customer, and does not.
func (w *contactImport) lacksExternal(found *foundContact, c *commerce.Customer) bool {
	return w.external[c.ExternalID] == c.ID && found.external != c.ID.String()
}

// index lists the customer and replaces its entries in the indexes of addresses and of external ids. The
// document decides: an address or an external id of another account goes to this customer.
func (w *contactImport) index(visit *records.Visit, found *foundContact, c *commerce.Contact) {
	if found.former {
		former := accounts.EmailKey(w.store, found.record.State.Email)
		visit.Plan.CheckValue(former, c.ID.String())
		visit.Plan.Write("DEL", former)
	}
	if w.external[c.ExternalID] == c.ID {
		visit.Plan.Write("SET", accounts.ExternalKey(w.store, c.ExternalID), c.ID.String())
	}
	visit.Plan.Write("SET", accounts.EmailKey(w.store, c.Email), c.ID.String())
	visit.Plan.Set("SADD", accounts.CustomersKey(w.store), c.ID.String())
}

// foundContact is a customer's record in Redis; text is empty if there is none.
type foundContact struct {
	text   string
	record engine.Record[*commerce.Contact]
	// indexed is the customer id of the imported account's address in the index; empty if there is
	// none. former means that another address of the record is still in the index for it.
	indexed string
	former  bool
	// external is the customer id of the document's external id in its index; empty if there is none.
	external string
}

// is reports whether the record has this state already.
func (f *foundContact) is(state *commerce.Contact) bool {
	if f.text == "" {
		return false
	}
	return records.Contacts.Same(f.record.State, state)
}

// read reads the customers' records and then the lease: while the import has the lease, no
// later import has written any of them. Errors also: errLeaseLost.
func (w *contactImport) read(ctx context.Context, chunk []commerce.Customer, due []int) ([]foundContact, error) {
	pipe := w.stores.client.Redis.Pipeline()
	replies, indexed := make([]*redis.StringCmd, len(due)), make([]*redis.StringCmd, len(due))
	external := make([]*redis.StringCmd, len(due))
	for n, i := range due {
		if chunk[i].ExternalID != "" {
			external[n] = pipe.Get(ctx, accounts.ExternalKey(w.store, chunk[i].ExternalID))
		}
		replies[n] = pipe.Get(ctx, records.Contacts.Key(w.key(&chunk[i])))
		indexed[n] = pipe.Get(ctx, accounts.EmailKey(w.store, chunk[i].Email))
	}
	lease, head := pipe.GetRange(ctx, leaseKey(w.store), records.WriterFrom, records.WriterTo), pipe.Get(ctx, HeadKey(w.store))
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	if lease.Val() != w.writer {
		return nil, errLeaseLost
	}
	w.head = head.Val()
	found := make([]foundContact, len(due))
	for n, i := range due {
		found[n].indexed = indexed[n].Val()
		if external[n] != nil {
			found[n].external = external[n].Val()
		}
		text, err := replies[n].Result()
		if errors.Is(err, redis.Nil) {
			continue
		}
		if err == nil {
			found[n].text = text
			found[n].record, err = records.Contacts.Decode(engine.RecordKey{Store: w.store, ID: chunk[i].ID}, text)
		}
		if err != nil {
			return nil, fmt.Errorf("customer %s: %w", chunk[i].ID, err)
		}
	}
	return found, w.readFormer(ctx, chunk, due, found)
}

// readFormer finds the records whose former address is still theirs in the index. An address that was set
// outside the document stays the account's.
func (w *contactImport) readFormer(ctx context.Context, chunk []commerce.Customer, due []int, found []foundContact) error {
	pipe := w.stores.client.Redis.Pipeline()
	replies := map[int]*redis.StringCmd{}
	for n, i := range due {
		if old := found[n].record.State; old != nil && old.Email != chunk[i].Email {
			replies[n] = pipe.Get(ctx, accounts.EmailKey(w.store, old.Email))
		}
	}
	if len(replies) == 0 {
		return nil
	}
	if err := readAll(ctx, pipe); err != nil {
		return err
	}
	for n, reply := range replies {
		if found[n].record.State.Own.Has(commerce.OwnEmail) {
			found[n].indexed = reply.Val()
			continue
		}
		found[n].former = reply.Val() == chunk[due[n]].ID.String()
	}
	return nil
}

// importedContact returns the contact of a document's customer. If the customer has a
// contact already, the document's password and addresses do not count.
func importedContact(old *commerce.Contact, c *commerce.Customer, now time.Time) (*commerce.Contact, error) {
	next := &commerce.Contact{ID: c.ID}
	if old != nil {
		*next = *old
	} else {
		next.CreatedAt = now.UTC().Truncate(time.Second)
		next.Addresses = withIDs(c.Addresses)
		next.PasswordHash = c.PasswordHash
		if c.Password != "" {
			hash, err := accounts.HashPassword(c.Password)
			if err != nil {
				return nil, err
			}
			next.PasswordHash = hash
		}
	}
	next.Guest = false
	if !next.Own.Has(commerce.OwnCompany) {
		next.B2B, next.CompanyName, next.RegistrationNumber, next.VATID = c.B2B, c.CompanyName, c.RegistrationNumber, c.VATID
		next.ReverseCharge = c.ReverseCharge
	}
	if !next.Own.Has(commerce.OwnApproved) {
		next.Approved = c.Approved
	}
	if !next.Own.Has(commerce.OwnGroup) {
		next.GroupID = c.GroupID
	}
	describe(next, c)
	next.ExternalID, next.Tokens = c.ExternalID, c.Tokens
	return next, nil
}

// describe copies the document's fields of a person, except those that the customer changed.
func describe(next *commerce.Contact, c *commerce.Customer) {
	for _, text := range []struct {
		from  string
		to    *string
		field commerce.ProfileFields
	}{
		{c.Email, &next.Email, commerce.OwnEmail},
		{c.FirstName, &next.FirstName, commerce.OwnFirstName},
		{c.LastName, &next.LastName, commerce.OwnLastName},
		{c.Phone, &next.Phone, commerce.OwnPhone},
	} {
		if !next.Own.Has(text.field) {
			*text.to = text.from
		}
	}
}

// withIDs gives an id to each of the document's addresses that has none.
func withIDs(addresses []commerce.Address) []commerce.Address {
	addresses = slices.Clone(addresses)
	for i := range addresses {
		if addresses[i].ID == uuid.Nil {
			addresses[i].ID = uuid.New()
		}
	}
	return addresses
}

// tokenChunk is the number of tokens that one script writes.
const tokenChunk = 250

// saveTokens writes the tokens of a chunk of customers. Errors also: errLeaseLost.
func (w *contactImport) saveTokens(ctx context.Context, chunk []commerce.Customer, sessions []uint64) error {
	var tokens []importedToken
	for i := range chunk {
		for _, t := range chunk[i].Tokens {
			tokens = append(tokens, importedToken{CustomerToken: t, customer: chunk[i].ID, session: sessions[i]})
		}
	}
	for some := range slices.Chunk(tokens, tokenChunk) {
		keys, args := w.tokensArgs(some)
		leased, err := importTokensScript.Run(ctx, w.stores.client.Redis, keys, args...).Bool()
		if err != nil {
			return err
		}
		if !leased {
			return errLeaseLost
		}
	}
	return nil
}

// importedToken is a token of the document, with its customer's session number.
type importedToken struct {
	commerce.CustomerToken
	customer uuid.UUID
	session  uint64
}

// tokensArgs returns the keys and arguments of import_tokens.lua.
func (w *contactImport) tokensArgs(tokens []importedToken) (keys []string, args []any) {
	keys = append(keys, leaseKey(w.store))
	args = append(args, w.writer, w.now.UnixMilli(), strconv.FormatUint(commerce.EndedSession, 10))
	for i := range tokens {
		t := &tokens[i]
		keys = append(keys, accounts.TokenKey(w.store, t.Hash))
		args = append(args, t.customer.String(), t.ExpiresAt.UnixMilli(), strconv.FormatUint(t.session, 10))
	}
	return keys, args
}
