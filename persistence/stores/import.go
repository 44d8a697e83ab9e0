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
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Document is a validated store document for import.
type Document struct {
	Store     uuid.UUID
	Hash      [32]byte         // of the whole document: equal content has an equal hash
	Pages     *storefile.Paged // the document without keys and customers
	RateLimit int              // requests per commerce.RateWindow
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

// DocumentOf returns a parsed document in the form that SaveStore takes.
func DocumentOf(doc *storefile.Document) *Document {
	return &Document{
		Store: doc.Store.ID, Hash: doc.Hash, Pages: doc.Pages, RateLimit: doc.Store.RateLimit, Keys: doc.Keys, Customers: doc.Customers,
		Discounts: doc.Store.Discounts, Stock: doc.Store.FirstStock(), Products: len(doc.Store.Products),
	}
}

var (
	// ErrStoreDiffers means that Redis has the store with another content.
	ErrStoreDiffers = errors.New("the store is in Redis already, with other content")
	// ErrEmpties means that the document has no products, and would replace a catalogue that has some.
	ErrEmpties = errors.New("the document has no products, and the store has some")
	// errRevisionDiffers means that the store does not have the revision that the import asks for.
	errRevisionDiffers = errors.New("something else was imported meanwhile")
)

// SaveStore imports a document: it writes the customers, one by one, then the pages that the store does not
// have, and then the store's record, which switches to the document at once. It returns
// false if the store has the same content already. A store with other content is replaced only
// if replace is true; then an import that was killed is also repeated. Errors: ErrStoreDiffers, ErrEmpties,
// ErrImportRunning, or the error of a command. After an error settings and catalogue are
// unchanged, unless the error says otherwise.
func (s *Stores) SaveStore(ctx context.Context, doc *Document, replace bool) (bool, error) {
	for range commitAttempts {
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

// judge carries out the checks of an import ahead of its writes. It returns the store that it has seen, and
// true if the store has the document's content already.
func (s *Stores) judge(ctx context.Context, doc *Document, replace bool) (seen present, leave bool, err error) {
	if seen, err = s.readAny(ctx, doc.Store); err != nil {
		return seen, false, err
	}
	revision := ""
	if seen.exists() {
		revision = seen.state().Revision()
	}
	if doc.IfRevision != "" && doc.IfRevision != revision {
		return seen, false, fmt.Errorf("%w: the store has revision %s, not %s", errRevisionDiffers, cmp.Or(revision, "(none)"), doc.IfRevision)
	}
	if leave, err = s.leaveAlone(ctx, doc, &seen, replace); leave || err != nil {
		return seen, leave, err
	}
	if doc.RefuseEmpty && doc.Products == 0 && seen.state().Products > 0 {
		return seen, false, ErrEmpties
	}
	if _, err = s.mergedRing(ctx, doc, seen.state()); err != nil {
		return seen, false, err
	}
	if _, err = s.mergedSecrets(ctx, doc.Store, seen.state(), doc.Discounts); err != nil {
		return seen, false, err
	}
	return seen, false, s.reserveKeys(ctx, doc.Store, doc.Keys, "")
}

// trySave is SaveStore if the store does not change meanwhile. It finishes its checks, then
// writes. Errors also: errHeadMoved.
func (s *Stores) trySave(ctx context.Context, doc *Document, replace bool) (bool, error) {
	seen, leave, err := s.judge(ctx, doc, replace)
	if leave || err != nil {
		return false, err
	}
	lease, end, err := s.beginImport(ctx, doc.Store, seen.head)
	if err != nil {
		return false, err
	}
	defer end()
	return true, lease.write(ctx, doc)
}

// leaveAlone reports whether the store has the document's content already. Errors:
// ErrStoreDiffers if the content differs and must not be replaced.
func (s *Stores) leaveAlone(ctx context.Context, doc *Document, seen *present, replace bool) (bool, error) {
	same := seen.exists() && seen.state().Hash == doc.Hash
	switch {
	case seen.head.Text == "":
		return false, nil
	case same && !replace:
		return true, nil // also after change sets, which a start keeps
	case same && !seen.state().Changed:
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
	if err := l.saveCustomers(ctx, doc); err != nil {
		return err
	}
	if err := l.saveFirst(ctx, doc.Stock, doc.Discounts); err != nil {
		return err
	}
	if err := s.client.Redis.SAdd(ctx, StoresKey, doc.Store.String()).Err(); err != nil {
		return err
	}
	var ahead *aheadPages
	for range commitAttempts {
		var again bool
		var err error
		if ahead, again, err = l.commit(ctx, doc, ahead); !again {
			return err
		}
	}
	return errBusy
}

// commit writes the pages ahead, unless an earlier attempt has done it under the same document, and carries out the
// visit of the record. It returns true if the store has changed meanwhile, or the pages have expired. Errors also:
// errLeaseLost.
func (l *importLease) commit(ctx context.Context, doc *Document, ahead *aheadPages) (_ *aheadPages, again bool, err error) {
	s := l.stores
	seen, err := s.readAny(ctx, doc.Store)
	if err != nil {
		return nil, false, err
	}
	pages := newPages{}
	pages.addAll(doc.Pages)
	state, operator, err := s.imported(ctx, doc, seen.state(), pages)
	if err != nil {
		return nil, false, err
	}
	if ahead == nil || ahead.revised != seen.state().Revised {
		ahead, err = s.writeAhead(ctx, doc.Store, seen.state(), &state, pages, func() error { return l.check(ctx) })
		if err != nil {
			return nil, false, err
		}
	}
	was, err := s.batchedDiscounts(ctx, doc.Store, seen.state())
	if err != nil {
		return nil, false, err
	}
	c, err := s.beginCommit(ctx, doc.Store, seen, state)
	if err != nil {
		return nil, false, err
	}
	c.revise()
	l.guard(c.plan)
	if ahead != nil {
		c.plan.CheckValue(ahead.mark, marked)
	}
	c.limit = cmp.Or(operator.Limit, doc.RateLimit)
	c.next.State.Last = engine.StoreLine{By: doc.By, At: c.now}
	c.write(pages, ahead)
	c.keepUses(was, doc.Discounts)
	c.plan.Write("SETNX", secretKey(doc.Store), newSecret())
	c.tell(importLine(Imported{Revision: c.next.State.Revision(), Products: doc.Products, By: doc.By}))
	c.plan.Hash("HSET", importsKey(doc.Store), "moved", l.number)
	c.plan.Write("DEL", leaseKey(doc.Store))
	err = s.carryOut(ctx, c)
	var other *otherFacts
	switch {
	case errors.Is(err, errHeadMoved):
		return ahead, true, nil
	case errors.As(err, &other) && !isLease(other.value(0), l.writer):
		return nil, false, errLeaseLost
	case errors.As(err, &other):
		return nil, true, nil
	case errors.Is(err, engine.ErrUnknownOutcome):
		return nil, false, fmt.Errorf("%w: whether the import counts is not known", err)
	}
	return nil, false, err
}

// imported is the state of a store's record after the import of a document, without the stamp of its commit, and the
// operator's settings, which stay. It adds the page of the keys and that of the secrets to pages.
func (s *Stores) imported(ctx context.Context, doc *Document, seen *engine.StoreState, pages newPages) (next engine.StoreState, o Operator, err error) {
	ring, err := s.mergedRing(ctx, doc, seen)
	if err != nil {
		return next, o, err
	}
	secrets, err := s.mergedSecrets(ctx, doc.Store, seen, doc.Discounts)
	if err != nil {
		return next, o, err
	}
	return engine.StoreState{
		Hash: doc.Hash, Products: doc.Products, Limit: doc.RateLimit, Ring: pages.addRing(ring), Secrets: pages.addSecrets(secrets), Table: doc.Pages.Table,
	}, ring.Operator, nil
}

func newSecret() []byte {
	var secret [32]byte
	rand.Read(secret[:])
	return secret[:]
}

// NewRevision is a random name of a revision.
func NewRevision() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// mergedRing returns the store's key ring after the import of doc; seen has the present one.
func (s *Stores) mergedRing(ctx context.Context, doc *Document, seen *engine.StoreState) (*keyRing, error) {
	ring, err := s.loadRing(ctx, doc.Store, seen.Ring)
	if err != nil {
		return nil, err
	}
	return ring.merged(doc.Keys)
}

// TakenExternalID is an external id that an import takes from an account.
type TakenExternalID struct {
	ExternalID string
	From, To   uuid.UUID
}

// TakenExternalIDs lists the external ids that an import of the document takes from accounts that have them
// now. It writes nothing.
func (s *Stores) TakenExternalIDs(ctx context.Context, doc *Document) (taken []TakenExternalID, err error) {
	var asked []TakenExternalID
	external := externalIDs(doc.Customers)
	for i := range doc.Customers {
		if c := &doc.Customers[i]; external[c.ExternalID] == c.ID {
			asked = append(asked, TakenExternalID{ExternalID: c.ExternalID, To: c.ID})
		}
	}
	for start := 0; start < len(asked) && err == nil; start += customerChunk {
		taken, err = s.appendTaken(ctx, taken, doc.Store, asked[start:min(start+customerChunk, len(asked))])
	}
	return taken, brokenOff(err)
}

// appendTaken appends those of the ids that another account of the store has. An index entry counts only while
// its account has the id.
func (s *Stores) appendTaken(ctx context.Context, taken []TakenExternalID, store uuid.UUID, asked []TakenExternalID) ([]TakenExternalID, error) {
	pipe := s.client.Redis.Pipeline()
	entries := make([]*redis.StringCmd, len(asked))
	for i := range asked {
		entries[i] = pipe.Get(ctx, accounts.ExternalKey(store, asked[i].ExternalID))
	}
	if err := readAll(ctx, pipe); err != nil {
		return nil, err
	}
	for i, one := range asked {
		holder, ok := commerce.ParseID(entries[i].Val())
		if !ok || holder == one.To {
			continue
		}
		key := engine.RecordKey{Store: store, ID: holder}
		text, err := s.client.Redis.Get(ctx, records.Contacts.Key(key)).Result()
		switch {
		case errors.Is(err, redis.Nil):
			continue
		case err != nil:
			return nil, err
		}
		found, err := records.Contacts.Decode(key, text)
		if err != nil {
			return nil, err
		}
		if found.State.ExternalID == one.ExternalID {
			one.From = holder
			taken = append(taken, one)
		}
	}
	return taken, nil
}
