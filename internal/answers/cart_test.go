package answers

import (
	"math/rand/v2"
	"testing"
)

func TestCartIsEncodedAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(1000) {
		d := dice{rand.New(rand.NewPCG(seed, 1))}
		c, s := d.cart(), d.store()
		e := d.evaluation(c)
		e.Cart = c
		if got, want := string(CartAnswer.Append(nil, CartAnswerView{CartView: CartView{s, e}})), slowCart(c, s, e); got != want {
			t.Fatalf("seed %d:\n got %s\nwant %s", seed, got, want)
		}
	}
}
