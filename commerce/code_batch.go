package commerce

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// batchIndex finds the batch of a code. It has the active batches of the active discounts.
type batchIndex struct {
	// byPrefix has the batches by BatchPrefixKey.
	byPrefix map[string]*readyBatch
	// hash is the hash of the codes' HMAC in a test that counts its work; nil for SHA-256.
	hash func() hash.Hash
}

// readyBatch is a batch with its discount.
type readyBatch struct {
	*CodeBatch
	discount *readyDiscount
}

// decoy takes the place of the batch of a text that names none, so that every text costs the same.
var decoy = &readyBatch{CodeBatch: &CodeBatch{Secret: make([]byte, sha256.Size)}, discount: &readyDiscount{Discount: &Discount{}}}

// add adds the active batches of a discount.
func (x *batchIndex) add(d *readyDiscount) {
	for i := range d.CodeBatches {
		if b := &d.CodeBatches[i]; b.Active {
			if x.byPrefix == nil {
				x.byPrefix = map[string]*readyBatch{}
			}
			x.byPrefix[BatchPrefixKey(b.Prefix)] = &readyBatch{b, d}
		}
	}
}

// find returns the discount of a code of a batch, and the code; nil if the text is none. In a store with
// batches it takes the same time for each text that is none: one of another discount or store, one with a
// wrong character, and any other.
func (x *batchIndex) find(code string) (*readyDiscount, BatchCode) {
	if len(x.byPrefix) == 0 {
		return nil, BatchCode{}
	}
	var prefix [MaxCodeLength * utf8.UTFMax]byte
	key, serial, check, ok := readBatchCode(prefix[:0], code)
	b := x.byPrefix[string(key)]
	if b == nil {
		b = decoy
	}
	newHash := sha256.New
	if x.hash != nil {
		newHash = x.hash
	}
	same := checkOf(hmac.New(newHash, b.Secret), b.discount.ID, b.Number, serial) == check
	if !same || !ok || b == decoy {
		return nil, BatchCode{}
	}
	return b.discount, BatchCode{b.CodeBatch, serial, check}
}

// sameBatchCode reports whether two texts would be the same code of a batch.
func sameBatchCode(a, b string) bool {
	prefix, serial, check, ok := readBatchCode(nil, a)
	other, otherSerial, otherCheck, otherOK := readBatchCode(nil, b)
	return ok && otherOK && serial == otherSerial && check == otherCheck && bytes.Equal(prefix, other)
}

// readBatchCode reads the last 13 letters and digits of a text as serial and check, and appends the
// BatchPrefixKey of what precedes them to dst. It returns false if there are fewer, or if one is no
// symbol of Crockford's. Everything else between the symbols and behind them is skipped.
func readBatchCode(dst []byte, code string) (prefix []byte, serial uint32, check uint64, ok bool) {
	var digits [batchSymbols]uint64
	ok = true
	for left := batchSymbols; left > 0; {
		if code == "" {
			return dst, 0, 0, false
		}
		r, size := utf8.DecodeLastRuneInString(code)
		code = code[:len(code)-size]
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			left--
			digit, known := symbolOf(r)
			digits[left], ok = digit, ok && known
		}
	}
	for i, digit := range digits {
		if i < serialBits/symbolBits {
			serial = serial<<symbolBits | uint32(digit)
		} else {
			check = check<<symbolBits | digit
		}
	}
	return appendBatchPrefixKey(dst, code), serial, check, ok
}

// symbolOf is the value of a symbol, by Crockford's rules: in any case, O read as 0, I and L as 1.
func symbolOf(r rune) (uint64, bool) {
	switch {
	case 'a' <= r && r <= 'z':
		r += 'A' - 'a'
	case r >= utf8.RuneSelf:
		return 0, false
	}
	switch r {
	case 'O':
		r = '0'
	case 'I', 'L':
		r = '1'
	}
	i := strings.IndexByte(symbols, byte(r))
	return uint64(max(i, 0)), i >= 0
}

// BatchPrefixKey is the normal form of a prefix: case, "-" and spaces do not count.
func BatchPrefixKey(prefix string) string { return string(appendBatchPrefixKey(nil, prefix)) }

func appendBatchPrefixKey(dst []byte, prefix string) []byte {
	for _, r := range prefix {
		switch {
		case r == '-' || unicode.IsSpace(r):
		case 'a' <= r && r <= 'z':
			dst = append(dst, byte(r-'a'+'A'))
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// IsBatchPrefix reports whether a text can be the prefix of a batch.
func IsBatchPrefix(prefix string) bool {
	for i := range len(prefix) {
		if c := prefix[i]; c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return prefix != "" && len(prefix) <= MaxBatchPrefix
}

// CodeRequest asks for codes of a batch.
type CodeRequest struct {
	Discount uuid.UUID
	Batch    int64
	Count    int64
	// From is the serial of the first code; nil for the serials that follow all that were ever given.
	From *int64
}

// Find returns the discount and the batch that a request names, active or not.
func (q *CodeRequest) Find(s *Store) (*Discount, *CodeBatch, *Refusal) {
	d := s.Discount(q.Discount)
	if d == nil {
		return nil, nil, NotFound("Discount", q.Discount.String())
	}
	b := d.Batch(q.Batch)
	if b == nil {
		return nil, nil, FaultOf("batch", MsgIn("batch"))
	}
	if q.From != nil && *q.From+q.Count > BatchCodes {
		return nil, nil, TooFewCodes(BatchCodes - *q.From)
	}
	return d, b, nil
}

// TooFewCodes refuses a request for more codes than are left.
func TooFewCodes(left int64) *Refusal { return FaultOf("count", MsgMax("count", left)) }
