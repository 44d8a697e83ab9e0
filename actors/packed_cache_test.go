package actors

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/engine"
)

// shelved is a record in the model of the packed cache.
type shelved struct {
	key  engine.RecordKey
	used time.Duration
	kept string
}

// After all calls the packed cache holds the same records as a list, in at most about twice as many
// bytes.
func TestPackedCacheHoldsTheSameAsAList(t *testing.T) {
	alone(t)
	const seed = 20261120
	dice := rand.New(rand.NewPCG(seed, 0))
	a := &packedCache{}
	var model []shelved
	at := func(key engine.RecordKey) int {
		return slices.IndexFunc(model, func(s shelved) bool { return s.key == key })
	}
	for step := range 10_000 {
		key := engine.RecordKey{Store: testID(dice.IntN(2)), ID: testID(dice.IntN(300))}
		i := at(key)
		switch n := dice.IntN(100); {
		case n < 2:
			if got := a.drop(); got != (len(model) > 0) {
				t.Fatalf("step %d: dropped %v of %d", step, got, len(model))
			}
			model = model[min(1, len(model)):]
		case n < 3 && step%2_000 > 1_800: // now and then it empties
			for a.drop() {
			}
			model = nil
		case i < 0:
			s := shelved{key, time.Duration(step), strings.Repeat(string(rune('a'+dice.IntN(26))), dice.IntN(900))}
			if n == 50 {
				s.kept = strings.Repeat("x", maxBlock+1)
			}
			a.put(s.key, s.used, []byte(s.kept))
			model = append(model, s)
		case n < 70:
			got, ok := a.pop(key)
			if !ok || got != model[i].kept {
				t.Fatalf("step %d: took %d bytes, %v; want %d", step, len(got), ok, len(model[i].kept))
			}
			model = slices.Delete(model, i, i+1)
		}
		if _, ok := a.pop(engine.RecordKey{ID: testID(1000)}); ok {
			t.Fatalf("step %d: took a record that was never put in", step)
		}
		checkPackedCache(t, a, model)
	}
}

func checkPackedCache(t *testing.T, a *packedCache, model []shelved) {
	t.Helper()
	live, allocated := 0, 0
	for _, s := range model {
		live += keptFrom + len(s.kept)
	}
	for _, b := range a.blocks {
		allocated += cap(b.data)
	}
	if a.len() != len(model) || a.live != live || a.allocated != allocated || allocated > 2*live+live/2+4*maxBlock {
		t.Fatalf("%d records of %d bytes in %d, counted as %d; want %d of %d", a.len(), a.live, allocated, a.allocated, len(model), live)
	}
	key, used, ok := a.oldest()
	if ok != (len(model) > 0) || ok && (key != model[0].key || used != model[0].used) {
		t.Fatalf("the oldest is %v of %v, %v; want the first of %d", key, used, ok, len(model))
	}
}

// Bytes taken out stay unchanged by later calls.
func TestRecordTakenFromPackedCacheStaysAsItIs(t *testing.T) {
	a := &packedCache{}
	first, second := engine.RecordKey{ID: testID(1)}, engine.RecordKey{ID: testID(2)}
	a.put(first, 0, []byte("first"))
	kept, _ := a.pop(first)
	for range 100 {
		a.put(second, 0, bytes.Repeat([]byte("x"), minBlock/4))
		a.pop(second)
	}
	if kept != "first" {
		t.Errorf("it became %q", kept)
	}
}
