package stores

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// errBatchReused means that a batch has another secret than the number has had before.
var errBatchReused = errors.New("the number of a batch of codes is never used again with another secret: give the new codes another number")

// addSecrets adds the page of the secrets and returns its name; zero if there are none.
func (n newPages) addSecrets(had engine.BatchSecrets) storefile.PageName {
	text := had.Text()
	if text == nil {
		return storefile.PageName{}
	}
	return n.add(text)
}

// mergedSecrets returns the secrets of a store after a document with these discounts. Errors: errBatchReused.
func (s *Stores) mergedSecrets(ctx context.Context, store uuid.UUID, state *engine.StoreState, discounts []commerce.Discount) (engine.BatchSecrets, error) {
	text, err := s.readPage(ctx, store, state.Secrets)
	if err != nil {
		return nil, err
	}
	had, err := engine.ReadBatchSecrets(text)
	if err != nil {
		return nil, err
	}
	rule := had.Other()
	for i := range discounts {
		d := &discounts[i]
		for j := range d.CodeBatches {
			if b := &d.CodeBatches[j]; rule(d, b) {
				return nil, fmt.Errorf("discount %s, batch %d: %w", d.ID, b.Number, errBatchReused)
			}
		}
	}
	for i := range discounts {
		had.Add(&discounts[i])
	}
	return had, nil
}
