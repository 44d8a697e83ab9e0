package commerce

import (
	"reflect"
	"testing"
)

// twice is a code's discount that each customer may use a number of times.
func twice(n int, limit int64) Discount {
	return Discount{ID: testID(0xd0 + n), Kind: DiscountOrder, Code: "C", Active: true, Value: DiscountValue{Percent: 50e9}, CustomerLimit: &limit}
}

// The counts of a code of a batch do not expire, nor those of a discount beside its batches: a code would be new again. The order keeps
// the uses without their limits.
func TestCountsBesideBatchesOfCodesLast(t *testing.T) {
	for _, own := range []bool{true, false} {
		s := checkoutScene(t)
		d := twice(1, 1)
		d.CodeBatches = []CodeBatch{{Number: 7, Prefix: "B", Secret: make([]byte, 24), Active: true, Uses: 2}}
		s.shop.Discounts = []Discount{d}
		s.shop.Index()
		code, want := "c", 2 // of all and of the guest
		if !own {
			code, want = slowCode(d.ID, &d.CodeBatches[0], 99), 3
		}
		s.do(AttachCode{Code: code})
		_, effects, r := s.try(s.order())
		if r != nil || len(effects.Sale.Uses) != want || effects.Sale.Uses[0].Lasting {
			t.Fatalf("%v: uses %+v", r, effects.Sale.Uses)
		}
		for i, use := range effects.Sale.Uses[1:] {
			kept := Use{Discount: use.Discount, Counter: use.Counter, Field: use.Field}
			if !use.Lasting || effects.Sale.Order.Uses[i] != kept {
				t.Errorf("the use %+v, the order keeps %+v", use, effects.Sale.Order.Uses[i])
			}
		}
	}
}

// What two commits of one change found missing is missing for the third: the cart without the first
// discount may have the second.
func TestShortagesOfOneChangeJoin(t *testing.T) {
	first, second := Use{Discount: testID(1), Limit: 1}, Use{Discount: testID(2), Counter: CountCustomer, Field: "a", Limit: 1}
	s := &Shortage{Stock: []StockAsk{{Item: testID(9)}}, Used: []Use{second}}
	s.Join(nil)
	s.Join(&Shortage{Stock: []StockAsk{{Item: testID(8)}}, Used: []Use{first, second}})
	if want := (&Shortage{Stock: []StockAsk{{Item: testID(9)}}, Used: []Use{second, first}}); !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if !s.usedUp(testID(1), nil) || !s.usedUp(testID(2), nil) || s.usedUp(testID(3), nil) || (*Shortage)(nil).usedUp(testID(1), nil) {
		t.Error("the wrong discounts are used up")
	}
}
