package stores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Export is the present state of a store, without secrets that are kept only as hashes.
type Export struct {
	Settings []byte // the text of the document's pages
	// OnHand is the present stock of all items that were ever tracked.
	OnHand    map[uuid.UUID]commerce.Micros
	Keys      []commerce.APIKey
	Customers iter.Seq2[commerce.Customer, error] // by id
	Used      map[uuid.UUID]int64                 // by discount
}

// ExportStore reads a store. Its customers are read while the caller ranges over them.
func (s *Stores) ExportStore(ctx context.Context, store uuid.UUID) (*Export, error) {
	p, err := s.readPresent(ctx, store)
	if err != nil {
		return nil, err
	}
	texts, err := s.readPages(ctx, store, p.state().Pages, nil)
	if err != nil {
		return nil, err
	}
	text := func(name storefile.PageName) ([]byte, error) { return texts[name], nil }
	var settings bytes.Buffer
	if err := p.state().Join(&settings, text); err != nil {
		return nil, err
	}
	ring, err := s.loadRing(ctx, store, p.state().Ring)
	if err != nil {
		return nil, err
	}
	keys, err := ring.keys()
	if err != nil {
		return nil, err
	}
	ids, err := s.members(ctx, accounts.CustomersKey(store))
	if err != nil {
		return nil, err
	}
	paged, err := s.assemble(new(storefile.PagedStore), p.state().Table, text)
	if err != nil {
		return nil, formatError{err}
	}
	shop := paged.Store
	used, err := s.loadUsage(ctx, store, shop.Discounts)
	if err != nil {
		return nil, err
	}
	onHand, err := s.onHandOf(ctx, shop)
	if err != nil {
		return nil, err
	}
	e := &Export{Settings: settings.Bytes(), OnHand: onHand, Used: used}
	for _, k := range keys {
		e.Keys = append(e.Keys, k.APIKey)
	}
	e.Customers = func(yield func(commerce.Customer, error) bool) {
		for chunk := range slices.Chunk(ids, customerChunk) {
			customers, err := s.readCustomers(ctx, store, chunk)
			if err != nil {
				yield(commerce.Customer{}, err)
				return
			}
			for _, c := range customers {
				if shop.Group(c.GroupID) == nil {
					c.GroupID = uuid.Nil // of a group that is not in the document any more
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
	return e, nil
}

func (s *Stores) readCustomers(ctx context.Context, store uuid.UUID, ids []string) ([]commerce.Customer, error) {
	pipe := s.client.Redis.Pipeline()
	replies := make([]*redis.StringCmd, len(ids))
	for i, id := range ids {
		replies[i] = pipe.Get(ctx, records.ContactPrefix(store)+id)
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	var customers []commerce.Customer
	var sessions []uint64
	for i, id := range ids {
		text, err := replies[i].Result()
		if errors.Is(err, redis.Nil) {
			continue // an import was killed after it listed the customer
		}
		var record engine.Record[*commerce.Contact]
		if err == nil {
			record, err = decodeCustomer(store, id, text)
		}
		if err != nil {
			return nil, fmt.Errorf("customer %s: %w", id, err)
		}
		customers, sessions = append(customers, described(record.State)), append(sessions, record.State.Session)
	}
	if err := s.keepLiveTokens(ctx, store, customers, sessions); err != nil {
		return nil, err
	}
	return s.withTheirAddress(ctx, store, customers)
}

// withTheirAddress leaves out accounts whose e-mail address belongs to another account by now.
// That account may have another address itself by now.
func (s *Stores) withTheirAddress(ctx context.Context, store uuid.UUID, customers []commerce.Customer) ([]commerce.Customer, error) {
	pipe := s.client.Redis.Pipeline()
	accountsOf := make(map[uuid.UUID]*redis.StringCmd, len(customers))
	for i := range customers {
		accountsOf[customers[i].ID] = pipe.Get(ctx, accounts.EmailKey(store, customers[i].Email))
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(customers, func(c commerce.Customer) bool { return accountsOf[c.ID].Val() != c.ID.String() }), nil
}

func decodeCustomer(store uuid.UUID, id, text string) (engine.Record[*commerce.Contact], error) {
	parsed, ok := commerce.ParseID(id)
	if !ok {
		return engine.Record[*commerce.Contact]{}, redisdb.ErrCorrupt
	}
	return records.Contacts.Decode(engine.RecordKey{Store: store, ID: parsed}, text)
}

// described converts a contact to the form of a document. Deleted addresses stay in Redis.
func described(c *commerce.Contact) commerce.Customer {
	return commerce.Customer{
		ID: c.ID, Email: c.Email, FirstName: c.FirstName, LastName: c.LastName, Phone: c.Phone,
		B2B: c.B2B, CompanyName: c.CompanyName, RegistrationNumber: c.RegistrationNumber, VATID: c.VATID, ReverseCharge: c.ReverseCharge,
		ExternalID: c.ExternalID, GroupID: c.GroupID, Approved: c.Approved || !c.B2B, // approval is for companies only
		PasswordHash: c.PasswordHash, Addresses: slices.Clone(c.Addresses), Tokens: slices.Clone(c.Tokens),
	}
}

// keepLiveTokens leaves out the document's sessions that have ended since its import.
func (s *Stores) keepLiveTokens(ctx context.Context, store uuid.UUID, customers []commerce.Customer, sessions []uint64) error {
	pipe := s.client.Redis.Pipeline()
	var replies []*redis.StringCmd
	for i := range customers {
		for _, t := range customers[i].Tokens {
			replies = append(replies, pipe.Get(ctx, accounts.TokenKey(store, t.Hash)))
		}
	}
	if len(replies) == 0 {
		return nil
	}
	if err := readAll(ctx, pipe); err != nil {
		return err
	}
	now := time.Now()
	for i := range customers {
		c := &customers[i]
		c.Tokens = slices.DeleteFunc(c.Tokens, func(t commerce.CustomerToken) bool {
			known, ok := accounts.ParseToken(replies[0].Val())
			replies = replies[1:]
			return t.ExpiresAt.After(now) && (!ok || known.Customer != c.ID || known.Session != sessions[i])
		})
	}
	return nil
}
