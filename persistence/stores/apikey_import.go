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
