//go:build long

package blackbox_test

import (
	"fmt"
	"testing"
)

// Requests that arrive at once on several nodes leave at most one default of a type. Every answered
// address is there once. Spec: Address, rule 2.
func TestLongThirtySimultaneousDefaultsLeaveOne(t *testing.T) {
	nodes := freshPair(t)
	for n := 1; n <= 2; n++ {
		token := []string{tokenAda, tokenTess}[n-1]
		made := map[string]bool{}
		for _, o := range together(30, func(i int) outcome {
			return nodes[i%n].withKey(keyAll).withToken(token).outcome("POST", addressesPath, placed("billing", fmt.Sprint(i), true))
		}) {
			if o.err != nil {
				t.Fatal(o.err)
			}
			made[o.address(201).ID] = true
		}
		book := nodes[1].withKey(keyAll).withToken(token).book()
		defaults := 0
		for _, a := range book {
			if a.IsDefault {
				defaults++
			}
			delete(made, a.ID)
		}
		if len(book) != 30 || defaults != 1 || len(made) != 0 {
			t.Errorf("%d addresses, %d defaults, lost %v; want 30, one and none", len(book), defaults, made)
		}
	}
}
