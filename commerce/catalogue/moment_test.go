package catalogue

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

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
