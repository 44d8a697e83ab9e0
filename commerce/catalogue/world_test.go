package catalogue

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// testID makes ids that are easy to recognise in a failure.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

var tradeGroup = testID(0x61)

func price(a commerce.Amount) *commerce.Amount { return &a }

func ptr[T any](v T) *T { return &v }

func frozen(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
