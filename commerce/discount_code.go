package commerce

import (
	"slices"
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
	// Used is how often a code of a batch had been used when it was counted; zero for any other code.
	Used int64
}

// FirstCode is the code that was attached first; nil if there is none.
func (c *Cart) FirstCode() *string {
	if len(c.Codes) == 0 {
		return nil
	}
	return &c.Codes[0].Code
}

// AttachCode adds a discount code to those of the cart. In a store whose carts have one code it replaces
// the earlier one. The code need not apply: that is evaluated on every read. It is stored as sent.
type AttachCode struct {
	Code string
	// Spent is true if the caller has tried too many unknown codes on this cart.
	Spent bool
}

// DetachCode removes all attached codes, or one of them.
type DetachCode struct {
	// Code is the only code to remove; nil removes all, if there are any.
	Code *string
}

func (AttachCode) Locate(*Cart) *Refusal { return nil }

func (d DetachCode) Locate(c *Cart) *Refusal {
	if d.Code != nil && c.code(*d.Code) < 0 {
		return NotFound("DiscountCode", *d.Code)
	}
	return nil
}

// code returns the index of an attached code, or −1. The texts match as codes do; if none matches as a
// store's own code, those of batches match in all forms in which they can be typed.
func (c *Cart) code(code string) int {
	key := CodeKey(code)
	at := slices.IndexFunc(c.Codes, func(a AttachedCode) bool { return CodeKey(a.Code) == key })
	if at < 0 {
		at = slices.IndexFunc(c.Codes, func(a AttachedCode) bool { return sameBatchCode(a.Code, code) })
	}
	return at
}

// attached returns the index of an attached code that names the same code of the store, or −1.
func (s *Store) attached(c *Cart, code string) int {
	key := CodeKey(code)
	_, of := s.discountByCode(code)
	return slices.IndexFunc(c.Codes, func(a AttachedCode) bool {
		if CodeKey(a.Code) == key {
			return true
		}
		_, other := s.discountByCode(a.Code)
		return of.Batch != nil && other == of
	})
}

// Apply judges the number of codes ahead of the tries. docs/api/discounts.md#several-codes.
func (a AttachCode) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	codes, refusal := a.join(next, in)
	if refusal != nil {
		return Effects{}, refusal
	}
	next.Codes = codes
	return Effects{Uncounted: in.countUses(codes)}, nil
}

// join returns the codes of the cart with the new one, in a slice of their own.
func (a AttachCode) join(c *Cart, in *Input) ([]AttachedCode, *Refusal) {
	codes, limit := slices.Clone(c.Codes), in.Store.Policy.CodeLimit()
	at := len(codes)
	switch {
	case limit == 1:
		codes, at = nil, 0
	case in.Store.attached(c, a.Code) >= 0:
		return codes, nil
	case at >= limit:
		at = slices.IndexFunc(codes, func(c AttachedCode) bool { return in.Store.codeIsOver(c.Code, in.Now) })
	}
	if at < 0 {
		return nil, CodeLimitReached.atMost(limit)
	}
	if a.Spent {
		return nil, TooManyAttempts
	}
	return slices.Replace(codes, at, min(at+1, len(codes)), AttachedCode{Code: a.Code}), nil
}

// codeIsOver reports whether a code is invalid or expired at now.
func (s *Store) codeIsOver(code string, now time.Time) bool {
	d, _ := s.discountByCode(code)
	return d == nil || !d.runs(now)
}

func (d DetachCode) Apply(next *Cart, _ *Input) (Effects, *Refusal) {
	if d.Code == nil || len(next.Codes) == 1 {
		next.Codes = nil
		return Effects{}, nil
	}
	at := next.code(*d.Code)
	next.Codes = slices.Delete(slices.Clone(next.Codes), at, at+1)
	return Effects{}, nil
}

const (
	// MaxDiscountCodes is the maximum of a store's limit of codes for one cart.
	MaxDiscountCodes = 10
	// MaxCodeLength is the maximum number of code points in a request's discount code.
	MaxCodeLength = 64
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

// CodeUse is the use of a discount by a code of it; false if the discount is not active or has another code.
func (s *Store) CodeUse(d *Discount, code string) (Use, bool) {
	found, of := s.discountByCode(code)
	switch {
	case found == nil || found.ID != d.ID:
		return Use{}, false
	case of.Batch == nil:
		return Use{Discount: d.ID}, true
	}
	return Use{Discount: d.ID, Counter: CountCode, Field: of.field()}, true
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

// What a customer can do for a code that has no effect.
const (
	MissingAmount   = "amount"   // buy for so much more
	MissingProducts = "products" // buy a quantity of some products
	MissingGroup    = "group"    // be another customer
)

// CodeMissing is what a cart lacks for a code that has no effect.
type CodeMissing struct {
	Kind string
	// Amount is what the lines lack of the discount's minimum.
	Amount Amount
	// Quantity is what the discount asks for of the products of Range.
	Quantity Quantity
	Range    ProductRange
}

// ExplainedCode is an attached code in an explanation. Missing is nil if the code applies, or if no change of the cart helps.
type ExplainedCode struct {
	CodeResult
	Missing *CodeMissing
}

// explainCodes returns the results of the attached codes, in the order of attaching, with what is missing for them.
func (e *Evaluation) explainCodes(ctx Pricing) []ExplainedCode {
	all := make([]ExplainedCode, len(e.Cart.Codes))
	for i := range all {
		all[i].CodeResult = e.CodeResult(i)
	}
	if e.Overflow {
		return all // the discounts were not looked at
	}
	for i := range e.coded {
		at := e.coded[i].code
		all[at].Missing = e.missing(e.coded[i].readyDiscount, all[at].Error, ctx)
	}
	return all
}

// missing returns what the cart lacks for the discount of a code.
func (e *Evaluation) missing(r *readyDiscount, reason string, ctx Pricing) *CodeMissing {
	switch reason {
	case CodeMinOrder:
		left := *r.MinOrder - e.DiscountTotal
		for _, total := range e.LineTotals {
			left -= total
		}
		return &CodeMissing{Kind: MissingAmount, Amount: left}
	case CodeNotEligible:
		if len(r.GroupIDs) > 0 && !slices.Contains(r.GroupIDs, ctx.GroupID) {
			return &CodeMissing{Kind: MissingGroup}
		}
		return e.lacking(r)
	}
	return nil
}

// lacking returns the products that a discount asks for and the cart does not have; nil if it has them.
func (e *Evaluation) lacking(r *readyDiscount) *CodeMissing {
	quantity := func(of rangeNumber) (sum Quantity) {
		for i := range e.Cart.Lines {
			if of.within(e.lists[i]) {
				sum = sum.Add(e.Cart.Lines[i].Quantity)
			}
		}
		return sum
	}
	switch {
	case r.Kind == DiscountProducts && quantity(r.products) == 0:
		return &CodeMissing{Kind: MissingProducts, Quantity: One, Range: r.ProductRange}
	case r.Kind == DiscountBogo && quantity(r.buy) < r.Buy.MinQuantity:
		return &CodeMissing{Kind: MissingProducts, Quantity: r.Buy.MinQuantity, Range: r.Buy.ProductRange}
	case r.Kind == DiscountBogo && quantity(r.get) == 0:
		return &CodeMissing{Kind: MissingProducts, Quantity: r.Get.Quantity, Range: r.Get.ProductRange}
	}
	return nil
}
