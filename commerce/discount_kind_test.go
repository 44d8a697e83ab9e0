package commerce

import "testing"

func TestDiscountSequenceHasEachKindOnce(t *testing.T) {
	if len(discountSequence) != len(discountKinds) {
		t.Errorf("the sequence has %d kinds, want %d", len(discountSequence), len(discountKinds))
	}
	for i := range discountKinds {
		if k := DiscountKind(i); k.rank() < 0 {
			t.Errorf("the sequence lacks %s", k)
		} else if k.OfDelivery() != (k.rank() >= DiscountShipping.rank()) {
			t.Errorf("%s does not stand with its like: discounts on the delivery follow those on goods", k)
		}
	}
}
