package commerce

import (
	"testing"
	"time"
)

// BenchmarkChangeLine measures a line change without decoding, encoding and I/O: the transition of
// a 3-line cart and its evaluation.
func BenchmarkChangeLine(b *testing.B) {
	b.ReportAllocs()
	s := testShop()
	in := Input{Store: s, Now: noon.Add(time.Minute), Next: 2}
	cart := NewCart(cartID, noon)
	for i, add := range []AddLine{{ProductID: tile, Quantity: One}, {ProductID: cord, Quantity: 1500}, {ProductID: drill, VariantID: white, Quantity: One}} {
		add.LineID = testID(0x100 + i)
		next, _, refusal := ChangeCart(cart, add, &in)
		if refusal != nil {
			b.Fatal(refusal)
		}
		cart = next
	}
	changes := []cartCommand{ChangeLine{testID(0x101).String(), 2500}, ChangeLine{testID(0x101).String(), 1500}}
	var e Evaluation
	for i := 0; b.Loop(); i++ {
		next, _, refusal := ChangeCart(cart, changes[i%2], &in)
		if refusal != nil {
			b.Fatal(refusal)
		}
		e.Evaluate(next, s, guest, in.Now)
		cart = next
	}
	if e.Total == 0 {
		b.Fatal("the cart is empty")
	}
}
