package commerce

import (
	"testing"
	"time"
)

// BenchmarkChangeLine is what a line change costs without decoding, encoding and
// I/O: the transition of a 3-line cart and its evaluation.
func BenchmarkChangeLine(b *testing.B) {
	b.ReportAllocs()
	s := testShop()
	in := Input{Store: s, Now: noon.Add(time.Minute), Seen: 1, Next: 2}
	cart := NewCart(cartID, noon)
	for i, add := range []AddLine{{ProductID: tile, Quantity: One}, {ProductID: cord, Quantity: 1500}, {ProductID: drill, VariantID: white, Quantity: One}} {
		add.LineID = testID(0x100 + i)
		next, refusal := Change(cart, cartID, add, &in)
		if refusal != nil {
			b.Fatal(refusal)
		}
		cart = next.Cart
	}
	changes := []Command{ChangeLine{testID(0x101).String(), 2500}, ChangeLine{testID(0x101).String(), 1500}}
	var e Evaluation
	for i := 0; b.Loop(); i++ {
		next, refusal := Change(cart, cartID, changes[i%2], &in)
		if refusal != nil {
			b.Fatal(refusal)
		}
		e.Evaluate(next.Cart, s, guest, in.Now)
		cart = next.Cart
	}
	if e.Total == 0 {
		b.Fatal("the cart is empty")
	}
}
