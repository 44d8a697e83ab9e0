package stores

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// A store's keys are: its head (the revisions in force), the packed settings in parts under
// their revision, its API keys under a revision of their own, its secret and, while an import
// writes, the import's lease.

// HeadKey is the key of a store's head: {<store>}:head.
func HeadKey(store uuid.UUID) string { return records.SingleKey(store, "head") }

// PartKey is the key of one part of the packed settings: {<store>}:store:<revision>:<n>.
func PartKey(store uuid.UUID, revision string, n int) string {
	return records.KeyPrefix(store, "store") + revision + ":" + strconv.Itoa(n)
}

// SecretKey is the key of the store's secret, which is made once: {<store>}:secret.
func SecretKey(store uuid.UUID) string { return records.SingleKey(store, "secret") }

// StoresKey is the set of all stores' ids.
const StoresKey = "stores"

const (
	// PartSize is the max size of a part.
	PartSize = 1 << 20
	// ReplacedFor is how long replaced parts stay for nodes that read them. New parts stay as
	// long, unless the head moves to them.
	ReplacedFor = 10 * time.Minute
	// A node may serve old settings for LargeGrace if the new ones have more than LargeStore
	// bytes packed, else for Grace.
	LargeStore = 1 << 20
	Grace      = time.Second
	LargeGrace = 5 * time.Second
)

// Head says which version of a store is in force: the request limit (which the limiter's script
// reads), revision of the settings, hash of the document, revision of the keys, number of
// parts, size, revision of the usage counts, and Redis's time of the settings' move.
type Head struct {
	Text           string
	Limit          int
	Revision, Keys string
	Hash           string
	Parts, Size    int
	Usage          string
	Moved          time.Time
}

// UsageField is the index of the revision of the usage counts among a head's fields.
const UsageField = 6

func ParseHead(text string) (Head, error) {
	f := strings.Fields(text)
	if len(f) != 8 {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	limit, err := strconv.Atoi(f[0])
	parts, err2 := strconv.Atoi(f[4])
	size, err3 := strconv.Atoi(f[5])
	moved, err4 := strconv.ParseInt(f[7], 10, 64)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	return Head{
		Text: text, Limit: limit, Revision: f[1], Hash: f[2], Keys: f[3], Parts: parts, Size: size, Usage: f[UsageField],
		Moved: time.UnixMilli(moved),
	}, nil
}

func (h *Head) Grace() time.Duration {
	if h.Size > LargeStore {
		return LargeGrace
	}
	return Grace
}

// Loaded is a store in a node's memory; it is never changed.
type Loaded struct {
	// Head is the head in force, with its keys and usage counts. The settings are those of
	// revision, which may be older within the head's grace.
	Head     Head
	revision string
	Store    *commerce.Store
	keys     map[commerce.KeyHash]*commerce.APIKey
	// limited are the discounts with a usage limit.
	limited []commerce.Discount
	// catalogue is nil if the store shows none.
	catalogue *engine.Catalogue
	Version   *engine.StoreVersion
}

// lags reports whether the settings are older than the head's grace allows.
func (l *Loaded) lags(now time.Time) bool {
	return l.revision != l.Head.Revision && now.Sub(l.Head.Moved) > l.Head.Grace()
}

// Key returns the API key with this hash, or nil if it is unknown or revoked.
func (l *Loaded) Key(hash commerce.KeyHash) *commerce.APIKey {
	if k := l.keys[hash]; k != nil && !k.Revoked {
		return k
	}
	return nil
}

var (
	errNoStore = errors.New("there is no such store")
	errBusy    = errors.New("the store is being changed all the time: try again")
)

// moveAttempts bounds the compare-and-set of a head against other writers.
const moveAttempts = 20

// move is one change of a head.
type move struct {
	seen, next Head
	// keysOnly keeps the time of the settings' move.
	keysOnly bool
	// lease is the number of the import that moves the head; empty if it is no import.
	lease string
}

// moveHead carries out a move. It returns false if the head has moved meanwhile, or the
// import's lease has expired.
func (s *Stores) moveHead(ctx context.Context, store uuid.UUID, m move) (bool, error) {
	next := &m.next
	text := strings.Join([]string{strconv.Itoa(next.Limit), next.Revision, next.Hash, next.Keys, strconv.Itoa(next.Parts), strconv.Itoa(next.Size), next.Usage}, " ")
	moved := ""
	if m.keysOnly {
		moved = records.Millis(m.seen.Moved)
	}
	keys := []string{HeadKey(store), LeaseKey(store), importsKey(store)}
	written, err := MoveHeadScript.Run(ctx, s.client.Redis, keys, m.seen.Text, text, moved, m.lease).Text()
	return written != "", err
}

// ReadHead returns errNoStore if the store does not exist.
func (s *Stores) ReadHead(ctx context.Context, store uuid.UUID) (Head, error) {
	text, err := s.client.Redis.Get(ctx, HeadKey(store)).Result()
	if err == redis.Nil {
		return Head{}, fmt.Errorf("%w: %s", errNoStore, store)
	}
	if err != nil {
		return Head{}, err
	}
	return ParseHead(text)
}

// loadAttempts bounds the loading of a store that is replaced again and again.
const loadAttempts = 3

// LoadStore reads the whole store under its present head.
func (s *Stores) LoadStore(ctx context.Context, store uuid.UUID) (*Loaded, error) {
	var err error
	for range loadAttempts {
		var h Head
		if h, err = s.ReadHead(ctx, store); err != nil {
			return nil, err
		}
		var l *Loaded
		if l, err = s.loadRevision(ctx, store, h); err == nil || !errors.Is(err, redis.Nil) {
			return l, err // only a part that expired meanwhile is worth another attempt
		}
	}
	return nil, err
}

func (s *Stores) loadRevision(ctx context.Context, store uuid.UUID, h Head) (*Loaded, error) {
	settings, err := s.loadSettings(ctx, store, h)
	if err != nil {
		return nil, err
	}
	shop, err := s.decode(settings)
	if err != nil {
		return nil, err
	}
	secret, err := s.client.Redis.Get(ctx, SecretKey(store)).Bytes()
	if err != nil {
		return nil, fmt.Errorf("secret of store %s: %w", store, err)
	}
	copy(shop.Secret[:], secret)
	keys, err := s.loadKeys(ctx, store, h.Keys)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Head: h, revision: h.Revision, Store: shop, keys: keys, catalogue: engine.NewCatalogue(shop)}
	return l, s.withUsage(ctx, l)
}
