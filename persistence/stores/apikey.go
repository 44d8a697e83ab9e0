package stores

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/persistence/redisdb"
)

// keyHint is the key that finds an API key's store, and the import that reserved the API key
// (reserveKeys): apikey:<sha256 hex> → store id, space, number of the import's lease.
func keyHint(hash commerce.KeyHash) string { return "apikey:" + hex.EncodeToString(hash[:]) }

// Key is an API key with its origin.
type Key struct {
	commerce.APIKey
	// Made is true for a key of the command cartd key, false for a key of the document.
	Made bool
}

// keyRing is the encoded form of a store's API keys.
type keyRing struct {
	Keys []storedKey `json:"keys"`
	// Revoked are the hashes that an operator revoked. They stay revoked after every import,
	// also of a document without the key.
	Revoked []string `json:"revoked,omitempty"`
	// Operator are the operator's settings. Imports keep them.
	Operator
}

type storedKey struct {
	Name    string   `json:"name"`
	Hash    string   `json:"sha256"`
	Scopes  []string `json:"scopes"`
	Revoked bool     `json:"revoked,omitempty"`
	Made    bool     `json:"made,omitempty"`
	// NoClientLimit is true if client_limit of the key is false.
	NoClientLimit bool `json:"no_client_limit,omitempty"`
}

func storeKey(k Key) storedKey {
	return storedKey{
		Name: k.Name, Hash: hex.EncodeToString(k.Hash[:]), Scopes: k.Scopes.Names(), Revoked: k.Revoked, Made: k.Made, NoClientLimit: k.NoClientLimit,
	}
}

// keys returns the ring's keys. A key that an operator revoked is revoked.
func (r *keyRing) keys() ([]Key, error) {
	keys := make([]Key, len(r.Keys))
	for i, stored := range r.Keys {
		k := Key{APIKey: commerce.APIKey{Name: stored.Name, Revoked: stored.Revoked, NoClientLimit: stored.NoClientLimit}, Made: stored.Made}
		if n, err := hex.Decode(k.Hash[:], []byte(stored.Hash)); err != nil || n != len(k.Hash) {
			return nil, fmt.Errorf("API key %q: %w", stored.Name, redisdb.ErrCorrupt)
		}
		for _, name := range stored.Scopes {
			if scope, ok := commerce.ParseScope(name); ok { // a later version may have further scopes
				k.Scopes = k.Scopes.With(scope)
			}
		}
		k.Revoked = k.Revoked || slices.Contains(r.Revoked, stored.Hash)
		keys[i] = k
	}
	return keys, nil
}

func (r *keyRing) named(name string) *storedKey {
	for i := range r.Keys {
		if r.Keys[i].Name == name {
			return &r.Keys[i]
		}
	}
	return nil
}

// loadRing reads a key ring, which is empty if its page has no name.
func (s *Stores) loadRing(ctx context.Context, store uuid.UUID, name storefile.PageName) (*keyRing, error) {
	ring := &keyRing{}
	text, err := s.readPage(ctx, store, name)
	if err == nil && text != nil {
		err = json.Unmarshal(text, ring)
	}
	if err != nil {
		return nil, fmt.Errorf("keys of store %s: %w", store, err)
	}
	return ring, nil
}

// addRing adds the page of a key ring and returns its name.
func (n newPages) addRing(ring *keyRing) storefile.PageName {
	text, err := json.Marshal(ring)
	if err != nil {
		panic(err) // texts and numbers always have a JSON form
	}
	return n.add(text)
}

// loadKeys reads a store's API keys, by their hashes, and the operator's settings.
func (s *Stores) loadKeys(ctx context.Context, store uuid.UUID, name storefile.PageName) (map[commerce.KeyHash]*commerce.APIKey, Operator, error) {
	ring, err := s.loadRing(ctx, store, name)
	if err != nil {
		return nil, Operator{}, err
	}
	keys, err := ring.keys()
	if err != nil {
		return nil, Operator{}, fmt.Errorf("keys of store %s: %w", store, err)
	}
	byHash := make(map[commerce.KeyHash]*commerce.APIKey, len(keys))
	for i := range keys {
		byHash[keys[i].Hash] = &keys[i].APIKey
	}
	return byHash, ring.Operator, nil
}

