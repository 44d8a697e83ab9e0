package persistence

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"cartd/commerce"
)

func (k storedKey) key() (*commerce.APIKey, error) {
	key := &commerce.APIKey{Name: k.Name, Revoked: k.Revoked}
	if n, err := hex.Decode(key.Hash[:], []byte(k.Hash)); err != nil || n != len(key.Hash) {
		return nil, fmt.Errorf("key %s: %w", k.Name, errCorrupt)
	}
	for _, name := range k.Scopes {
		scope, ok := commerce.ParseScope(name)
		if !ok {
			return nil, fmt.Errorf("key %s: scope %s: %w", k.Name, name, errCorrupt)
		}
		key.Scopes = key.Scopes.With(scope)
	}
	return key, nil
}

func encodeKeys(keys []commerce.APIKey) ([]byte, error) {
	stored := make([]storedKey, len(keys))
	for i, k := range keys {
		stored[i] = storedKey{Name: k.Name, Hash: hexText(k.Hash[:]), Scopes: k.Scopes.Names(), Revoked: k.Revoked}
	}
	return json.Marshal(stored)
}
