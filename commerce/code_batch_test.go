package commerce

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// slowCode is the printed form of a code, made from texts of binary digits.
func slowCode(discount uuid.UUID, b *CodeBatch, serial uint32) string {
	message := "code\x00" + string(discount[:]) + string([]byte{byte(b.Number >> 8), byte(b.Number)})
	message += string(binary.BigEndian.AppendUint32(nil, serial))
	mac := hmac.New(sha256.New, b.Secret)
	mac.Write([]byte(message))
	bits := fmt.Sprintf("%020b", serial)
	for _, octet := range mac.Sum(nil) {
		bits += fmt.Sprintf("%08b", octet)
	}
	code := b.Prefix + "-"
	for i := range 13 {
		digit, err := strconv.ParseUint(bits[5*i:5*i+5], 2, 8)
		if err != nil {
			panic(err)
		}
		code += string("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[digit])
	}
	return code
}

// slowReading compares a text with every code of some serials of the batches. It returns the name of the
// batch that has the code.
func slowReading(discounts []Discount, serials []uint32, text string) string {
	var from int
	var last []rune
	all := []rune(text)
	for from = len(all); from > 0 && len(last) < 13; from-- {
		if r := all[from-1]; unicode.IsLetter(r) || unicode.IsDigit(r) {
			last = append([]rune{r}, last...)
		}
	}
	symbols := string(last)
	for _, pair := range []string{"oO0", "iI1", "lL1"} {
		symbols = strings.NewReplacer(pair[:1], pair[2:], pair[1:2], pair[2:]).Replace(symbols)
	}
	plain := func(text string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r == '-' || unicode.IsSpace(r):
				return -1
			case 'a' <= r && r <= 'z':
				return r - 32
			}
			return r
		}, text)
	}
	got := plain(string(all[:from])) + "-" + plain(symbols)
	for _, d := range discounts {
		for _, b := range d.CodeBatches {
			for _, serial := range serials {
				prefix, code, _ := strings.Cut(slowCode(d.ID, &CodeBatch{Number: b.Number, Secret: b.Secret}, serial), "-")
				if len(last) == 13 && got == plain(b.Prefix+prefix)+"-"+code && d.Active && b.Active {
					return fmt.Sprint(d.ID, b.Number, serial)
				}
			}
		}
	}
	return ""
}

// testSerials are the serials that the tests of reading try.
var testSerials = []uint32{0, 1, 31, 32, 77_777, BatchCodes - 1}

// batchShop is a store with batches of several discounts, two of which are inactive.
func batchShop(t testing.TB) *Store {
	secret := func(n byte) []byte { return []byte(strings.Repeat(string(rune('a'+n)), 24+int(n))) }
	s := &Store{Discounts: []Discount{
		{ID: testID(0xd01), Active: true, CodeBatches: []CodeBatch{
			{Number: 0, Prefix: "WINTER", Secret: secret(0), Active: true, Uses: 1},
			{Number: 65_535, Prefix: "O-1-L", Secret: secret(1), Active: true, Uses: 3},
			{Number: 7, Prefix: "OFF", Secret: secret(2), Uses: 1},
		}},
		{ID: testID(0xd02), Active: true, Code: "plain", CodeBatches: []CodeBatch{{Number: 0, Prefix: "A--B", Secret: secret(3), Active: true, Uses: 1}}},
		{ID: testID(0xd03), CodeBatches: []CodeBatch{{Number: 1, Prefix: "ASLEEP", Secret: secret(4), Active: true, Uses: 1}}},
	}}
	s.Index()
	return s
}

func (s *Store) found(text string) string {
	d, code := s.discounts.batches.find(text)
	if d == nil {
		return ""
	}
	return fmt.Sprint(d.ID, code.Batch.Number, code.Serial)
}

