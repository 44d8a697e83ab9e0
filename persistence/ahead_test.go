package persistence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
)

// tenYears is how far the clock was ahead.
const tenYears = 3650 * 24 * time.Hour

// Holds written under a clock that was ahead are released. Other holds stay, also those with
// the latest possible expiry.
func TestHoldsOfAClockThatWasAheadAreReleased(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		for i := range 9 {
			f.write(asking(0x100+i, tenYears, nails, 1))
		}
		f.write(asking(1, commerce.CartLifetime, nails, 4))
		f.write(asking(2, expiresIn, nails, 2))
		f.write(asking(3, expiredAgo, nails, 1))
		f.release()
		f.wantHeld("after the release", nails, 6)
		f.wantGranted(f.write(asking(0x100, expiresIn, nails, 3)), 3) // its record has 1
		f.wantHeld("one is back", nails, 9)
		f.wantGranted(f.write(asking(0x101, expiresIn, nails, 1)), 1) // its record has that
		f.wantHeld("two are back", nails, 10)
	}, nails, 1000)
}

// The node's wall clock may jump: compared moments are of the monotonic clock.
func TestSinceStartIgnoresTheWallClock(t *testing.T) {
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
