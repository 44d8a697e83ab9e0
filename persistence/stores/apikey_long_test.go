//go:build long

package stores

import (
	"fmt"
	"testing"

	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// An import whose lease has not expired ends between any two commands of another import that
// takes over its keys.
func TestLongImportEndsWhileAnotherWantsItsKeys(t *testing.T) {
	shoptest.Alone(t)
	for n := int64(1); ; n++ {
		s := redistest.Mini(t)
		first, second := wantsKey()
		without := first
		without.Keys = nil
		first.save(t, node(t, s))
		without.save(t, node(t, s)) // the hints stay
		taker, other := node(t, s), node(t, s)
		var ours error
		hook, came := redistest.Ahead(n, func() { _, ours = other.SaveStore(background, first.document(t), true) })
		taker.client.Redis.AddHook(hook)
		_, theirs := taker.SaveStore(background, second.document(t), true)
		if !came() {
			return
		}
		wantOneOwner(t, s, fmt.Sprintf("ahead of command %d", n), ours, theirs)
	}
}