// docs/api/discounts.md#batches-of-codes: the printed form.
func TestCodesAreThoseOfTheSlowImplementation(t *testing.T) {
	r := dice.New(t)
	for range 300 {
		secret := make([]byte, 24+r.IntN(41))
		for i := range secret {
			secret[i] = byte(r.Uint32())
		}
		d := Discount{ID: testID(r.IntN(1 << 20)), CodeBatches: []CodeBatch{{Number: r.IntN(MaxBatchNumber + 1), Prefix: "P", Secret: secret}}}
		serial := uint32(r.IntN(BatchCodes))
		want := serial
		for code := range d.Codes(&d.CodeBatches[0], serial) {
			if slow := slowCode(d.ID, &d.CodeBatches[0], want); code != slow {
				t.Fatalf("serial %d: %s; want %s", want, code, slow)
			}
			if want++; want == serial+3 {
				break
			}
		}
	}
}

// The form never changes: merchants have printed it.
func TestACodeKeepsItsForm(t *testing.T) {
	d := Discount{ID: uuid.MustParse("60000000-0000-4000-8000-000000000001"), CodeBatches: []CodeBatch{
		{Number: 258, Prefix: "SPRING", Secret: []byte("0123456789abcdefghijklmn")},
	}}
	for code := range d.Codes(&d.CodeBatches[0], 77_777) {
		if want := "SPRING-2BYH9EAD2TPTK"; code != want {
			t.Errorf("got %s, want %s", code, want)
		}
		break
	}
}

func TestABatchEndsWithItsLastCode(t *testing.T) {
	d := &batchShop(t).Discounts[0]
	n := 0
	for range d.Codes(&d.CodeBatches[0], BatchCodes-2) {
		n++
	}
	for range d.Codes(&d.CodeBatches[0], BatchCodes) {
		n++
	}
	if n != 2 {
		t.Errorf("%d codes from the last but one on", n)
	}
}

// typed is a code as a shopper may type it.
func typed(r *rand.Rand, code string) string {
	var text strings.Builder
	symbols := len(code)
	for i, c := range code {
		switch {
		case i < symbols-batchSymbols: // the prefix is not read by Crockford's rules
		case c == '0' && r.IntN(2) == 0:
			c = []rune("oO")[r.IntN(2)]
		case c == '1' && r.IntN(2) == 0:
			c = []rune("iIlL")[r.IntN(4)]
		}
		if r.IntN(2) == 0 {
			c = unicode.ToLower(c)
		}
		text.WriteRune(c)
		for range r.IntN(8) - 5 {
			text.WriteRune([]rune("- \u00a0")[r.IntN(3)])
		}
	}
	return text.String()
}

// docs/api/discounts.md#batches-of-codes: how a printed form is read.
func TestPrintedFormsAreRead(t *testing.T) {
	s, r := batchShop(t), dice.New(t)
	for range 400 {
		d := &s.Discounts[r.IntN(len(s.Discounts))]
		b := &d.CodeBatches[r.IntN(len(d.CodeBatches))]
		serial := testSerials[r.IntN(len(testSerials))]
		text := typed(r, slowCode(d.ID, b, serial))
		want := ""
		if d.Active && b.Active {
			want = fmt.Sprint(d.ID, b.Number, serial)
		}
		if got := s.found(text); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	}
	code := slowCode(s.Discounts[0].ID, &s.Discounts[0].CodeBatches[0], 31)
	for text, want := range map[string]bool{
		code: true, code + ".": true, "“" + code[7:] + "”": false, code[7:]: false, "WINTER" + code[7:]: true, "OFF-" + code[7:]: false,
		code + "0": false, code[:len(code)-1]: false, code[:7] + "U" + code[8:]: false, "": false, "-": false, "WINTER": false,
		"WINTER_" + code[7:]: false, "W\u0130NTER-" + code[7:]: false, code[:7] + "\u0660" + code[8:]: false, code[:9] + "\u00fc" + code[9:]: false,
	} {
		if got := s.found(text) != ""; got != want {
			t.Errorf("%q is a code: %v", text, got)
		}
	}
}

