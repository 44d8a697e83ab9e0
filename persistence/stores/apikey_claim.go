package stores

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
)

// An import claims each API key of its document: it writes its store and its fencing number
// into the key's hint. A claim is void when the store's keys lack the key and the lease of
// that number has ended: that import can never move the head. Another store's import
// replaces a void claim only, by compare-and-set, so a key is never two stores'.
// (cartd key claims nothing: the key that it makes is random.)

var (
	ErrKeyTaken   = errors.New("belongs to another store: make a new one")
	ErrKeyClaimed = errors.New("belongs to another store, of which an import is running: make a new one, or import again when that one has ended")
)

// claimKeys claims the keys for the store's import of this number. Without a number it only
// checks that the store may have them. Spec: API key 2.
func (s *Stores) claimKeys(ctx context.Context, store uuid.UUID, keys []commerce.APIKey, number string) error {
	// In one order, so that of several imports with the same keys one gets them all.
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

// replaceHint replaces a key's hint if it is still the one seen. Errors: errKeyClaimed.
func (s *Stores) replaceHint(ctx context.Context, hash commerce.KeyHash, seen, next string) error {
	replaced, err := claimKeyScript.Run(ctx, s.client.Redis, []string{KeyHint(hash)}, seen, next).Bool()
	if err == nil && !replaced {
		err = ErrKeyClaimed
	}
	return err
}

// voidHint returns a key's hint ("" if there is none) if an import of the store may replace
// it. Errors: errKeyTaken, errKeyClaimed.
func (s *Stores) voidHint(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) (string, error) {
	hint, err := s.client.Redis.Get(ctx, KeyHint(hash)).Result()
	if err == redis.Nil {
		return "", nil
	}
	owner, number := ParseHint(hint)
	if err != nil || owner == store {
		return hint, err
	}
	lease, err := s.client.Redis.Get(ctx, LeaseKey(owner)).Result()
	switch {
	case err != nil && err != redis.Nil:
		return "", err
	case lease != "" && lease == number:
		return "", ErrKeyClaimed
	}
	return hint, s.LacksKey(ctx, owner, hash) // after the lease: what its import moved is in the keys
}

// ParseHint returns the store that a hint names (zero: none) and the number of its import.
func ParseHint(hint string) (store uuid.UUID, number string) {
	id, number, _ := strings.Cut(hint, " ")
	store, _ = commerce.ParseID(id)
	return store, number
}

// LacksKey makes sure that a store has not a key and has not revoked it. Errors: errKeyTaken.
func (s *Stores) LacksKey(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) error {
	seen, err := s.ReadHead(ctx, store)
	if errors.Is(err, errNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	ring, err := s.loadRing(ctx, store, seen.Keys)
	if err == nil && ring.knows(hash) {
		err = ErrKeyTaken
	}
	return err
}

// knows reports whether a key is, or was by hand revoked from, the ring.
func (r *keyRing) knows(hash commerce.KeyHash) bool {
	text := hex.EncodeToString(hash[:])
	return slices.ContainsFunc(r.Keys, func(k storedKey) bool { return k.Hash == text }) || slices.Contains(r.Revoked, text)
}