// merged returns the ring after an import. The document's keys replace those of the last
// document. Keys of the command cartd key stay (also if the document names one, as an export
// does), and so do the revoked hashes. A document may not give a key's name to another key, and
// not add scopes to a key. Spec: API key 3.
func (r *keyRing) merged(document []commerce.APIKey) (*keyRing, error) {
	next := &keyRing{Revoked: r.Revoked, Operator: r.Operator}
	for _, k := range r.Keys {
		if k.Made {
			next.Keys = append(next.Keys, k)
		}
	}
	known, err := r.keys()
	if err != nil {
		return nil, err
	}
	for _, k := range document {
		i := slices.IndexFunc(known, func(old Key) bool { return old.Hash == k.Hash })
		if i >= 0 && k.Scopes&^known[i].Scopes != 0 {
			return nil, fmt.Errorf("API key %q: scopes cannot be added to an existing key: make a new one", k.Name)
		}
		stored := storeKey(Key{APIKey: k, Made: i >= 0 && known[i].Made})
		next.Keys = slices.DeleteFunc(next.Keys, func(made storedKey) bool { return made.Hash == stored.Hash })
		if next.named(k.Name) != nil {
			return nil, fmt.Errorf("API key %q: cartd key has made one of this name: rename the document's", k.Name)
		}
		next.Keys = append(next.Keys, stored)
	}
	return next, nil
}

// ListKeys returns a store's keys in the order of their making.
func (s *Stores) ListKeys(ctx context.Context, store uuid.UUID) ([]Key, error) {
	p, err := s.readPresent(ctx, store)
	if err != nil {
		return nil, err
	}
	ring, err := s.loadRing(ctx, store, p.state().Ring)
	if err != nil {
		return nil, err
	}
	return ring.keys()
}

// MakeKey makes an API key like the given one, which has no hash. It returns the key's clear text, which is
// not stored.
func (s *Stores) MakeKey(ctx context.Context, store uuid.UUID, key commerce.APIKey) (string, error) {
	var random [32]byte
	rand.Read(random[:])
	clear := "cartd_" + base64.RawURLEncoding.EncodeToString(random[:])
	key.Hash = commerce.HashSecret([]byte(clear))
	err := s.changeRing(ctx, store, Act{Name: actKey, On: key.Name}, func(ring *keyRing) error {
		if ring.named(key.Name) != nil {
			return fmt.Errorf("the store has a key named %q already: names are unique", key.Name)
		}
		ring.Keys = append(ring.Keys, storeKey(Key{APIKey: key, Made: true}))
		return s.client.Redis.Set(ctx, keyHint(key.Hash), store.String(), 0).Err()
	})
	if err != nil {
		return "", err
	}
	return clear, nil
}

// RevokeKey revokes a key for good: every node refuses it from the next request on.
func (s *Stores) RevokeKey(ctx context.Context, store uuid.UUID, name string) error {
	return s.changeRing(ctx, store, Act{Name: actRevoke, On: name}, func(ring *keyRing) error {
		k := ring.named(name)
		if k == nil {
			return fmt.Errorf("the store has no key named %q: see cartd key --list", name)
		}
		if !slices.Contains(ring.Revoked, k.Hash) {
			ring.Revoked = append(ring.Revoked, k.Hash)
		}
		return nil
	})
}

// changeRing commits a store's record with changed API keys and settings of the operator, with the act in the
// store's history.
func (s *Stores) changeRing(ctx context.Context, store uuid.UUID, act Act, change func(*keyRing) error) error {
	for range commitAttempts {
		err := s.tryChangeRing(ctx, store, act, change)
		if !errors.Is(err, errHeadMoved) {
			return err
		}
	}
	return errBusy
}