// Each character of a code counts: no other one in its place gives a code.
func TestAWrongCharacterIsNoCode(t *testing.T) {
	s := batchShop(t)
	d := &s.Discounts[0]
	code := slowCode(d.ID, &d.CodeBatches[0], 77_777)
	for i := len(code) - batchSymbols; i < len(code); i++ {
		for _, c := range symbols {
			if wrong := code[:i] + string(c) + code[i+1:]; wrong != code && s.found(wrong) != "" {
				t.Errorf("%s is a code like %s", wrong, code)
			}
		}
	}
}

func FuzzBatchCode(f *testing.F) {
	s := batchShop(f)
	d := &s.Discounts[0]
	for _, serial := range testSerials {
		f.Add(slowCode(d.ID, &d.CodeBatches[0], serial))
		f.Add(" off " + strings.ToLower(slowCode(d.ID, &d.CodeBatches[2], serial)))
	}
	f.Add("o-1 l" + slowCode(d.ID, &d.CodeBatches[1], 1)[6:])
	f.Fuzz(func(t *testing.T, text string) {
		if want := slowReading(s.Discounts, testSerials, text); want != "" && s.found(text) != want {
			t.Errorf("%q: got %q, want %q", text, s.found(text), want)
		} else if got := s.found(text); want == "" && got != "" {
			_, code := s.discounts.batches.find(text)
			if want := slowReading(s.Discounts, []uint32{code.Serial}, text); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	})
}

// countingHash counts the bytes and the sums of an HMAC.
type countingHash struct {
	hash.Hash
	work *[2]int
}

func (h countingHash) Write(p []byte) (int, error) {
	h.work[0] += len(p)
	return h.Hash.Write(p)
}

func (h countingHash) Sum(b []byte) []byte {
	h.work[1]++
	return h.Hash.Sum(b)
}

// wrongCodes are texts that no code of batchShop is. right is a code.
func wrongCodes(s *Store) (right string, wrong map[string]string) {
	d := &s.Discounts[0]
	own := &d.CodeBatches[0]
	stranger := *own
	stranger.Secret = []byte("the secret of another store")
	right = slowCode(d.ID, own, 31)
	return right, map[string]string{
		"a wrong check":            right[:len(right)-1] + "Z",
		"another discount's code":  "WINTER-" + slowCode(s.Discounts[1].ID, &s.Discounts[1].CodeBatches[0], 31)[5:],
		"another batch's code":     "WINTER-" + slowCode(d.ID, &d.CodeBatches[1], 31)[6:],
		"another store's code":     slowCode(d.ID, &stranger, 31),
		"another store's prefix":   "SUMMER-" + right[7:],
		"an inactive batch's code": slowCode(d.ID, &d.CodeBatches[2], 31),
		"an inactive discount":     slowCode(s.Discounts[2].ID, &s.Discounts[2].CodeBatches[0], 31),
		"a symbol that is none":    right[:8] + "U" + right[9:],
		"a letter beyond ASCII":    right[:8] + "é" + right[9:],
		"too short":                right[:len(right)-1],
		"a word":                   "HELLO",
		"nothing":                  "",
	}
}

// docs/api/discounts.md#batches-of-codes: a wrong code is invalid in the same time as any. The test counts
// the work of the HMAC and the allocations; BenchmarkBatchCode measures the time.
func TestEveryWrongCodeCostsTheSame(t *testing.T) {
	s, other := batchShop(t), batchShop(t)
	code, texts := wrongCodes(s)
	var first [2]int
	s.discounts.batches.hash = func() hash.Hash { return countingHash{sha256.New(), &first} }
	if s.found(code) == "" || first[1] == 0 {
		t.Fatalf("the right code: %v", first)
	}
	for name, text := range texts {
		var work [2]int
		s.discounts.batches.hash = func() hash.Hash { return countingHash{sha256.New(), &work} }
		if s.found(text) != "" || work != first {
			t.Errorf("%s: %v of work, the right code %v", name, work, first)
		}
	}
	right := testing.AllocsPerRun(20, func() { other.discounts.batches.find(code) })
	for name, text := range texts {
		if wrong := testing.AllocsPerRun(20, func() { other.discounts.batches.find(text) }); wrong != right {
			t.Errorf("%s: %v allocations, the right code %v", name, wrong, right)
		}
	}
}

// docs/store-document.md: a discount with batches is never automatic.
func TestADiscountWithBatchesIsNotAutomatic(t *testing.T) {
	s := batchShop(t)
	if n := len(s.discounts.automatic); n != 0 {
		t.Errorf("%d automatic discounts", n)
	}
	off := &Store{Discounts: []Discount{{ID: testID(0xd01), Active: true, CodeBatches: []CodeBatch{{Prefix: "OFF", Secret: make([]byte, 24)}}}}}
	if off.Index(); len(off.discounts.automatic) != 0 {
		t.Error("a discount of which all batches are inactive is automatic")
	}
}

func BenchmarkBatchCode(b *testing.B) {
	s := batchShop(b)
	right, texts := wrongCodes(s)
	texts["the right code"] = right
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.discounts.batches.find(text)
			}
		})
	}
}

