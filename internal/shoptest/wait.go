package shoptest

import (
	"math/rand/v2"
	"testing"
	"time"
)

const (
	// Patience bounds every wait for a signal. A test checks a condition again each PollEvery.
	Patience  = 20 * time.Second
	PollEvery = 5 * time.Millisecond
	// Silence is the time-out in tests of an unreachable Redis. Soon bounds the time of their answers: the time-out and a margin for a
	// busy machine, less than twenty time-outs, and less than Patience.
	Silence = 600 * time.Millisecond
	Soon    = Silence + 3*time.Second
)

// Soonest is the deadline of a request that waits as long as a test does.
func Soonest() time.Time { return time.Now().Add(Patience) }

// Eventually waits until the condition is true, and fails after within.
func Eventually(t testing.TB, what string, within time.Duration, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(within); !condition(); time.Sleep(PollEvery) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// Within fails if f takes longer than longest.
func Within(t testing.TB, what string, longest time.Duration, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > longest {
		t.Errorf("%s took %v, want at most %v", what, took, longest)
	}
}

// AtOnce fails if f waits for a silent Redis, more often than not. A busy machine may make one time late.
func AtOnce(t testing.TB, what string, f func()) {
	t.Helper()
	const times = 11
	late := 0
	for range times {
		began := time.Now()
		f()
		if time.Since(began) >= Silence {
			late++
		}
	}
	if late > times/2 {
		t.Errorf("%s took %v or more %d times of %d, want it at once", what, Silence, late, times)
	}
}

// Alone skips a test in the race detector's phase of make test (-short), because it takes seconds there. The other phase runs it, and
// shorter tests cover its races.
func Alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short")
	}
}

// Seeded logs its seed, so that a failure can be repeated.
func Seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}
