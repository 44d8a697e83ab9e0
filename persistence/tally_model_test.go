package persistence

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
)

// slowLimit is the slow, obvious limiter: the time of every single grant that counts.
type slowLimit struct {
	limit int
	times []time.Time
}

// left forgets what has left the window that ends now, and returns what may be granted.
func (m *slowLimit) left(now time.Time) int {
	m.times = slices.DeleteFunc(m.times, func(at time.Time) bool { return !at.Add(commerce.RateWindow).After(now) })
	return m.limit - len(m.times)
}

// take counts one request, if it may be, and returns what it is told.
func (m *slowLimit) take(now time.Time) engine.Budget {
	left := m.left(now)
	if left <= 0 {
		reset := m.times[0].Add(commerce.RateWindow)
		return engine.Budget{Limit: m.limit, RetryAfter: reset.Sub(now), Reset: reset}
	}
	m.times = append(m.times, now)
	return granted(m.limit, left-1)
}

// tally counts all requests of a commit or none, and returns what becomes of it.
func (m *slowLimit) tally(now time.Time, requests int) result {
	left := m.left(now)
	if requests <= left {
		first := m.take(now)
		for range requests - 1 {
			m.take(now)
		}
		return result{kind: engine.Committed, budget: first}
	}
	oldest := now
	if len(m.times) > 0 {
		oldest = m.times[0]
	}
	reset := oldest.Add(commerce.RateWindow)
	return result{kind: engine.Exceeded, within: left, budget: engine.Budget{Limit: m.limit, RetryAfter: reset.Sub(now), Reset: reset}}
}

// Whether nodes admit or tally: never more than the limit in any window, never a false
// refusal, and every budget as the slow limiter tells it.
func TestAdmissionsAndTalliesDecideLikeTheSlowLimiter(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	roll := rand.New(rand.NewPCG(seed, 0))
	for round := range 4 {
		s := redistest.Mini(t)
		nodes := []*DB{node(t, s), node(t, s)}
		model, now := &slowLimit{limit: 1 + roll.IntN(30)}, noon
		limitedShop(t, nodes[0], model.limit)
		for step := range 120 {
			now = now.Add(time.Duration(roll.Int64N(12_000_000)) * time.Microsecond / time.Duration(1+9*roll.IntN(2))).Truncate(time.Microsecond)
			s.Mini.SetTime(now)
			db := nodes[roll.IntN(2)]
			if roll.IntN(2) == 0 {
				admitLike(t, db, model, now, 1+roll.IntN(4))
				continue
			}
			tallyLike(t, db, model, now, 1000*round+step, roll)
		}
	}
}

// admitLike admits a batch and compares what each request is told.
func admitLike(t *testing.T, db *DB, model *slowLimit, now time.Time, n int) {
	t.Helper()
	batch := make([]*admission, n)
	for i := range batch {
		batch[i] = queued(t, db, "key")
	}
	together(t, db, batch)
	for i, a := range batch {
		if err := <-a.done; err != nil {
			t.Fatal(err)
		}
		if got, want := budget(a.decision), model.take(now); got != want {
			t.Fatalf("at %v, request %d of %d: %+v, want %+v", now, i, n, got, want)
		}
	}
}

// tallyLike sends a batch of counted commits and compares what becomes of each.
func tallyLike(t *testing.T, db *DB, model *slowLimit, now time.Time, id int, roll *rand.Rand) {
	t.Helper()
	var batch []*commit
	var got []*result
	for i := range 1 + roll.IntN(4) {
		c, r := onItsWay(db, 4*id+i, 1+roll.IntN(5), presumed(t, db, "key"))
		batch, got = append(batch, c), append(got, r)
	}
	sizes := make([]int, len(batch))
	for i := range batch {
		sizes[i] = batch[i].uncounted
	}
	together(t, db, batch)
	for i, r := range got {
		want := model.tally(now, sizes[i])
		if !reflect.DeepEqual(*r, want) {
			t.Fatalf("at %v, commit %d of %v: %+v, want %+v", now, i, sizes, *r, want)
		}
	}
}
