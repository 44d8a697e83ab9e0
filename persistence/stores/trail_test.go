package stores

import (
	"errors"
	"strconv"
	"testing"

	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// The trail keeps its last entries, the newest first, and no drop takes it.
func TestTrailIsBounded(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		filler := make([]any, TrailLength)
		for i := range filler {
			filler[i] = "1000 {\"act\":\"filler\"}"
		}
		if err := s.Client().RPush(background, trailKey, filler...).Err(); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if err := db.RecordDeed(background, &Deed{Store: shopID, Act: "act " + strconv.Itoa(i), User: "ada"}); err != nil {
				t.Fatal(err)
			}
		}
		deeds, err := db.Deeds(background)
		if err != nil || len(deeds) != TrailLength || deeds[0].Act != "act 1" || deeds[1].Act != "act 0" || deeds[1].User != "ada" ||
			deeds[1].Store != shopID || deeds[0].At.Before(deeds[2].At) || deeds[2].Act != "filler" {
			t.Errorf("%d entries, %v; the newest %+v", len(deeds), err, deeds[:min(3, len(deeds))])
		}
		if err := s.Client().RPush(background, trailKey, "no time").Err(); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Deeds(background); !errors.Is(err, redisdb.ErrCorrupt) {
			t.Errorf("a broken entry: %v", err)
		}
	})
}
