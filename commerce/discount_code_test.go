package commerce

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// codeFaults has every reason why a code does not apply, in the order of judgement.
// Spec: Cart, discount_code_error.
var codeFaults = []struct {
	name, want string
	kind       DiscountKind // the only kind that can have it; DiscountOrder means any kind
	raise      func(*Discount)
}{
	{"inactive", CodeInvalid, DiscountOrder, func(d *Discount) { d.Active = false }},
	{"not begun", CodeExpired, DiscountOrder, func(d *Discount) { d.StartsAt = noon.Add(time.Hour) }},
	{"over", CodeExpired, DiscountOrder, func(d *Discount) { d.EndsAt = noon }},
	{"used up", CodeUsageLimit, DiscountOrder, func(d *Discount) { d.UsageLimit, d.Used = new(int64), 0 }},
	{"another group", CodeNotEligible, DiscountOrder, func(d *Discount) { d.GroupIDs = []uuid.UUID{otherGroup} }},
	{"no product of it", CodeNotEligible, DiscountProducts, func(d *Discount) { d.ProductIDs = []uuid.UUID{gift} }},
	{"nothing to get", CodeNotEligible, DiscountBogo, func(d *Discount) { d.Get.ProductIDs = []uuid.UUID{gift} }},
	{"too little bought", CodeNotEligible, DiscountBogo, func(d *Discount) { d.Buy.MinQuantity = 3 * One }},
	{"reduced by nothing", CodeNotEligible, DiscountProducts, func(d *Discount) { d.Value = DiscountValue{} }},
	{"below the minimum", CodeMinOrder, DiscountOrder, func(d *Discount) { d.MinOrder = price(2001) }},
}

// coded is a discount with a code that applies to two tiles.
func coded(kind DiscountKind) Discount {
	return Discount{
		Kind: kind, Code: "Code", Active: true, Value: DiscountValue{Percent: 10e9}, GroupIDs: []uuid.UUID{tradeGroup},
		Buy: BogoBuy{MinQuantity: One}, Get: BogoGet{Quantity: One, Percent: Hundred},
	}
}

// withCode is a cart of two tiles with a code attached, in a store with these discounts.
func withCode(t *testing.T, discounts ...Discount) *scene {
	s := newScene(t)
	s.shop.Discounts = discounts
	s.shop.Index()
	s.do(s.add(tile, 2*One))
	s.do(AttachCode{Code: "code"})
	s.in.Visitor, s.in.Now = trade, noon
	return s
}

// For every kind: if a code has two faults, the earlier one answers.
func TestTheFirstFaultOfACodeAnswers(t *testing.T) {
	for kind := DiscountOrder; kind <= DiscountBogo; kind++ {
		if e := withCode(t, coded(kind)).evaluate(); e.FirstCodeError() != "" || len(e.Discounts) != 1 {
			t.Fatalf("%s without a fault: %q, %v", kind, e.FirstCodeError(), e.Discounts)
		}
		for i, first := range codeFaults {
			for _, second := range codeFaults[i:] {
				if first.kind != DiscountOrder && first.kind != kind || second.kind != DiscountOrder && second.kind != kind {
					continue
				}
				d := coded(kind)
				second.raise(&d)
				first.raise(&d)
				if e := withCode(t, d).evaluate(); e.FirstCodeError() != first.want || e.DiscountTotal != 0 || len(e.Discounts) != 0 {
					t.Errorf("%s, %s and %s: %q, %v; want %q and no discount", kind, first.name, second.name, e.FirstCodeError(), e.Discounts, first.want)
				}
			}
		}
	}
}

func TestAnUnknownCodeIsInvalid(t *testing.T) {
	s := withCode(t)
	if e := s.evaluate(); e.FirstCodeError() != CodeInvalid || s.shop.KnowsCode("code") {
		t.Errorf("got %q, known %v", e.FirstCodeError(), s.shop.KnowsCode("code"))
	}
	s.do(DetachCode{})
	if e := s.evaluate(); e.FirstCodeError() != "" || s.cart.Codes != nil {
		t.Errorf("detached: %q", e.FirstCodeError())
	}
	s.do(DetachCode{}) // a second time is no fault
	s.refuse(AttachCode{Code: "code", Spent: true}, TooManyAttempts)
}

