package stores

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/redisdb"
)

// Document is a validated store document for import.
type Document struct {
	Store     uuid.UUID
	Hash      [32]byte // of the whole document: equal content has an equal hash
	Settings  []byte   // the document without keys and customers, packed
	RateLimit int      // requests per commerce.RateWindow
	Keys      []commerce.APIKey
	Customers []commerce.Customer
	Discounts []commerce.Discount
	// Stock is the document's stock; it counts for items that are new to the store.
	Stock []commerce.Stocked
	// RefuseEmpty refuses to replace a catalogue by one without products.
	RefuseEmpty bool
	// Products is the number of products; By is the command that imports. Both are for the history.
	Products int
	By       string
	// IfRevision is the revision that the store must have; empty if the import needs none.
	IfRevision string
	// Progress receives how many customers are written; nil if no caller asks.
	Progress func(done, all int)
}

var (
	// ErrStoreDiffers means that Redis has the store with another content.
	ErrStoreDiffers = errors.New("the store is in Redis already, with other content")
	// ErrEmpties means that the document has no products, and would replace a catalogue that has some.
	ErrEmpties = errors.New("the document has no products, and the store has some")
	// errRevisionDiffers means that the store does not have the revision that the import asks for.
	errRevisionDiffers = errors.New("something else was imported meanwhile")
)

// SaveStore imports a document: it writes the customers, one by one, then the settings under a
// new revision, and then moves the head, which switches to the new settings at once. It returns
// false if the store has the same content already. A store with other content is replaced only
// if replace is true; then an import that was killed is also repeated. Errors: ErrStoreDiffers, ErrEmpties,
// ErrImportRunning, or the error of a command. After an error settings and catalogue are
// unchanged, unless the error says otherwise.
func (s *Stores) SaveStore(ctx context.Context, doc *Document, replace bool) (bool, error) {
	for range moveAttempts {
		changed, err := s.trySave(ctx, doc, replace)
		if !errors.Is(err, errHeadMoved) {
			return changed, brokenOff(err)
		}
	}
	return false, errBusy
}

// brokenOff adds the meaning for an import to an error of the connection.
func brokenOff(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || !isSilence(err) {
		return err
	}
	return fmt.Errorf("the connection to Redis broke, import again: %w", err)
}

// isSilence reports whether an error means that Redis has not answered.
func isSilence(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF) || errors.Is(err, redisdb.ErrDial) ||
		errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &network)
}

// JudgeImport returns the error with which SaveStore would refuse to replace the store by what is in Redis;
// nil if it would not. It writes nothing. What an import finds only as it writes is not judged.
func (s *Stores) JudgeImport(ctx context.Context, doc *Document) error {
	_, _, err := s.judge(ctx, doc, true)
	return brokenOff(err)
}

// judge carries out the checks of an import ahead of its writes. It returns the head that it has seen, and
// true if the store has the document's content already.
func (s *Stores) judge(ctx context.Context, doc *Document, replace bool) (seen Head, leave bool, err error) {
	if seen, err = s.readAnyHead(ctx, doc.Store); err != nil && !errors.Is(err, errNoStore) {
		return seen, false, err
	}
	if doc.IfRevision != "" && doc.IfRevision != seen.Revision {
		return seen, false, fmt.Errorf("%w: the store has revision %s, not %s", errRevisionDiffers, cmp.Or(seen.Revision, "(none)"), doc.IfRevision)
	}
	if leave, err = s.leaveAlone(ctx, doc, seen, replace); leave || err != nil {
		return seen, leave, err
	}
	if err = s.refuseEmpty(ctx, doc, seen); err != nil {
		return seen, false, err
	}
	if _, err = s.mergedRing(ctx, doc, seen); err != nil {
		return seen, false, err
	}
	if _, err = s.judgeBatches(ctx, doc.Store, doc.Discounts); err != nil {
		return seen, false, err
	}
	return seen, false, s.reserveKeys(ctx, doc.Store, doc.Keys, "")
}

// trySave is SaveStore if the head does not move meanwhile. It finishes its checks, then
// writes. Errors also: errHeadMoved.
func (s *Stores) trySave(ctx context.Context, doc *Document, replace bool) (bool, error) {
	seen, leave, err := s.judge(ctx, doc, replace)
	if leave || err != nil {
		return false, err
	}
	lease, end, err := s.beginImport(ctx, doc.Store, seen)
	if err != nil {
		return false, err
	}
	defer end()
	return true, lease.write(ctx, doc)
}

// refuseEmpty refuses a document without products, if it says so and the store has products. Errors:
// ErrEmpties.
func (s *Stores) refuseEmpty(ctx context.Context, doc *Document, seen Head) error {
	if !doc.RefuseEmpty || doc.Products > 0 || seen.Text == "" || seen.dropped() {
		return nil
	}
	present, err := s.LoadStore(ctx, doc.Store)
	if err == nil && len(present.Store.Products) > 0 {
		err = ErrEmpties
	}
	return err
}

// leaveAlone reports whether the store has the document's content already. Errors:
// ErrStoreDiffers if the content differs and must not be replaced.
func (s *Stores) leaveAlone(ctx context.Context, doc *Document, seen Head, replace bool) (bool, error) {
	switch {
	case seen.Text == "":
		return false, nil
	case seen.Document() == hex.EncodeToString(doc.Hash[:]) && !replace:
		return true, nil // also after change sets, which a start keeps
	case seen.Hash == hex.EncodeToString(doc.Hash[:]):
		killed, err := s.importKilled(ctx, doc.Store)
		return err == nil && !killed, err
	case !replace:
		return false, ErrStoreDiffers
	}
	return false, nil
}

