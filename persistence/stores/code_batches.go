package stores

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/persistence/records"
)

// batchSecretsKey is the key of the secrets of all batches of codes that the store's documents have had:
// {<store>}:code-secrets, a hash of BatchField → SHA-256 of the secret, hex. The uses of codes are counted
// by number and serial, so a number is never used again for other codes.
func batchSecretsKey(store uuid.UUID) string { return records.SingleKey(store, "code-secrets") }

// errBatchReused means that a batch has another secret than the number has had before.
var errBatchReused = errors.New("the number of a batch of codes is never used again with another secret: give the new codes another number")

// batchSecrets reads the secrets that the numbers of the discounts' batches have had.
func (s *Stores) batchSecrets(ctx context.Context, store uuid.UUID, discounts []commerce.Discount) (map[string]string, error) {
	var fields []string
	eachBatch(discounts, func(d *commerce.Discount, b *commerce.CodeBatch) {
		fields = append(fields, BatchField(d.ID, int64(b.Number)))
	})
	values, err := s.hashValues(ctx, batchSecretsKey(store), fields)
	if err != nil {
		return nil, err
	}
	had := map[string]string{}
	for i, value := range values {
		if text, known := value.(string); known {
			had[fields[i]] = text
		}
	}
	return had, nil
}

func hashOfSecret(b *commerce.CodeBatch) string {
	hash := sha256.Sum256(b.Secret)
	return hex.EncodeToString(hash[:])
}

// otherSecret is a rule of documents that are merged: whether a batch's number has had another secret.
func otherSecret(had map[string]string) storefile.BatchRule {
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

// judgeBatches returns an error that is errBatchReused if a batch has another secret than its number has
// had before, and the rule that finds such batches.
func (s *Stores) judgeBatches(ctx context.Context, store uuid.UUID, discounts []commerce.Discount) (rule storefile.BatchRule, err error) {
	had, failed := s.batchSecrets(ctx, store, discounts)
	if failed != nil {
		return nil, failed
	}
	rule = otherSecret(had)
	eachBatch(discounts, func(d *commerce.Discount, b *commerce.CodeBatch) {
		if err == nil && rule(d, b) {
			err = fmt.Errorf("discount %s, batch %d: %w", d.ID, b.Number, errBatchReused)
		}
	})
	return rule, err
}

// mergeBatches merges change sets, and refuses batches as judgeBatches does. Errors: as of storefile.Merge.
func (s *Stores) mergeBatches(ctx context.Context, store uuid.UUID, settings []byte, sets []*storefile.ChangeSet) (*storefile.Merged, error) {
	merged, err := storefile.Merge(settings, sets, nil)
	if err != nil {
		return nil, err
	}
	rule, err := s.judgeBatches(ctx, store, merged.Discounts)
	if errors.Is(err, errBatchReused) {
		return storefile.Merge(settings, sets, rule) // which says where
	}
	return merged, err
}

// saveBatches enters the secrets of the document's new batches.
func (s *Stores) saveBatches(ctx context.Context, doc *Document) error {
	pipe := s.client.Redis.Pipeline()
	eachBatch(doc.Discounts, func(d *commerce.Discount, b *commerce.CodeBatch) {
		pipe.HSetNX(ctx, batchSecretsKey(doc.Store), BatchField(d.ID, int64(b.Number)), hashOfSecret(b))
	})
	_, err := pipe.Exec(ctx)
	return err
}
