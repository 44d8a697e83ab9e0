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
			d := &Deed{Store: shopID, Act: "act " + strconv.Itoa(i), User: "ada"}
			if err := errors.Join(db.BeginDeed(background, d), db.EndDeed(background, d)); err != nil {
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

// An entry is there from the begin of its command on. Its end takes the place of its begin; a command that has
// changed nothing leaves none, a killed one that of its begin.
func TestTrailHasTheBegin(t *testing.T) {
	eachNode(t, func(t *testing.T, _ *redistest.Server, db *Stores) {
		killed, done, nothing := &Deed{Act: "killed"}, &Deed{Act: "done", On: "a name"}, &Deed{Act: "nothing"}
		for _, d := range []*Deed{killed, done, nothing} {
			if err := db.BeginDeed(background, d); err != nil {
				t.Fatal(err)
			}
		}
		entries := func() (all []Deed) {
			all, err := db.Deeds(background)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		for _, d := range entries() {
			if !d.UnderWay || d.Began != d.At.UnixMilli() || d.Began == 0 {
				t.Errorf("at its begin: %+v", d)
			}
		}
		began := done.Began
		done.On, done.Fault = "1 key", "a fault"
		if err := errors.Join(db.EndDeed(background, done), db.DropDeed(background, nothing), db.DropDeed(background, &Deed{})); err != nil {
			t.Fatal(err)
		}
		all := entries()
		if len(all) != 2 || all[1].Act != "killed" || !all[1].UnderWay || all[0].UnderWay || all[0].On != "1 key" || all[0].Fault != "a fault" ||
			all[0].Began != began || all[0].At.UnixMilli() < began {
			t.Errorf("%+v", all)
		}
	})
}
