package persistence

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Document is a validated store document on its way to Redis.
type Document struct {
	Store     uuid.UUID
	Hash      [32]byte // of the whole document: the same content has the same
	Settings  []byte   // the document without keys and customers
	Keys      []commerce.APIKey
	Customers []commerce.Customer
	// Progress is told how many customers are written; nil: nobody is.
	Progress func(done, all int)
}

// ErrStoreDiffers means that Redis has the store with another content.
var ErrStoreDiffers = errors.New("the store is in Redis already, with other content")

// SaveStore loads a document into Redis: first the customers, one by one, then
// the settings under a new revision; then the head moves, and with it everything
// at once. A store with the same content is left alone (false); one with another
// content is replaced only if asked. Errors: ErrStoreDiffers, or what went wrong.
func (d *DB) SaveStore(ctx context.Context, doc *Document, replace bool) (bool, error) {
	seen, err := d.readHead(ctx, doc.Store)
	switch {
	case errors.Is(err, errNoStore):
	case err != nil:
		return false, err
	case seen.hash == hexText(doc.Hash[:]):
		return false, nil
	case !replace:
		return false, ErrStoreDiffers
	}
	if _, err := d.mergedRing(ctx, doc, seen); err != nil { // before anything is written
		return false, err
	}
	if err := d.announceKeys(ctx, doc.Store, doc.Keys); err != nil {
		return false, err
	}
	if err := d.makeSecret(ctx, doc.Store); err != nil {
		return false, err
	}
	if err := d.saveCustomers(ctx, doc); err != nil {
		return false, err
	}
	next, err := d.saveParts(ctx, doc)
	if err != nil {
		return false, err
	}
	if err := d.main.client.SAdd(ctx, storesKey, doc.Store.String()).Err(); err != nil {
		return false, err
	}
	return true, d.switchTo(ctx, doc, next)
}

func (d *DB) makeSecret(ctx context.Context, store uuid.UUID) error {
	var secret [32]byte
	rand.Read(secret[:])
	return d.main.client.SetNX(ctx, secretKey(store), secret[:], 0).Err()
}

// saveParts writes the packed settings under a new revision that nothing points to yet.
func (d *DB) saveParts(ctx context.Context, doc *Document) (head, error) {
	packed, err := pack(doc.Settings)
	if err != nil {
		return head{}, err
	}
	next := head{revision: newRevision(), hash: hexText(doc.Hash[:]), size: len(packed)}
	for rest := packed; next.parts == 0 || len(rest) > 0; next.parts++ {
		n := min(partSize, len(rest))
		if err := d.main.client.Set(ctx, partKey(doc.Store, next.revision, next.parts), rest[:n], 0).Err(); err != nil {
			return head{}, err
		}
		rest = rest[n:]
	}
	return next, nil
}

func newRevision() string {
	var b [8]byte
	rand.Read(b[:])
	return hexText(b[:])
}

// switchTo moves the head to the new revision, together with the keys as they are
// at that moment.
func (d *DB) switchTo(ctx context.Context, doc *Document, next head) error {
	for range moveAttempts {
		seen, err := d.readHead(ctx, doc.Store)
		if err != nil && !errors.Is(err, errNoStore) {
			return err
		}
		ring, err := d.mergedRing(ctx, doc, seen)
		if err != nil {
			return err
		}
		next.keys = newRevision()
		if err := d.saveRing(ctx, doc.Store, next.keys, ring); err != nil {
			return err
		}
		moved, err := d.moveHead(ctx, doc.Store, seen, next, false)
		if err != nil {
			return err
		}
		if moved {
			d.retire(ctx, doc.Store, seen)
			return nil
		}
	}
	return errBusy
}

// mergedRing is the store's key ring after the import of doc over what seen points to.
func (d *DB) mergedRing(ctx context.Context, doc *Document, seen head) (*keyRing, error) {
	ring := &keyRing{}
	if seen.text != "" {
		var err error
		if ring, err = d.loadRing(ctx, doc.Store, seen.keys); err != nil {
			return nil, err
		}
	}
	return ring.merged(doc.Keys)
}

// retire lets replaced parts and keys leave, once nobody reads them. What it cannot
// do is only rubbish left behind.
func (d *DB) retire(ctx context.Context, store uuid.UUID, old head) {
	if old.text == "" {
		return
	}
	for n := range old.parts {
		d.main.client.Expire(ctx, partKey(store, old.revision, n), replacedFor)
	}
	d.main.client.Expire(ctx, keysKey(store, old.keys), replacedFor)
}
