package persistence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/stock"
)

// tenYears is by how much the clock was ahead.
const tenYears = 3650 * 24 * time.Hour

// Stock held by carts of a clock that was ahead is released, that of others stays, also of
// those that lapse as late as any can.
func TestHoldsOfAClockThatWasAheadAreReleased(t *testing.T) {
	eachShelf(t, func(t *testing.T, f *shelf) {
		for i := range 2*stock.CartsEach + 7 {
			f.write(asking(0x100+i, tenYears, nails, 1))
		}
		f.write(asking(1, commerce.CartLifetime, nails, 4))
		f.write(asking(2, lapsesIn, nails, 2))
		f.write(asking(3, lapsedAgo, nails, 1))
		f.db.ExpireAll([]uuid.UUID{shopID})
		f.wantHeld("worked off", nails, 6)
		f.wantGranted(f.write(asking(0x100, lapsesIn, nails, 3)), 3) // of whose record it holds 1
		f.wantHeld("one is back", nails, 9)
	}, nails, 1000)
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
