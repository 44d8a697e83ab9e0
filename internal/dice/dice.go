// Package dice is the randomness of property tests. It refuses to know what is tested.
package dice

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// New returns the randomness of a test. A failure prints the seed; CARTD_SEED repeats the run.
func New(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CARTD_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("CARTD_SEED: %v", err)
		}
	}
	t.Logf("repeat with CARTD_SEED=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