// write carries out the import of a checked document. Errors: errLeaseLost.
func (l *importLease) write(ctx context.Context, doc *Document) error {
	s := l.stores
	if err := s.reserveKeys(ctx, doc.Store, doc.Keys, l.number); err != nil {
		return cmp.Or(l.check(ctx), err) // a later import of the store may have reserved the keys
	}
	if err := s.makeSecret(ctx, doc.Store); err != nil {
		return err
	}
	if err := l.saveCustomers(ctx, doc); err != nil {
		return err
	}
	if err := l.check(ctx); err != nil {
		return err
	}
	next, err := l.saveSettings(ctx, doc)
	if err != nil {
		return err
	}
	next.Hash = hex.EncodeToString(doc.Hash[:])
	if err := s.client.Redis.SAdd(ctx, StoresKey, doc.Store.String()).Err(); err != nil {
		return err
	}
	if err := l.switchTo(ctx, doc, next); err != nil {
		return err
	}
	s.settleUses(ctx, doc.Store, doc.Discounts)
	return nil
}

func (s *Stores) makeSecret(ctx context.Context, store uuid.UUID) error {
	var secret [32]byte
	rand.Read(secret[:])
	return s.client.Redis.SetNX(ctx, secretKey(store), secret[:], 0).Err()
}

// saveSettings writes the settings under a new revision, after all that has to be there when the head moves to
// them. Errors also: errLeaseLost.
func (l *importLease) saveSettings(ctx context.Context, doc *Document) (Head, error) {
	s := l.stores
	for _, save := range []func(context.Context, *Document) error{s.saveUsage, s.saveBatches, s.keepUses, l.saveFirstStock} {
		if err := save(ctx, doc); err != nil {
			return Head{}, err
		}
	}
	return l.saveParts(ctx, doc)
}

// saveParts writes the settings under a new revision, to which no head points yet. They expire
// unless keep is called. Errors also: errLeaseLost.
func (l *importLease) saveParts(ctx context.Context, doc *Document) (Head, error) {
	next := Head{Limit: doc.RateLimit, Revision: NewRevision(), Size: len(doc.Settings)}
	for rest := doc.Settings; next.Parts == 0 || len(rest) > 0; next.Parts++ {
		if err := l.check(ctx); err != nil {
			return Head{}, err
		}
		n := min(partSize, len(rest))
		if err := l.stores.client.Redis.Set(ctx, partKey(doc.Store, next.Revision, next.Parts), rest[:n], unusedFor).Err(); err != nil {
			return Head{}, err
		}
		rest = rest[n:]
	}
	return next, nil
}

// NewRevision is a random name of a revision.
func NewRevision() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// switchTo moves the head to the new revision, together with the API keys of that moment.
// Errors also: errLeaseLost.
func (l *importLease) switchTo(ctx context.Context, doc *Document, next Head) error {
	s := l.stores
	if err := s.keep(ctx, doc.Store, next); err != nil {
		return err
	}
	for range moveAttempts {
		seen, err := s.readAnyHead(ctx, doc.Store)
		if err != nil && !errors.Is(err, errNoStore) {
			return err
		}
		if err = l.check(ctx); err == nil {
			next.Usage = cmp.Or(seen.Usage, NewRevision())
			next.Keys, err = s.saveMergedRing(ctx, doc, seen)
		}
		if err == nil {
			next.Limit, err = s.limitUnder(ctx, doc.Store, next.Keys, doc.RateLimit)
		}
		if err != nil {
			s.expireParts(ctx, doc.Store, next)
			return err
		}
		line := importLine(Imported{Revision: next.Revision, Products: doc.Products, By: doc.By})
		moved, err := s.moveHead(ctx, doc.Store, move{seen: seen, next: next, lease: l.number, line: line})
		switch {
		case err != nil:
			return fmt.Errorf("%w: whether the import counts is not known", err)
		case moved:
			s.expireParts(ctx, doc.Store, seen)
			return nil
		}
		s.expireKeys(ctx, doc.Store, next.Keys)
	}
	return errBusy
}

// saveMergedRing writes the API keys as they are after the import, and returns their revision.
func (s *Stores) saveMergedRing(ctx context.Context, doc *Document, seen Head) (string, error) {
	ring, err := s.mergedRing(ctx, doc, seen)
	if err != nil {
		return "", err
	}
	revision := NewRevision()
	return revision, s.saveRing(ctx, doc.Store, revision, ring)
}

// mergedRing returns the store's key ring after the import of doc; seen has the present one.
func (s *Stores) mergedRing(ctx context.Context, doc *Document, seen Head) (*keyRing, error) {
	ring := &keyRing{}
	if seen.Text != "" {
		var err error
		if ring, err = s.loadRing(ctx, doc.Store, seen.Keys); err != nil {
			return nil, err
		}
	}
	return ring.merged(doc.Keys)
}

// keep removes the expiry of the parts.
func (s *Stores) keep(ctx context.Context, store uuid.UUID, h Head) error {
	for n := range h.Parts {
		kept, err := s.client.Redis.Persist(ctx, partKey(store, h.Revision, n)).Result()
		if err == nil && !kept {
			err = errors.New("a part expired while the others were written: import again")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expireParts sets an expiry on parts and keys that no head points to, late enough for nodes
// that read them. A failure only leaves unused keys.
func (s *Stores) expireParts(ctx context.Context, store uuid.UUID, h Head) {
	for n := range h.Parts {
		s.client.Redis.Expire(ctx, partKey(store, h.Revision, n), replacedFor)
	}
	if h.Keys != "" {
		s.expireKeys(ctx, store, h.Keys)
	}
}

func (s *Stores) expireKeys(ctx context.Context, store uuid.UUID, revision string) {
	s.client.Redis.Expire(ctx, keysKey(store, revision), replacedFor)
}
