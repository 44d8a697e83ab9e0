package blackbox_test

import (
	"strconv"
	"testing"

	"cartd/internal/redistest"
)

// BenchmarkStock measures what a tracked line costs a change, beside the same change
// of an untracked one and of one that is granted less than it asks for, in the
// manner of BenchmarkCart.
func BenchmarkStock(b *testing.B) {
	for _, c := range []struct {
		name, onHand string
	}{
		{"untracked", ""},
		{"tracked", "9000000"},
		{"short", "100"},
	} {
		redis := redistest.Real(b, "--appendonly", "yes", "--appendfsync", "everysec")
		document := base()
		setting("rate_limit_per_minute", 2_000_000_000)(document)
		if c.onHand != "" {
			changed(hammer, "track_stock", true)(document)
			changed(hammer, "stock", c.onHand)(document)
		}
		rig := newRig(b, start(b, options{redis: redis.URL(), stores: []string{storeFile(b, document)}}), redis)
		b.Run(c.name, func(b *testing.B) {
			rig.run(b, func(i uint64) (string, string, string) {
				return "PATCH", rig.lines[i%benchCarts], `{"quantity":` + strconv.FormatUint(1+i%90, 10) + `}`
			})
		})
	}
}
