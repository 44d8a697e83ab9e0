package catalogue

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// testID makes ids that are easy to recognise in a failure.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

var tradeGroup = testID(0x61)

func price(a commerce.Amount) *commerce.Amount { return &a }

func ptr[T any](v T) *T { return &v }

// dice returns the randomness of a property test. A failure prints the seed; CARTD_SEED repeats the
// run.
func dice(t *testing.T) *rand.Rand {
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

func frozen(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
