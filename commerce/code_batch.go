package commerce

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"iter"
	"strconv"

	"github.com/google/uuid"
)

const (
	// MaxCodeBatches is the number of batches that a discount may have.
	MaxCodeBatches = 100
	// MaxBatchNumber is the greatest number of a batch.
	MaxBatchNumber = 65_535
	// MaxBatchPrefix is the maximum number of characters of a batch's prefix.
	MaxBatchPrefix = 12
	// MaxBatchUses is the greatest number of uses of each code of a batch.
	MaxBatchUses = 1_000_000
	// BatchCodes is the number of codes of a batch. Their serials begin with 0.
	BatchCodes = 1 << serialBits
	// MaxCodesAtOnce is the number of codes that one request may ask for.
	MaxCodesAtOnce = 10_000
)

// CodeBatch is a batch of codes of a discount. The codes are computed from the secret: nothing is
// stored for a code until it is used. docs/api/discounts.md#batches-of-codes.
type CodeBatch struct {
	// Number is unique in the discount. It is never used again for other codes.
	Number int
	// Prefix is unique in the store, by BatchPrefixKey.
	Prefix string
	// Secret is decoded from whsec_….
	Secret []byte
	Active bool
	// Uses is the number of orders that may use each code.
	Uses int64
}

// A code is the prefix, "-" and 13 symbols: 20 bits of the serial, then the first 45 bits of an HMAC.
const (
	symbolBits   = 5
	serialBits   = 20
	checkBits    = 45
	batchSymbols = (serialBits + checkBits) / symbolBits
)

// symbols are the digits of Crockford's base 32: those that are not easily taken for another.
const symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// BatchCode is one code of a batch.
type BatchCode struct {
	// Batch is nil if there is no such code.
	Batch  *CodeBatch
	Serial uint32
	check  uint64
}

// field is what the uses of the code are counted by: batch and serial. It is no id of a customer.
func (c BatchCode) field() string {
	return strconv.Itoa(c.Batch.Number) + ":" + strconv.FormatUint(uint64(c.Serial), 10)
}

// Batch returns the discount's batch of a number, or nil.
func (d *Discount) Batch(number int64) *CodeBatch {
	return find(d.CodeBatches, func(b *CodeBatch) bool { return int64(b.Number) == number })
}

// Codes are the printed forms of the codes of a batch, from a serial on, to the last one.
func (d *Discount) Codes(b *CodeBatch, from uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		mac := hmac.New(sha256.New, b.Secret)
		for serial := from; serial < BatchCodes; serial++ {
			mac.Reset()
			code := BatchCode{b, serial, checkOf(mac, d.ID, b.Number, serial)}
			if !yield(code.String()) {
				return
			}
		}
	}
}

// String is the code's printed form.
func (c BatchCode) String() string {
	code := make([]byte, 0, MaxBatchPrefix+1+batchSymbols)
	code = append(append(code, c.Batch.Prefix...), '-')
	for shift := serialBits - symbolBits; shift >= 0; shift -= symbolBits {
		code = append(code, symbols[c.Serial>>shift&(1<<symbolBits-1)])
	}
	for shift := checkBits - symbolBits; shift >= 0; shift -= symbolBits {
		code = append(code, symbols[c.check>>shift&(1<<symbolBits-1)])
	}
	return string(code)
}

// checkOf is the check of a code: the first 45 bits of the HMAC under its batch's secret.
func checkOf(mac hash.Hash, discount uuid.UUID, number int, serial uint32) uint64 {
	const purpose = "code\x00"
	var text [len(purpose) + len(discount) + 2 + 4]byte
	message := append(append(text[:0], purpose...), discount[:]...)
	message = binary.BigEndian.AppendUint16(message, uint16(number))
	message = binary.BigEndian.AppendUint32(message, serial)
	mac.Write(message)
	var sum [sha256.Size]byte
	return binary.BigEndian.Uint64(mac.Sum(sum[:0])) >> (64 - checkBits)
}
