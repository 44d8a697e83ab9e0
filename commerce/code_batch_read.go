package commerce

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
