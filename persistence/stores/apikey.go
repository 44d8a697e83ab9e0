package stores

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/persistence/redisdb"
)

// keyHint is the key that finds an API key's store, and the import that reserved the API key
// (apikey_import.go): apikey:<sha256 hex> → store id, space, number of the import's lease.
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
