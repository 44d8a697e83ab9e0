package catalogue

import (
	"encoding/json"
	"math/rand/v2"
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

func frozen(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// someMoment is one of a few moments, so that it is often a beginning or an end.
func someMoment(r *rand.Rand) time.Time {
	return noon.Add(time.Duration(r.IntN(10)) * time.Millisecond)
}

// somePeriods makes two periods for everyone or for a group, one after the other, or none.
func somePeriods(r *rand.Rand) (all []commerce.PricePeriod) {
	if r.IntN(2) == 0 {
		return nil
	}
	group := []uuid.UUID{{}, tradeGroup}[r.IntN(2)]
	from := noon.Add(time.Duration(r.IntN(4)) * time.Millisecond)
	for range 2 {
		until := from.Add(time.Duration(1+r.IntN(4)) * time.Millisecond)
		all = append(all, commerce.PricePeriod{From: from, Until: until, Price: commerce.Amount(r.IntN(4)), GroupID: group})
		from = until
	}
	return all
}
