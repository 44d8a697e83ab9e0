//go:build long

package blackbox_test

import (
	"net/http"
	"testing"
)

// Simultaneous batches on two nodes are each whole: both lines have the exact sum.
func TestLongSimultaneousBatchesAreEachWhole(t *testing.T) {
	nodes := freshPair(t)
	path := nodes[0].newCart()
	for _, o := range together(40, func(i int) outcome {
		return nodes[i%2].outcome("POST", path+"/lines/batch", batchBody(addBody(hammer, "1"), addBody(paper, "2")))
	}) {
		if o.err != nil || o.status != http.StatusCreated {
			t.Fatalf("%v, %v", o.answer, o.err)
		}
		c := o.cart(http.StatusCreated)
		if n, _ := c.Lines[0].Quantity.Int64(); len(c.Lines) != 2 || c.Lines[0].Name != "Hammer" || c.Lines[1].LineTotal.Amount != 2*n*1090 {
			t.Errorf("half a batch: %s", c.plain())
		}
	}
	if got := nodes[0].get(path).cart(200).plain(); got != "Hammer 40 × 1999 = 79960; Paper 80 × 1090 = 87200" {
		t.Errorf("got %s", got)
	}
}
