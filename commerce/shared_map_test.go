package commerce

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// A shared map has what a plain map has after the same changes, and no map changes afterwards.
func TestSharedMatchesAPlainMap(t *testing.T) {
	r := dice.New(t)
	for _, keys := range []int{3, 300, 3000} {
		type version struct {
			shared Shared[string, int]
			plain  map[string]int
		}
		versions := []version{{}}
		for range 60 {
			from := versions[r.IntN(len(versions))]
			change, plain := from.shared.Change(), maps.Clone(from.plain)
			if plain == nil {
				plain = map[string]int{}
			}
			deletes := r.IntN(101) // of 100 changes
			for range r.IntN(1 + r.IntN(2*keys)) {
				key, value := fmt.Sprint(r.IntN(keys)), 1+r.IntN(1000)
				if r.IntN(100) < deletes {
					change.Delete(key)
					delete(plain, key)
				} else {
					change.Set(key, value)
					plain[key] = value
				}
			}
			versions = append(versions, version{change.Done(), plain})
		}
		for n, v := range versions {
			if v.shared.Len() != len(v.plain) {
				t.Fatalf("version %d has %d keys, want %d", n, v.shared.Len(), len(v.plain))
			}
			for i := range keys {
				if key := fmt.Sprint(i); v.shared.Get(key) != v.plain[key] {
					t.Fatalf("version %d: %s is %d, want %d", n, key, v.shared.Get(key), v.plain[key])
				}
			}
		}
	}
}

// A change copies the leaves that it touches, and no other; one that changes nothing copies none.
func TestSharedKeepsLeaves(t *testing.T) {
	m, keys := sharedProducts(10_000)
	change := m.Change()
	change.Set(keys[7], new(Product))
	change.Delete(uuid.UUID{1})
	next, different := change.Done(), 0
	for i := range m.leaves {
		if m.leaves[i] != next.leaves[i] {
			different++
		}
	}
	if different != 1 {
		t.Errorf("%d of %d leaves are copied, want 1", different, len(m.leaves))
	}
	change = next.Change()
	for _, key := range keys[10:] {
		change.Delete(key)
	}
	if few := change.Done(); few.Len() != 10 || len(few.leaves) > len(m.leaves)/8 {
		t.Errorf("%d keys are left in %d leaves, which were %d", few.Len(), len(few.leaves), len(m.leaves))
	}
}

func sharedProducts(n int) (Shared[uuid.UUID, *Product], []uuid.UUID) {
	var none Shared[uuid.UUID, *Product]
	change, keys := none.Change(), make([]uuid.UUID, n)
	for i := range keys {
		keys[i] = uuid.MustParse(fmt.Sprintf("50000000-0000-4000-8000-%012d", i))
		change.Set(keys[i], &Product{ID: keys[i]})
	}
	rand.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return change.Done(), keys
}

// BenchmarkShared measures a lookup, beside one in a plain map, and a change of one entry.
func BenchmarkShared(b *testing.B) {
	for _, n := range []int{44, 100_000} {
		m, keys := sharedProducts(n)
		plain := make(map[uuid.UUID]*Product, n)
		for _, key := range keys {
			plain[key] = m.Get(key)
		}
		each := func(name string, do func(uuid.UUID) bool) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if !do(keys[i%n]) {
						b.Fatal("a key is missing")
					}
				}
			})
		}
		each("plain", func(key uuid.UUID) bool { return plain[key] != nil })
		each("lookup", func(key uuid.UUID) bool { return m.Get(key) != nil })
		each("change", func(key uuid.UUID) bool {
			change := m.Change()
			change.Set(key, plain[key])
			next := change.Done()
			return next.Len() == n
		})
	}
}
