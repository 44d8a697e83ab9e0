package persistence

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/redistest"
)

// What stands in Redis by a clock that was ahead, and was set right since, lasts no longer
// than it could by the right one.

// tenYears is by how much the clock was ahead.
const tenYears = 3650 * 24 * time.Hour

// aheadAt is a miniredis whose clock is ahead by so much of the moment returned.
func aheadAt(t *testing.T, ahead time.Duration) (*redistest.Server, time.Time) {
	s, now := redistest.Mini(t), time.Now()
	s.Mini.SetTime(now.Add(ahead))
	return s, now
}

// Stock held by carts of a clock that was ahead is released, that of others stays, also of
// those that lapse as late as any can.
func TestHoldsOfAClockThatWasAheadAreReleased(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newShelf(t, s, nails, 1000)
		for i := range 2*lapsesEach + 7 {
			f.write(asking(0x100+i, tenYears, nails, 1))
		}
		f.write(asking(1, commerce.CartLifetime, nails, 4))
		f.write(asking(2, lapsesIn, nails, 2))
		f.write(asking(3, lapsedAgo, nails, 1))
		f.db.lapseAll([]uuid.UUID{shopID})
		f.wantHeld("worked off", nails, 6)
		f.wantGranted(f.write(asking(0x100, lapsesIn, nails, 3)), 3) // of whose record it holds 1
		f.wantHeld("one is back", nails, 9)
	})
}

// A webhook that rested, was served or was to be tried again by a clock that was ahead gets
// what comes now, and what waits.
func TestAWebhookIsServedBehindAClockThatWasAhead(t *testing.T) {
	alone(t)
	for name, before := range map[string]func(t *testing.T, db *DB, r *commerce.Receiver){
		"rests": func(t *testing.T, db *DB, r *commerce.Receiver) {
			next := take(t, db, r, time.Minute, nil)
			for range 4 {
				next = take(t, db, r, longLease, again(next, longLease))
			}
			wantNothing(t, "as the rest begins", take(t, db, r, longLease, again(next, longLease)))
		},
		"under the lease of a killed node": func(t *testing.T, db *DB, r *commerce.Receiver) {
			take(t, db, r, time.Minute, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := aheadAt(t, time.Hour)
			db := node(t, s)
			r := backlog(t, s, db, 6)
			before(t, db, r)
			s.Mini.SetTime(now)
			emit(t, db, anEvent, 6)
			due, err := db.Outbox().Due()
			if err != nil || len(due) != 1 {
				t.Fatalf("Due = %+v, %v; want the webhook", due, err)
			}
			if take(t, db, &due[0], time.Minute, nil) == nil {
				t.Error("there is nothing to deliver")
			}
		})
	}
}

// With what comes now it gets what was to be tried again, as soon as so few failures allow.
func TestRetriesOfAClockThatWasAheadAreDueWithTheNextEvent(t *testing.T) {
	s, now := aheadAt(t, time.Hour)
	db := node(t, s)
	r := backlog(t, s, db, 2)
	first := take(t, db, r, longLease, nil)
	second := take(t, db, r, longLease, again(first, time.Second))
	if err := db.Outbox().Release(r, again(second, time.Second)); err != nil {
		t.Fatal(err)
	}
	s.Mini.SetTime(now)
	emit(t, db, anEvent, 2)
	due, err := db.Outbox().Due()
	if err != nil || len(due) != 1 {
		t.Fatalf("Due = %+v, %v; want the webhook", due, err)
	}
	if got := drain(t, db, &due[0]); len(got) != 3 {
		t.Errorf("delivered %v, want all three", got)
	}
}

// So it does where nothing new comes; and what fails now is given up a day from now.
func TestARetryOfAClockThatWasAheadIsDue(t *testing.T) {
	alone(t)
	s, now := aheadAt(t, tenYears)
	db := node(t, s)
	r := backlog(t, s, db, 1)
	wantNothing(t, "before the retry", take(t, db, r, longLease, again(take(t, db, r, time.Minute, nil), time.Second)))
	if _, err := db.Outbox().Due(); err != nil {
		t.Fatal(err)
	}
	s.Mini.SetTime(now)
	due, err := db.Outbox().Due()
	if err != nil || len(due) != 1 {
		t.Fatalf("Due = %+v, %v; want the webhook", due, err)
	}
	d := take(t, db, &due[0], time.Minute, nil)
	if d == nil {
		t.Fatal("the retry is not due")
	}
	wantNothing(t, "before the next retry", take(t, db, &due[0], longLease, again(d, time.Second)))
	s.Mini.SetTime(now.Add(2 * time.Second))
	retried := take(t, db, &due[0], time.Minute, nil)
	if retried == nil || retried.Failures != 2 || retried.Since.UnixMilli() != now.UnixMilli() {
		t.Errorf("took %+v, want it since %v after 2 failures", retried, now)
	}
}

// What only a killed import wanted is free again a minute after the clock was set right.
func TestTheSignOfAKilledImportBehindAClockThatWasAhead(t *testing.T) {
	alone(t)
	s, now := aheadAt(t, tenYears)
	first, second := wantsKey()
	killed := node(t, s)
	if err := killed.signImport(background, first.document(t).Store, "killed", importSilence).Err(); err != nil {
		t.Fatal(err)
	}
	s.Client().Set(background, keyHint(second.document(t).Keys[0].Hash), first.document(t).Store.String(), 0)
	s.Mini.SetTime(now)
	db := node(t, s)
	if _, err := db.SaveStore(background, second.document(t), true); !errors.Is(err, errKeyClaimed) {
		t.Errorf("at once SaveStore = %v, want it refused", err)
	}
	s.Mini.SetTime(now.Add(importSilence))
	if _, err := db.SaveStore(background, second.document(t), true); err != nil {
		t.Errorf("a minute later SaveStore = %v", err)
	}
}

// The node's clock of the wall may jump: moments that are compared are of the other one.
func TestNoMomentIsOfTheWall(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(text), ".UnixNano()") {
			t.Errorf("%s compares times of the wall: use sinceStart", file)
		}
	}
}
