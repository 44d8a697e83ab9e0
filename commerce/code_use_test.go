package commerce

import (
	"slices"
	"testing"
)

// batched is a discount with a batch of codes, each of which two orders may use.
func batched(n int) Discount {
	return Discount{ID: testID(0xd0 + n), Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 50e9},
		CodeBatches: []CodeBatch{{Number: 7, Prefix: "B", Secret: make([]byte, 24), Active: true, Uses: 2}}}
}

// A sale counts a use of the code by its batch and serial, and the order keeps it.
// docs/api/discounts.md#batches-of-codes.
func TestASaleCountsTheCodeOfABatch(t *testing.T) {
	d := batched(1)
	common, own := Use{Discount: d.ID}, Use{Discount: d.ID, Counter: CountCode, Field: "7:99", Limit: 2, Lasting: true}
	for _, quote := range []bool{false, true} {
		s := checkoutScene(t)
		s.shop.Discounts = []Discount{d}
		s.shop.Index()
		s.do(AttachCode{Code: slowCode(d.ID, &d.CodeBatches[0], 99)})
		var command Command[*Cart] = s.order()
		if quote {
			command = s.ask()
		}
		_, effects, r := s.try(command)
		if r != nil || !slices.Equal(effects.Sale.Uses, []Use{common, own}) {
			t.Fatalf("quote %v: %v, uses %+v", quote, r, effects.Sale.Uses)
		}
		if quote {
			continue
		}
		kept := own
		kept.Limit, kept.Lasting = 0, false
		if got := effects.Sale.Order.Uses; !slices.Equal(got, []Use{kept}) {
			t.Errorf("the order keeps %+v", got)
		}
		if back := effects.Sale.Order.returns(s.shop, false, noon); !slices.Equal(back.Uses, []Use{common, kept}) {
			t.Errorf("a cancel returns %+v", back.Uses)
		}
	}
}

// The limit of one code does not count for another one of the batch, nor for the discount's own code.
func TestAUsedUpCodeIsOneCode(t *testing.T) {
	d := batched(1)
	d.Code = "own"
	first, second := slowCode(d.ID, &d.CodeBatches[0], 99), slowCode(d.ID, &d.CodeBatches[0], 100)
	s := checkoutScene(t)
	s.shop.Discounts = []Discount{d}
	s.shop.Index()
	s.in.Shortage = &Shortage{Used: []Use{{Discount: d.ID, Counter: CountCode, Field: "7:99", Limit: 2, Lasting: true}}}
	for _, c := range []struct {
		codes, errors []string
		used          string // the field
	}{
		{[]string{first}, []string{CodeUsageLimit}, ""},
		{[]string{second}, []string{""}, "7:100"},
		{[]string{first, second}, []string{CodeUsageLimit, ""}, "7:100"},
		{[]string{first, "own"}, []string{CodeUsageLimit, ""}, ""},
		{[]string{second, "own"}, []string{"", CodeNotEligible}, "7:100"},
	} {
		s.cart.Codes = nil
		for _, code := range c.codes {
			s.cart.Codes = append(s.cart.Codes, AttachedCode{Code: code})
		}
		e := evaluateForSale(s.cart, &s.in)
		if !slices.Equal(e.CodeErrors, c.errors) {
			t.Errorf("%q: %q, want %q", c.codes, e.CodeErrors, c.errors)
		}
		used := ""
		for _, use := range e.uses(e.goods(s.shop).Discounts, Binding{}, "a@b.co") {
			if use.Counter == CountCode {
				used = use.Field
			}
		}
		if used != c.used {
			t.Errorf("%q: counts %q, want %q", c.codes, used, c.used)
		}
	}
}

// The attach of a code of a batch needs the number of its uses, by guests too, and keeps it with the code: a
// code that is used up is shown so. Another attach counts again.
func TestAUsedUpCodeIsShown(t *testing.T) {
	d := batched(1)
	code := slowCode(d.ID, &d.CodeBatches[0], 99)
	use := Use{Discount: d.ID, Counter: CountCode, Field: "7:99", Limit: 2, Lasting: true}
	for _, who := range []Visitor{guest, ada} {
		s := checkoutScene(t)
		s.shop.Discounts = []Discount{d}
		s.shop.Index()
		s.in.Visitor = who
		_, effects, r := s.try(AttachCode{Code: code})
		if r != nil || effects.Uncounted == nil || !slices.Equal(effects.Uncounted.Uses, []Use{use}) {
			t.Fatalf("needs %+v, %v", effects.Uncounted, r)
		}
		for used, want := range []string{"", "", CodeUsageLimit} { // two orders may use it
			s.in.Counts = &UseCounts{Uses: []Use{use}, Counts: []int64{int64(used)}}
			s.cart.Codes = nil
			s.do(AttachCode{Code: code})
			if e := s.evaluate(); e.FirstCodeError() != want || s.cart.Codes[0].Used != int64(used) {
				t.Errorf("used %d times: %q, keeps %+v; want %q", used, e.FirstCodeError(), s.cart.Codes, want)
			}
		}
	}
}
