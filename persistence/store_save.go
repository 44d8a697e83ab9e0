package persistence

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
)

// Document is a validated store document on its way to Redis.
type Document struct {
	Store     uuid.UUID
	Hash      [32]byte // of the whole document: the same content has the same
	Settings  []byte   // the document without keys and customers
	Keys      []commerce.APIKey
	Customers []commerce.Customer
}

// ErrStoreDiffers means that Redis has the store with another content.
var ErrStoreDiffers = errors.New("the store is in Redis already, with other content")

// SaveStore loads a document into Redis: first the customers, one by one, then
// the settings under a new revision; then the head moves, and with it everything
// at once. A store with the same content is left alone; one with another content
// is replaced only if asked. Errors: ErrStoreDiffers, or what went wrong.
func (d *DB) SaveStore(ctx context.Context, doc *Document, replace bool) error {
	old, err := d.readHead(ctx, doc.Store)
	exists := err == nil
	if err != nil && !errors.Is(err, errNoStore) {
		return err
	}
	if exists && old.hash == hexText(doc.Hash[:]) {
		return nil
	}
	if exists && !replace {
		return ErrStoreDiffers
	}
	if err := d.checkKeys(ctx, doc, old, exists); err != nil {
		return err
	}
	if err := d.makeSecret(ctx, doc.Store); err != nil {
		return err
	}
	if err := d.saveCustomers(ctx, doc); err != nil {
		return err
	}
	if err := d.saveRevision(ctx, doc); err != nil {
		return err
	}
	if exists {
		d.retireRevision(ctx, doc.Store, old)
	}
	return nil
}

// checkKeys refuses a key of another store and a scope added to a known key.
// Spec: API key 2 and 3.
func (d *DB) checkKeys(ctx context.Context, doc *Document, old head, exists bool) error {
	for _, k := range doc.Keys {
		owner, err := d.main.client.Get(ctx, keyHint(k.Hash)).Result()
		if err != nil && err != redis.Nil {
			return err
		}
		if err == nil && owner != doc.Store.String() {
			return fmt.Errorf("API key %q belongs to another store: make a new one", k.Name)
		}
	}
	if !exists {
		return nil
	}
	known, err := d.loadKeys(ctx, doc.Store, old.keys)
	if err != nil {
		return err
	}
	for _, k := range doc.Keys {
		if before := known[k.Hash]; before != nil && k.Scopes&^before.Scopes != 0 {
			return fmt.Errorf("API key %q: scopes cannot be added to an existing key: make a new one", k.Name)
		}
	}
	return nil
}

func (d *DB) makeSecret(ctx context.Context, store uuid.UUID) error {
	var secret [32]byte
	rand.Read(secret[:])
	return d.main.client.SetNX(ctx, secretKey(store), secret[:], 0).Err()
}

// saveRevision writes parts and keys under new revisions and moves the head.
func (d *DB) saveRevision(ctx context.Context, doc *Document) error {
	packed, err := pack(doc.Settings)
	if err != nil {
		return err
	}
	revision := newRevision()
	parts := 0
	for rest := packed; parts == 0 || len(rest) > 0; parts++ {
		n := min(partSize, len(rest))
		if err := d.main.client.Set(ctx, partKey(doc.Store, revision, parts), rest[:n], 0).Err(); err != nil {
			return err
		}
		rest = rest[n:]
	}
	keys, err := encodeKeys(doc.Keys)
	if err != nil {
		return err
	}
	if err := d.main.client.Set(ctx, keysKey(doc.Store, revision), keys, 0).Err(); err != nil {
		return err
	}
	if err := d.announce(ctx, doc); err != nil {
		return err
	}
	text := revision + " " + hexText(doc.Hash[:]) + " " + revision + " " + strconv.Itoa(parts) + " " + strconv.Itoa(len(packed))
	return moveHeadScript.Run(ctx, d.main.client, []string{headKey(doc.Store)}, text).Err()
}

func newRevision() string {
	var b [8]byte
	rand.Read(b[:])
	return hexText(b[:])
}

// announce writes what stands outside the store's own keys.
func (d *DB) announce(ctx context.Context, doc *Document) error {
	for _, k := range doc.Keys {
		if err := d.main.client.Set(ctx, keyHint(k.Hash), doc.Store.String(), 0).Err(); err != nil {
			return err
		}
	}
	return d.main.client.SAdd(ctx, storesKey, doc.Store.String()).Err()
}

