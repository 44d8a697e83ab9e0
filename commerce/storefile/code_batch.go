package storefile

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// codeBatches are the batches of codes of a discount.
var codeBatches = ahead(atMost(filled(listOf(codeBatch)), commerce.MaxCodeBatches, "code batches"), func(d *document) { d.batchNumbers = register[int]{} })

var codeBatch = objectKind("code_batch",
	field.Required("number", batchNumber, "Unique in the discount, and never used again for other codes.", func(b *commerce.CodeBatch) *int { return &b.Number }),
	field.Required("prefix", batchPrefix, `Unique in the document without "-".`, func(b *commerce.CodeBatch) *string { return &b.Prefix }),
	describedRequired[commerce.CodeBatch]("secret", signingKey, ""),
	rule(readBatchSecret),
	field.Optional("active", boolean(true), "", func(b *commerce.CodeBatch) *bool { return &b.Active }),
	field.Optional("uses", wholeOr[int64](1, commerce.MaxBatchUses, 1, 1), "The number of orders that may use each code.",
		func(b *commerce.CodeBatch) *int64 { return &b.Uses }),
)

// batchNumber is the kind of numbers that are unique in a discount.
var batchNumber = known(openapi.Integer.Min(0).Max(commerce.MaxBatchNumber), func(d *document, f value) int {
	n, ok := f.within(0, commerce.MaxBatchNumber)
	if ok {
		d.batchNumbers.unique(f, int(n))
	}
	return int(n)
})

// aBatchPrefix describes the prefixes of codes.
var aBatchPrefix = fmt.Sprintf(`1 to %d of A–Z, 0–9 and "-"`, commerce.MaxBatchPrefix)

// batchPrefix is the kind of prefixes. Two that differ only in "-" are the same.
var batchPrefix = known(openapi.Text.Pattern(fmt.Sprintf(`^[A-Z0-9-]{1,%d}$`, commerce.MaxBatchPrefix)).About(aBatchPrefix),
	func(d *document, f value) string {
		prefix, ok := f.str()
		if !ok {
			return ""
		}
		if !commerce.IsBatchPrefix(prefix) {
			f.mustBe(aBatchPrefix)
			return ""
		}
		d.batchPrefixes.unique(f, commerce.BatchPrefixKey(prefix))
		return prefix
	})

// readBatchSecret reads the secret of a batch. A batch of a change set keeps the secret that the store has for its number.
func readBatchSecret(d *document, o value, b *commerce.CodeBatch) {
	secret := o.get("secret")
	if kept := d.stored.batch(d.discount, b.Number); secret.absent() && kept != nil && !o.get("number").absent() {
		b.Secret = kept.Secret
		if d.secrets == nil {
			d.secrets = map[*byte]string{}
		}
		d.secrets[&o.raw[0]] = secretText(kept.Secret)
		return
	}
	signingKey.Read(o.required("secret"), &b.Secret)
}

// BatchRule reports whether a batch has another secret than its number had in an earlier document.
type BatchRule func(*commerce.Discount, *commerce.CodeBatch) bool

// secretDiffers is the fault of a batch that has another secret than its number had.
const secretDiffers = "is not the secret that the number had before: give the new codes another number"

// BatchedDiscounts are the discounts with batches of codes in the text of a page or of a document.
func BatchedDiscounts(text []byte) (ids []uuid.UUID, err error) {
	root, err := strictjson.Parse(text)
	if err != nil {
		return nil, err
	}
	discounts, _ := root.Get(discountList)
	for _, discount := range discounts.Items() {
		batches, _ := discount.Get("code_batches")
		if batches.Len() == 0 {
			continue
		}
		text, _ := discount.Get("id")
		if id, ok := commerce.ParseID(text.Text()); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
