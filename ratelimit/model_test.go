package ratelimit

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// model is a slow, obvious limiter: it keeps the time of every request in the window.
type model struct{ times []int64 }

func (m *model) admit(clock, asked, limit, window int64) verdict {
	m.times = slices.DeleteFunc(m.times, func(t int64) bool { return t > clock+window })
	at := clock
	for _, t := range m.times {
		at = max(at, t)
	}
	m.times = slices.DeleteFunc(m.times, func(t int64) bool { return t+window <= at })
	v := verdict{at: at, count: int64(len(m.times))}
	for range asked {
		if int64(len(m.times)) < limit {
			m.times = append(m.times, at)
			v.granted++
		}
	}
	if len(m.times) > 0 {
		v.oldest = slices.Min(m.times)
	}
	return v
}

// decide is the decision on one request at clock.
func (m *model) decide(clock int64, bound Bound, window int64) Decision {
	v := m.admit(clock, 1, bound.sum(), window)
	d := Decision{Granted: v.granted == 1, Limit: bound.Limit}
	if d.Granted {
		d.Remaining = bound.Limit + bound.Beyond - len(m.times)
		return d
	}
	d.RetryAfter, d.Reset = max(1, time.Duration(v.oldest+window-clock))*time.Microsecond, time.UnixMicro(v.oldest+window).UTC()
	d.Reserved = len(m.times) < bound.Limit
	return d
}

// step is one batch of a random history: its time, its size, and its kind of requests.
type step struct {
	clock, asked int64
	kind         kind
	// reserve is the number of requests that those which yield do not get, if it is at most half of the limit.
	reserve int64
}

// kind is a kind of requests: those of visitors, of the merchant, and those that yield to others.
type kind uint8

const (
	visitors kind = iota
	merchants
	yielding
)

// bound is the step's bound under a limit.
func (s step) bound(limit int64) Bound {
	return Bound{int(limit), int([...]int64{visitors: 0, merchants: limit / 4, yielding: -min(s.reserve, limit/2)}[s.kind])}
}

// sum is the number of counted requests that refuses the next one.
func (b Bound) sum() int64 { return int64(b.Limit + b.Beyond) }

// history makes n random batches. Their clock usually runs forward, sometimes exactly to the end
// of a window; rarely it steps back or jumps by several windows. Some go beyond the limit, some stop
// ahead of what is reserved of it, which changes from time to time.
func history(r *rand.Rand, n int, window int64) []step {
	steps := make([]step, n)
	clock, reserve := int64(1_790_000_000_000_000), r.Int64N(12)
	for i := range steps {
		if r.IntN(50) == 0 {
			reserve = r.Int64N(12)
		}
		switch r.IntN(40) {
		case 0:
			clock -= r.Int64N(window)
		case 1:
			clock += r.Int64N(5*window) - 2*window
		case 2, 3:
			clock += window
		case 4, 5, 6, 7:
		default:
			clock += r.Int64N(window/8 + 1)
		}
		steps[i] = step{clock: clock, asked: r.Int64N(5), kind: [...]kind{visitors, visitors, merchants, yielding}[r.IntN(4)], reserve: reserve}
	}
	return steps
}

// seeded returns a random source and logs its seed, so that a failure can be repeated.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// granted is the grant of one batch: n of asked requests.
type granted struct{ at, n, asked int64 }

// wantNoWindowAbove fails if a window holds more than limit requests, or if a batch was refused
// requests although its window was not full. The batches must be in the order of their times.
func wantNoWindowAbove(t *testing.T, batches []granted, limit, window int64) {
	t.Helper()
	first, sum := 0, int64(0)
	for i := 0; i < len(batches); {
		at, refused := batches[i].at, false
		for ; i < len(batches) && batches[i].at == at; i++ {
			sum += batches[i].n
			refused = refused || batches[i].n < batches[i].asked
		}
		for ; batches[first].at+window <= at; first++ {
			sum -= batches[first].n
		}
		if sum > limit || refused && sum != limit {
			t.Fatalf("window ending at %d holds %d grants, refused %v; the limit is %d", at, sum, refused, limit)
		}
	}
}

// alone skips a test of one goroutine under -short. make test runs the race detector with
// -short, and the detector finds nothing in such a test.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine; runs without -short")
	}
}