// retireRevision lets the replaced parts and keys leave, once nobody reads them.
// What it cannot do is only rubbish left behind.
func (d *DB) retireRevision(ctx context.Context, store uuid.UUID, old head) {
	for n := range old.parts {
		d.main.client.Expire(ctx, partKey(store, old.revision, n), replacedFor)
	}
	d.main.client.Expire(ctx, keysKey(store, old.keys), replacedFor)
}

// saveAttempts bounds the compare-and-set of one customer against a busy owner.
const saveAttempts = 50

// saveCustomers creates or updates the document's customers by id, each through
// the same compare-and-set as every other write, and then its tokens.
func (d *DB) saveCustomers(ctx context.Context, doc *Document) error {
	w := importWriter{id: newWriter()}
	for i := range doc.Customers {
		c := &doc.Customers[i]
		session, err := d.saveCustomer(ctx, doc.Store, c, &w)
		if err != nil {
			return fmt.Errorf("customer %s: %w", c.ID, err)
		}
		if err := d.saveTokens(ctx, doc.Store, c, session); err != nil {
			return fmt.Errorf("tokens of customer %s: %w", c.ID, err)
		}
	}
	return nil
}

// importWriter stamps an import's commits.
type importWriter struct{ id, sequence uint64 }

func newWriter() uint64 {
	var b [8]byte
	rand.Read(b[:])
	r := reader{b: string(b[:])}
	return r.uint64()
}

// saveCustomer returns the session number that the customer's record carries.
func (d *DB) saveCustomer(ctx context.Context, store uuid.UUID, c *commerce.Customer, w *importWriter) (uint64, error) {
	key := contactKey(commerce.RecordKey{Store: store, ID: c.ID})
	b, err := d.main.client.Get(ctx, key).Result()
	if err != nil && err != redis.Nil {
		return 0, err
	}
	for range saveAttempts {
		var old commerce.Record[*contact]
		if b != "" {
			if old, err = decodeContact(b); err != nil {
				return 0, err
			}
		}
		state, err := importedContact(old.State, c)
		if err != nil {
			return 0, err
		}
		now := time.Now()
		w.sequence++
		next := commerce.Record[*contact]{
			Stamp:   commerce.Stamp{Counter: old.Stamp.Counter + 1, Writer: w.id, Sequence: w.sequence},
			Writers: old.Remember(w.id, now),
			State:   state,
		}
		reply, err := commitScript.Run(ctx, d.main.client, []string{key}, stampText(old.Stamp), appendContact(nil, &next), "").Result()
		if err != nil {
			return 0, err
		}
		switch v := reply.(type) {
		case string:
			b = v
		case int64:
			if v == 1 {
				return state.session, nil
			}
			b = ""
		}
	}
	return 0, errors.New("it is being changed all the time: import again")
}

// importedContact is the customer as the document describes it, over what is
// there. Password and addresses count only when it is first seen.
func importedContact(old *contact, c *commerce.Customer) (*contact, error) {
	next := &contact{}
	if old != nil {
		*next = *old
	} else {
		next.CreatedAt = time.Now().UTC().Truncate(time.Second)
		next.Addresses = c.Addresses
		next.PasswordHash = c.PasswordHash
		if c.Password != "" {
			hash, err := hashPassword(c.Password)
			if err != nil {
				return nil, err
			}
			next.PasswordHash = hash
		}
	}
	next.contactHead = contactHead{b2b: c.B2B, approved: c.Approved, session: next.session, group: c.GroupID}
	next.Email, next.FirstName, next.LastName, next.Phone = c.Email, c.FirstName, c.LastName, c.Phone
	next.CompanyName, next.RegistrationNumber = c.CompanyName, c.RegistrationNumber
	next.VATID, next.ExternalID = c.VATID, c.ExternalID
	return next, nil
}

// saveTokens writes the document's sessions. One that is there already keeps its
// session number, so that an ended one stays ended.
func (d *DB) saveTokens(ctx context.Context, store uuid.UUID, c *commerce.Customer, session uint64) error {
	for _, t := range c.Tokens {
		if !t.ExpiresAt.After(time.Now()) {
			continue
		}
		key := tokenKey(store, t.Hash)
		number := session
		text, err := d.main.client.Get(ctx, key).Result()
		if err != nil && err != redis.Nil {
			return err
		}
		if known, ok := parseToken(text); ok && known.customer == c.ID {
			number = known.session
		}
		err = d.main.client.Do(ctx, "SET", key, tokenText(c.ID, t.ExpiresAt, number), "PXAT", t.ExpiresAt.UnixMilli()).Err()
		if err != nil {
			return err
		}
	}
	return nil
}
