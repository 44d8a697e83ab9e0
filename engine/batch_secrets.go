package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// BatchSecrets are the secrets of all batches of codes that a store's documents have had: BatchField → SHA-256 of
// the secret, hex. The uses of codes are counted by number and serial, so a number is never used again for other codes.
type BatchSecrets map[string]string

// BatchField is a batch's field in BatchSecrets, and in the hashes of batches: discount id, colon, number.
func BatchField(discount uuid.UUID, number int64) string {
	return discount.String() + ":" + strconv.FormatInt(number, 10)
}

// ReadBatchSecrets reads the text of a page of secrets; a store without one has none.
func ReadBatchSecrets(text []byte) (BatchSecrets, error) {
	had := BatchSecrets{}
	if text == nil {
		return had, nil
	}
	return had, json.Unmarshal(text, &had)
}

// Text is the text of the page of the secrets; nil if there are none.
func (had BatchSecrets) Text() []byte {
	if len(had) == 0 {
		return nil
	}
	text, err := json.Marshal(had)
	if err != nil {
		panic(err) // texts always have a JSON form
	}
	return text
}

func hashOfSecret(b *commerce.CodeBatch) string {
	hash := sha256.Sum256(b.Secret)
	return hex.EncodeToString(hash[:])
}

// Other is a rule of documents: whether a batch's number has had another secret.
func (had BatchSecrets) Other() storefile.BatchRule {
	return func(d *commerce.Discount, b *commerce.CodeBatch) bool {
		before := had[BatchField(d.ID, int64(b.Number))]
		return before != "" && before != hashOfSecret(b)
	}
}

// Add adds the secrets of a discount's batches.
func (had BatchSecrets) Add(d *commerce.Discount) {
	for i := range d.CodeBatches {
		b := &d.CodeBatches[i]
		had[BatchField(d.ID, int64(b.Number))] = hashOfSecret(b)
	}
}
