package stores

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/records"
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

// CodeSerialsKey is the key of the next serial of each batch of codes: {<store>}:code-serials, a hash
// of engine.BatchField → the number of serials from 0 on that were given.
func CodeSerialsKey(store uuid.UUID) string { return records.SingleKey(store, "code-serials") }

// GivenCodes are codes of a batch in a store's history, without the codes.
type GivenCodes struct {
	At       time.Time `json:"-"`
	Discount uuid.UUID `json:"discount"`
	Batch    int64     `json:"batch"`
	Count    int64     `json:"count"`
	// By is the command, or the name of the API key.
	By string `json:"by"`
	// Next is the serial after the last one. It stands last, where the script can place it.
	Next int64 `json:"next"`
}

// WriteCodes adds given codes to a plan, which writes them into the store's history. The next serial is
// the n-th text that the plan makes; for n = 0 it is that of the entry.
func WriteCodes(plan *records.Plan, store uuid.UUID, given GivenCodes, n int, now time.Time) {
	key := codeHistory.key(store)
	line := records.Millis(now) + " " + makeLine(codeHistory, given).text
	if n == 0 {
		plan.List("RPUSH", key, line)
	} else {
		plan.Place("RPUSH", key, strings.TrimSuffix(line, "0}"), records.Placed{Made: n, Suffix: "}"})
	}
	plan.List("LTRIM", key, strconv.Itoa(-codeHistory.max), "-1")
}