// tryChangeRing is changeRing if the store does not change meanwhile. Errors also: errHeadMoved.
func (s *Stores) tryChangeRing(ctx context.Context, store uuid.UUID, act Act, change func(*keyRing) error) error {
	seen, err := s.readPresent(ctx, store)
	if err != nil {
		return err
	}
	ring, err := s.loadRing(ctx, store, seen.state().Ring)
	if err != nil {
		return err
	}
	if err := change(ring); err != nil {
		return err
	}
	state, pages := *seen.state(), newPages{}
	state.Ring = pages.addRing(ring)
	c, err := s.beginCommit(ctx, store, seen, state)
	if err != nil {
		return err
	}
	c.limit = cmp.Or(ring.Limit, state.Limit)
	c.write(pages, nil)
	c.tell(actLine(act))
	return s.carryOut(ctx, c)
}

// An import reserves each API key of its document: it writes its store and the number of its lease
// into the key's hint. A reservation is void if the store's keys lack the key and the lease of
// that number has ended, because that import can never be carried out. Another store's import
// may replace only a void reservation, by compare-and-set, so a key never belongs to two
// stores. (The command cartd key reserves nothing, because its keys are random.)

var (
	errKeyTaken    = errors.New("belongs to another store: make a new one")
	errKeyReserved = errors.New("belongs to another store, of which an import is running: make a new one, or import again when that one has ended")
)

// reserveKeys reserves the keys for the store's import of this number. Without a number it only
// checks that the store may have them. Spec: API key 2.
func (s *Stores) reserveKeys(ctx context.Context, store uuid.UUID, keys []commerce.APIKey, number string) error {
	// In a fixed order, so that of several imports with the same keys one gets them all.
	keys = slices.SortedFunc(slices.Values(keys), func(a, b commerce.APIKey) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	for _, k := range keys {
		seen, err := s.voidHint(ctx, store, k.Hash)
		if err == nil && number != "" {
			err = s.replaceHint(ctx, k.Hash, seen, store.String()+" "+number)
		}
		if err != nil {
			return fmt.Errorf("API key %q: %w", k.Name, err)
		}
	}
	return nil
}

// replaceHint replaces a key's hint if it still is seen. Errors: errKeyReserved.
func (s *Stores) replaceHint(ctx context.Context, hash commerce.KeyHash, seen, next string) error {
	replaced, err := replaceHintScript.Run(ctx, s.client.Redis, []string{keyHint(hash)}, seen, next).Bool()
	if err == nil && !replaced {
		err = errKeyReserved
	}
	return err
}

// voidHint returns a key's hint ("" if there is none) if an import of the store may replace it.
// Errors: errKeyTaken, errKeyReserved.
func (s *Stores) voidHint(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) (string, error) {
	hint, err := s.client.Redis.Get(ctx, keyHint(hash)).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	owner, number := parseHint(hint)
	if err != nil || owner == store {
		return hint, err
	}
	lease, err := s.leaseWriter(ctx, owner)
	switch {
	case err != nil:
		return "", err
	case lease != "" && hex.EncodeToString([]byte(lease)) == number:
		return "", errKeyReserved
	}
	return hint, s.lacksKey(ctx, owner, hash) // read after the lease: the last visit of an import ends the lease
}

// parseHint returns the store of a hint (zero if there is none) and the number of its import.
func parseHint(hint string) (store uuid.UUID, number string) {
	id, number, _ := strings.Cut(hint, " ")
	store, _ = commerce.ParseID(id)
	return store, number
}

// lacksKey returns errKeyTaken if a store has a key or has revoked it.
func (s *Stores) lacksKey(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) error {
	seen, err := s.readPresent(ctx, store)
	if errors.Is(err, errNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	ring, err := s.loadRing(ctx, store, seen.state().Ring)
	if err == nil && ring.knows(hash) {
		err = errKeyTaken
	}
	return err
}

// knows reports whether the ring has a key, or an operator revoked it.
func (r *keyRing) knows(hash commerce.KeyHash) bool {
	text := hex.EncodeToString(hash[:])
	return slices.ContainsFunc(r.Keys, func(k storedKey) bool { return k.Hash == text }) || slices.Contains(r.Revoked, text)
}

//go:embed *.lua
var files embed.FS

var (
	replaceHintScript  = redisdb.NewScript(files, "replace_hint")
	importTokensScript = redisdb.NewScript(files, "import_tokens")
)