// discounts[].code, orders and explain show the printed form, whatever the shopper typed. The discount's
// own code shows the document's spelling.
func TestAnAppliedCodeShowsItsPrintedForm(t *testing.T) {
	d := coded(DiscountOrder)
	d.ID, d.CodeBatches = testID(0xd01), []CodeBatch{{Number: 3, Prefix: "A-B", Secret: make([]byte, 24), Active: true, Uses: 1}}
	printed := slowCode(d.ID, &d.CodeBatches[0], 99)
	s := withCode(t, d)
	for typed, want := range map[string]string{strings.ToLower(printed) + " ": printed, "ab" + printed[4:]: printed, " CODE": "Code"} {
		s.do(AttachCode{Code: typed})
		e := s.evaluate()
		if len(e.Discounts) != 1 || e.Discounts[0].Spelling() != want || e.goods(s.shop).Discounts[0].Code != want || s.cart.Codes[0].Code != typed {
			t.Fatalf("%q: %+v, stored as %q", typed, e.Discounts, s.cart.Codes[0].Code)
		}
		x := Explain(s.cart, s.shop, s.in.Visitor, s.in.Now, nil)
		if x.Discounts[0].Code != want || x.Codes[0].Code != typed {
			t.Errorf("%q is explained as %+v, %+v", typed, x.Codes, x.Discounts)
		}
	}
}

// An ordinary code of the same text wins; a code of a batch is known if batch and discount are active.
func TestAnOrdinaryCodeWins(t *testing.T) {
	batch, own := coded(DiscountOrder), coded(DiscountOrder)
	batch.ID, batch.Code, batch.CodeBatches = testID(0xd01), "", []CodeBatch{{Prefix: "P", Secret: make([]byte, 24), Active: true, Uses: 1}}
	printed := slowCode(batch.ID, &batch.CodeBatches[0], 5)
	own.ID, own.Code = testID(0xd02), strings.ToLower(printed)
	for _, c := range []struct {
		own, batch, inactive bool
		want                 uuid.UUID
	}{
		{true, true, false, own.ID}, {false, true, false, batch.ID}, {false, false, false, uuid.Nil}, {false, true, true, uuid.Nil},
	} {
		own.Active, batch.Active = c.own, c.batch
		batch.CodeBatches[0].Active = !c.inactive
		s := withCode(t, batch, own)
		s.do(AttachCode{Code: " " + printed})
		e := s.evaluate()
		known := s.shop.KnowsCode(s.cart.Codes[0].Code)
		if known != (c.want != uuid.Nil) || known != (e.FirstCodeError() != CodeInvalid) || known && e.Discounts[0].Discount.ID != c.want {
			t.Errorf("%+v: known %v, %q, %+v", c, known, e.FirstCodeError(), e.Discounts)
		}
	}
}
