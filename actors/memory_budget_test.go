package actors

import (
	"testing"
	"time"
)

// fakeEvictor is a shard of records of 100 bytes.
type fakeEvictor struct {
	budget  *budget
	records int
	ran     int
	locked  bool // it ran while the budget's lock was held
}

func (f *fakeEvictor) oldest() time.Duration {
	if f.records == 0 {
		return noRecord
	}
	return time.Duration(-f.records)
}

func (f *fakeEvictor) evict() time.Duration {
	f.records--
	f.budget.bytes.Add(-100)
	return f.oldest()
}

func (f *fakeEvictor) run() {
	f.ran++
	if !f.budget.mu.TryLock() {
		f.locked = true
		return
	}
	f.budget.mu.Unlock()
}

// No actor runs while the budget's lock is held: another goroutine could not make room meanwhile.
func TestActorsRunAfterRoomIsMade(t *testing.T) {
	b := &budget{limit: 450}
	shards := []*fakeEvictor{{budget: b, records: 4}, {budget: b, records: 3}, {budget: b}}
	for _, s := range shards {
		b.add(s)
		b.bytes.Add(int64(100 * s.records))
	}
	b.makeRoom()
	if b.bytes.Load() > b.limit {
		t.Errorf("%d bytes are left of %d", b.bytes.Load(), b.limit)
	}
	for i, want := range []int{1, 1, 0} { // of seven records three leave: two of the first shard, one of the second
		if s := shards[i]; s.ran != want || s.locked {
			t.Errorf("shard %d ran %d times, with the lock held: %v; want %d", i, s.ran, s.locked, want)
		}
	}
}
