package stores

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// errBatchReused means that a batch has another secret than the number has had before.
var errBatchReused = errors.New("the number of a batch of codes is never used again with another secret: give the new codes another number")

// batchSecrets are the secrets of all batches of codes that a store's documents have had: BatchField → SHA-256 of
// the secret, hex. The uses of codes are counted by number and serial, so a number is never used again for other codes.
type batchSecrets map[string]string

// loadSecrets reads the secrets of a record.
func (s *Stores) loadSecrets(ctx context.Context, store uuid.UUID, state *engine.StoreState) (batchSecrets, error) {
	had := batchSecrets{}
	text, err := s.readPage(ctx, store, state.Secrets)
	if err == nil && text != nil {
		err = json.Unmarshal(text, &had)
	}
	return had, err
}

// addSecrets adds the page of the secrets and returns its name; zero if there are none.
func (n newPages) addSecrets(had batchSecrets) storefile.PageName {
	if len(had) == 0 {
		return storefile.PageName{}
	}
	text, err := json.Marshal(had)
	if err != nil {
		panic(err) // texts always have a JSON form
	}
	return n.add(text)
}

func hashOfSecret(b *commerce.CodeBatch) string {
	hash := sha256.Sum256(b.Secret)
	return hex.EncodeToString(hash[:])
}

// other is a rule of documents that are merged: whether a batch's number has had another secret.
func (had batchSecrets) other() storefile.BatchRule {
	return func(d *commerce.Discount, b *commerce.CodeBatch) bool {
		before := had[BatchField(d.ID, int64(b.Number))]
		return before != "" && before != hashOfSecret(b)
	}
}

// eachBatch calls f for each batch of the discounts.
func eachBatch(discounts []commerce.Discount, f func(*commerce.Discount, *commerce.CodeBatch)) {
	for i := range discounts {
		for j := range discounts[i].CodeBatches {
			f(&discounts[i], &discounts[i].CodeBatches[j])
		}
	}
}

// mergedSecrets returns the secrets of a store after a document with these discounts. Errors: errBatchReused.
func (s *Stores) mergedSecrets(ctx context.Context, store uuid.UUID, state *engine.StoreState, discounts []commerce.Discount) (batchSecrets, error) {
	had, err := s.loadSecrets(ctx, store, state)
	if err != nil {
		return nil, err
	}
	return had.with(discounts)
}

// with are the secrets with those of new batches. Errors: errBatchReused.
func (had batchSecrets) with(discounts []commerce.Discount) (_ batchSecrets, err error) {
	next, rule := maps.Clone(had), had.other()
	eachBatch(discounts, func(d *commerce.Discount, b *commerce.CodeBatch) {
		if err == nil && rule(d, b) {
			err = fmt.Errorf("discount %s, batch %d: %w", d.ID, b.Number, errBatchReused)
		}
		next[BatchField(d.ID, int64(b.Number))] = hashOfSecret(b)
	})
	return next, err
}
