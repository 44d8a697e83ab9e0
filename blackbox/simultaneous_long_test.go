//go:build long

package blackbox_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// The counts of the rule of simultaneous adds, on a quiet machine and beside a busy core.
func TestLongSimultaneousAdds(t *testing.T) {
	const rounds, kept, apart = 1000, 1000, 200
	nodes := pair(t, redistest.Real(t), keyShop)
	table := newFigures(t)
	count := func(where string, maximum int) {
		for i, name := range []string{"one node", "two nodes"} {
			refused := pairs(nodes[0], nodes[i], rounds)
			table.row(fmt.Sprintf("422 of %d pairs, %s, %s", rounds, name, where), fmt.Sprintf("at most %d", maximum), fmt.Sprint(refused), refused > maximum)
		}
	}
	count("quiet", 2)
	var ended atomic.Bool
	go func() {
		for !ended.Load() { // keeps a core busy
		}
	}()
	count("beside a busy core", 20)
	ended.Store(true)
	nodes[0].refusesAfterItsAnswer(kept)
	sockets := [2]*socket{nodes[0].dial(), nodes[1].dial()}
	for n := range apart {
		path := nodes[0].newCart()
		for i, want := range []bool{true, false} {
			if sockets[i].write(nodes[i].sixty(path)); sockets[i].answer() != want {
				t.Fatalf("cart %d: node %d answered %v, want %v", n+1, i+1, !want, want)
			}
			time.Sleep(50 * time.Millisecond) // the case: an add that comes later by this
		}
	}
}