// severalCodes is a cart in a store whose carts have as many codes as the limit says: one of each kind
// applies, LATE is expired, and OFF is inactive.
func severalCodes(t *testing.T, limit int) *scene {
	var all []Discount
	for kind, code := range []string{"ORDER", "PRODUCTS", "SHIPPING", "BOGO", "LATE", "OFF"} {
		d := coded(DiscountKind(kind % 4))
		d.ID, d.Name, d.Code, d.Active, d.Get.Percent = testID(0xd0+kind), code, code, code != "OFF", 10e9
		if code == "LATE" {
			d.EndsAt = noon
		}
		all = append(all, d)
	}
	s := withCode(t, all...)
	s.cart = s.cart.clone()
	s.cart.Codes, s.shop.Policy.MaxDiscountCodes = nil, limit
	return s
}

func (s *scene) codes() string {
	var all []string
	for _, c := range s.cart.Codes {
		all = append(all, c.Code)
	}
	return strings.Join(all, " ")
}

// docs/api/discounts.md#several-codes: a code is found as codes match; the last one leaves none.
func TestACodeIsTakenOff(t *testing.T) {
	s := severalCodes(t, 4)
	for _, code := range []string{"ORDER", "guess", "BOGO"} {
		s.do(AttachCode{Code: code})
	}
	for _, c := range []struct{ code, want string }{{" Guess ", "ORDER BOGO"}, {"order", "BOGO"}, {"BOGO", ""}} {
		shared, before := s.cart.Codes, slices.Clone(s.cart.Codes)
		s.do(DetachCode{Code: &c.code})
		if got := s.codes(); got != c.want || !slices.Equal(shared, before) {
			t.Errorf("without %q: %q; want %q. The cart before has %v", c.code, got, c.want, shared)
		}
		if r := (DetachCode{Code: &c.code}).Locate(s.cart); r == nil || r.Message != "No query results for model [DiscountCode] "+c.code {
			t.Errorf("%q a second time: %+v", c.code, r)
		}
	}
	if s.cart.Codes != nil {
		t.Errorf("codes %#v; want none", s.cart.Codes)
	}
}

// docs/store-document.md#discounts: codes match without regard to case or surrounding space.
func TestCodesMatch(t *testing.T) {
	d, other := coded(DiscountOrder), coded(DiscountOrder)
	greek, kelvin := coded(DiscountOrder), coded(DiscountOrder)
	d.Code, other.Code, greek.Code, kelvin.Code = "Été-10", "PLAIN", "ΟΔΟΣ", "Kİlo"
	s := withCode(t, d, other, greek, kelvin)
	for code, want := range map[string]bool{
		"Été-10": true, " éTÉ-10\t": true, "\u00a0plain\u2003": true, "Plain": true,
		"οδος": true, "Οδοσ": true, "\u212aİLO": true, "kilo": true, "k\u0130lo": true,
		"Ete-10": false, "été 10": false, "pla in": false, "": false, "plai": false, strings.Repeat("plain", 99): false,
	} {
		s.do(AttachCode{Code: code})
		if s.cart.Codes[0].Code != code {
			t.Errorf("%q is stored as %q", code, s.cart.Codes[0].Code)
		}
		if e := s.evaluate(); (e.FirstCodeError() == "") != want || s.shop.KnowsCode(code) != want {
			t.Errorf("%q: %q, known %v; want it to match: %v", code, e.FirstCodeError(), s.shop.KnowsCode(code), want)
		}
	}
}

func TestUsageCountsInAStoreOfItsOwn(t *testing.T) {
	d, free := coded(DiscountOrder), coded(DiscountOrder)
	d.UsageLimit, free.Code, free.Used = new(int64), "free", 7
	*d.UsageLimit = 2
	s := withCode(t, d, free)
	before := s.shop
	for used, want := range []string{"", "", CodeUsageLimit, CodeUsageLimit} {
		s.shop = before.WithUsage(func(*Discount) int64 { return int64(used) })
		if e := s.evaluate(); e.FirstCodeError() != want {
			t.Errorf("used %d times: %q; want %q", used, e.FirstCodeError(), want)
		}
		if s.shop.Discounts[1].Used != 7 || before.Discounts[0].Used != 0 || s.shop.Product(tile) != before.Product(tile) {
			t.Error("WithUsage changed more than a count")
		}
	}
}

// The end of a code never takes a cart beyond the limit, even with the tax on top.
func TestTheTotalLimitCountsWithoutDiscounts(t *testing.T) {
	s := withCode(t, coded(DiscountOrder))
	s.shop.PricesIncludeTax = false
	s.do(s.add(dear, 82*One))
	s.refuse(s.add(dear, One), TotalLimitReached)
	s.do(DetachCode{})
	if e := s.evaluate(); e.Overflow || e.Subtotal+e.TaxTotal != e.Total {
		t.Errorf("without the code: %d + %d = %d, cut off %v", e.Subtotal, e.TaxTotal, e.Total, e.Overflow)
	}
}

