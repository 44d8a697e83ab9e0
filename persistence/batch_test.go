package persistence

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// upTo are the numbers from 0 to n-1.
func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

func TestABatchIsWhatWasQueuedInOrderAndNeverTooMuch(t *testing.T) {
	var batches [][]int
	entered, release := make(chan struct{}, 100), make(chan struct{})
	b := newBatcher(new(awake), func(items []int) {
		batches = append(batches, slices.Clone(items))
		entered <- struct{}{}
		<-release
	})
	const n = 1 + 3*maxBatch + 7
	b.add(0)
	<-entered // the first flush is under way, and everything else queues behind it
	for i := 1; i < n; i++ {
		if !b.add(i) {
			t.Fatalf("add(%d) = false", i)
		}
	}
	close(release)
	b.close()
	var sizes []int
	for _, batch := range batches {
		sizes = append(sizes, len(batch))
	}
	if want := []int{1, maxBatch, maxBatch, maxBatch, 7}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v, want %v", sizes, want)
	}
	if got := slices.Concat(batches...); !slices.Equal(got, upTo(n)) {
		t.Errorf("flushed %v, want 0 to %d in order", got, n-1)
	}
}

func TestNothingIsQueuedAfterTheEnd(t *testing.T) {
	flushed := 0
	b := newBatcher(new(awake), func(items []int) { flushed += len(items) })
	b.add(1)
	b.close()
	if b.add(2) || flushed != 1 {
		t.Errorf("after close add is taken, or %d items were flushed, want 1", flushed)
	}
}

func TestAFullQueueTakesNothing(t *testing.T) {
	entered, release := make(chan struct{}, maxQueued), make(chan struct{})
	b := newBatcher(new(awake), func([]int) { entered <- struct{}{}; <-release })
	b.add(0)
	<-entered
	for i := range maxQueued {
		if !b.add(i) {
			t.Fatalf("add refuses item %d", i)
		}
	}
	if b.add(0) {
		t.Errorf("add takes item %d, want at most %d queued", maxQueued, maxQueued)
	}
	close(release)
	b.close()
}

// What add took is flushed exactly once, even where it races the end. (That add
// never meets a closed channel is what the race detector sees here.)
func TestNothingIsLostAtTheEnd(t *testing.T) {
	for range 2_000 {
		var flushed, taken atomic.Int64
		b := newBatcher(new(awake), func(items []int) { flushed.Add(int64(len(items))) })
		var started, adders sync.WaitGroup
		started.Add(3)
		for range 3 {
			adders.Go(func() {
				started.Done()
				if b.add(1) {
					taken.Add(1)
				}
			})
		}
		started.Wait()
		b.close()
		adders.Wait()
		if flushed.Load() != taken.Load() {
			t.Fatalf("%d of %d items were flushed", flushed.Load(), taken.Load())
		}
	}
}

// A caller that leads flushes on its own goroutine, and one that panics there leaves
// the others a batcher that works.
func TestALeaderFlushesByItself(t *testing.T) {
	var flushed []int
	b := newBatcher(new(awake), func(items []int) {
		if items[0] < 0 {
			panic("flush")
		}
		flushed = append(flushed, items...)
	})
	b.push(1)
	if b.lead(); !slices.Equal(flushed, []int{1}) {
		t.Fatalf("flushed %v when lead returns, want 1", flushed)
	}
	b.push(-1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		b.lead()
	}()
	b.push(2)
	b.lead()
	b.close()
	if !slices.Equal(flushed, []int{1, 2}) {
		t.Errorf("flushed %v, want 1 and 2", flushed)
	}
}
