package commerce

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// AttachedCode is a discount code of a cart.
type AttachedCode struct {
	// Code is the text as sent.
	Code string
	// Counted is how often an account has used the code's discount; zero if that was not counted.
	Counted CountedUses
}

// FirstCode is the code that was attached first; nil if there is none.
func (c *Cart) FirstCode() *string {
	if len(c.Codes) == 0 {
		return nil
	}
	return &c.Codes[0].Code
}

// AttachCode replaces the attached discount code, if any. The code need not apply: that is
// evaluated on every read. The code is stored as sent.
type AttachCode struct {
	Code string
	// Spent is true if the caller has tried too many unknown codes on this cart.
	Spent bool
}

// DetachCode removes the attached code, if there is one.
type DetachCode struct{}

func (AttachCode) Locate(*Cart) *Refusal { return nil }
func (DetachCode) Locate(*Cart) *Refusal { return nil }

func (a AttachCode) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	if a.Spent {
		return Effects{}, TooManyAttempts
	}
	next.Codes = []AttachedCode{{Code: a.Code}}
	return Effects{Uncounted: in.countUses(next.Codes)}, nil
}

func (DetachCode) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	next.Codes = nil
	return Effects{}, nil
}

const (
	// MaxDiscountCodes is the number of codes that a cart can have.
	MaxDiscountCodes = 1
	// MaxCodeLength is the maximum number of code points in a request's discount code.
	MaxCodeLength = 64
	// UnknownCodes is the maximum number of unknown codes that one caller may try on a cart within
	// CodeWindow. A code is unknown if no active discount of the store has it.
	UnknownCodes = 20
	// CodeWindow is the sliding window of UnknownCodes.
	CodeWindow = time.Hour
)

// MinCodeLength is the number of characters below which a code can be guessed by new carts, within the
// request limit. docs/api/discounts.md#how-long-a-code-must-be.
const MinCodeLength = 8

// ShortCodes are the codes of active discounts below MinCodeLength, in the document's order.
func (s *Store) ShortCodes() (codes []string) {
	for i := range s.Discounts {
		d := &s.Discounts[i]
		if d.Active && d.Code != "" && utf8.RuneCountInString(CodeKey(d.Code)) < MinCodeLength {
			codes = append(codes, d.Code)
		}
	}
	return codes
}

// CodeKey is the normal form of a code: case and surrounding space do not count.
func CodeKey(code string) string { return string(appendCodeKey(nil, code)) }

func appendCodeKey(dst []byte, code string) []byte {
	code = strings.TrimSpace(code)
	for i := range len(code) {
		if code[i] >= utf8.RuneSelf {
			return append(dst, strings.Map(withoutCase, code)...)
		}
	}
	for i := range len(code) {
		c := code[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// withoutCase maps all case forms of a letter to one, also if there are more than two (Σ, σ and ς).
func withoutCase(r rune) rune {
	r = unicode.ToLower(r)
	smallest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		smallest = min(smallest, other)
	}
	return unicode.ToLower(smallest)
}

// KnowsCode reports whether an active discount of the store has the code.
func (s *Store) KnowsCode(code string) bool {
	d, _ := s.discountByCode(code)
	return d != nil
}

// discountByCode returns the active discount of a code, nil if there is none. The BatchCode is zero if
// it is the discount's own code, which wins over a code of a batch.
func (s *Store) discountByCode(code string) (*readyDiscount, BatchCode) {
	var key [MaxCodeLength * utf8.UTFMax]byte
	if own := s.discounts.byCode[string(appendCodeKey(key[:0], code))]; own != nil {
		return own, BatchCode{}
	}
	return s.discounts.batches.find(code)
}