func TestApplyingDiscountsDoesNotAllocateWhenWarm(t *testing.T) {
	auto := coded(DiscountProducts)
	auto.Code, auto.ProductIDs = "", []uuid.UUID{tile}
	one, ten := withCode(t, coded(DiscountOrder), auto, coded(DiscountShipping)), severalCodes(t, 10)
	for _, code := range []string{"SHIPPING", "LATE", "ORDER", "guess", "BOGO", "PRODUCTS", "OFF", "1", "2", "3"} {
		ten.do(AttachCode{Code: code})
	}
	for s, want := range map[*scene]int{one: 2, ten: 4} {
		e := s.evaluate()
		if n := testing.AllocsPerRun(100, func() { e.Evaluate(s.cart, s.shop, trade, noon) }); n != 0 || len(e.Discounts) != want {
			t.Errorf("%d codes: %v allocations and %d discounts; want none and %d", len(s.cart.Codes), n, len(e.Discounts), want)
		}
	}
}

func TestShortCodes(t *testing.T) {
	s := &Store{Discounts: []Discount{
		{Code: "SHORT", Active: true}, {Code: " seven77 ", Active: true}, {Code: "EIGHTEEN", Active: true}, {Code: "OFF"}, {Active: true},
	}}
	if got := s.ShortCodes(); !slices.Equal(got, []string{"SHORT", " seven77 "}) {
		t.Errorf("got %q", got)
	}
}

// An explanation says what the cart lacks for each code that has no effect, and nothing of one that applies or that no change helps.
func TestExplainSaysWhatACodeLacks(t *testing.T) {
	minimum, other := Amount(5000), testID(0xee)
	range1 := ProductRange{ProductIDs: []uuid.UUID{drill}}
	buy := BogoBuy{range1, 5 * One}
	get := func(of ...uuid.UUID) BogoGet { return BogoGet{ProductRange{ProductIDs: of}, 2 * One, 50e9} }
	half := DiscountValue{Percent: 50e9}
	for name, c := range map[string]struct {
		discount Discount
		want     *CodeMissing
	}{
		"applies":        {Discount{Kind: DiscountOrder, Value: half}, nil},
		"an amount":      {Discount{Kind: DiscountOrder, Value: half, MinOrder: &minimum}, &CodeMissing{Kind: MissingAmount, Amount: 2000}},
		"a product":      {Discount{Kind: DiscountProducts, Value: half, ProductRange: range1}, &CodeMissing{Kind: MissingProducts, Quantity: One, Range: range1}},
		"what is bought": {Discount{Kind: DiscountBogo, Buy: buy, Get: get(tile)}, &CodeMissing{Kind: MissingProducts, Quantity: 5 * One, Range: range1}},
		"what is reduced": {Discount{Kind: DiscountBogo, Buy: BogoBuy{ProductRange{}, One}, Get: get(drill)},
			&CodeMissing{Kind: MissingProducts, Quantity: 2 * One, Range: range1}},
		"a group":      {Discount{Kind: DiscountOrder, Value: half, GroupIDs: []uuid.UUID{other}}, &CodeMissing{Kind: MissingGroup}},
		"other offers": {Discount{Kind: DiscountOrder, Value: half, Exclusive: true}, nil},
		"nothing":      {Discount{Kind: DiscountOrder, Value: half, EndsAt: noon}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			c.discount.ID, c.discount.Code, c.discount.Active = testID(0xd1), "CODE", true
			s.shop.Discounts = []Discount{c.discount}
			if c.discount.Exclusive {
				s.shop.Discounts = append(s.shop.Discounts, Discount{ID: testID(0xd2), Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 60e9}})
			}
			s.shop.Index()
			s.cart.Lines = []Line{{ID: testID(1), ProductID: tile, Quantity: 3 * One, UnitPrice: 1000}}
			s.cart.Codes = []AttachedCode{{Code: "code"}}
			got := Explain(s.cart, s.shop, guest, noon, nil).Codes[0].Missing
			if (got == nil) != (c.want == nil) || got != nil && (got.Kind != c.want.Kind || got.Amount != c.want.Amount ||
				got.Quantity != c.want.Quantity || !slices.Equal(got.Range.ProductIDs, c.want.Range.ProductIDs)) {
				t.Errorf("the code lacks %+v, want %+v", got, c.want)
			}
		})
	}
}
