package persistence

import (
	"runtime"
	"sync"
)

// batcher is a group commit: whoever flushes takes what is queued, up to maxBatch,
// without lingering; what arrives meanwhile is the next batch. The first caller who
// waits for its item flushes by itself (lead), which saves waking anybody; what has
// queued up behind it is flushed by the batcher's own goroutine.
type batcher[T any] struct {
	mu sync.Mutex
	// ended is told when nobody flushes any more.
	ended  sync.Cond
	queue  []T
	spare  []T
	active bool // somebody flushes
	crowd  bool // the last flush was of several items
	closed bool
	wake   chan struct{}
	done   chan struct{}
	flush  func([]T)
	// awake is told how many items are queued or being flushed.
	awake *awake
}

const (
	maxBatch  = 256
	maxQueued = 1 << 16
)

func newBatcher[T any](awake *awake, flush func([]T)) *batcher[T] {
	b := &batcher[T]{wake: make(chan struct{}, 1), done: make(chan struct{}), flush: flush, awake: awake}
	b.ended.L = &b.mu
	go b.run()
	return b
}

// add queues an item and has it flushed. False: the queue is full or closed, and
// nothing was queued.
func (b *batcher[T]) add(item T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.put(item) {
		return false
	}
	b.kick()
	return true
}

// push is add for a caller that calls lead, or has it called, right after.
func (b *batcher[T]) push(item T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.put(item)
}

func (b *batcher[T]) put(item T) bool {
	if b.closed || len(b.queue) >= maxQueued {
		return false
	}
	b.queue = append(b.queue, item)
	b.awake.waiting.Add(1)
	return true
}

// start has what is queued flushed by the batcher's goroutine.
func (b *batcher[T]) start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kick()
}

// kick wakes the batcher's goroutine unless somebody flushes. The lock is held.
func (b *batcher[T]) kick() {
	if !b.active && len(b.queue) > 0 {
		b.active = true
		b.wake <- struct{}{} // nobody else has sent one
	}
}

// lead flushes what is queued once, on the caller's goroutine, unless somebody does. In
// a crowd it leaves that to the batcher's own, whose batches are greater.
func (b *batcher[T]) lead() {
	b.mu.Lock()
	if b.active || b.crowd || len(b.queue) == 0 {
		b.kick()
		b.mu.Unlock()
		return
	}
	b.active = true
	items := b.take()
	b.mu.Unlock()
	defer func() { // also after a panic: the caller may survive it, and others go on
		b.mu.Lock()
		defer b.mu.Unlock()
		b.rest(items)
		b.kick()
	}()
	b.flushAll(items)
}

// run flushes for as long as there is something queued, each time it is woken.
func (b *batcher[T]) run() {
	defer close(b.done)
	for range b.wake {
		b.mu.Lock()
		for len(b.queue) > 0 {
			items := b.take()
			b.mu.Unlock()
			b.flushAll(items)
			if b.crowd { // the next batch is greater when those go first that have their answers
				runtime.Gosched()
			}
			b.mu.Lock()
			b.spare = items[:0]
		}
		b.rest(nil)
		b.kick()
		b.mu.Unlock()
	}
}

// rest ends somebody's flushing. The lock is held.
func (b *batcher[T]) rest(items []T) {
	if items != nil {
		b.spare = items[:0]
	}
	b.active = false
	b.ended.Broadcast()
}

func (b *batcher[T]) flushAll(items []T) {
	defer b.awake.waiting.Add(int32(-len(items)))
	for start := 0; start < len(items); start += maxBatch {
		b.flush(items[start:min(start+maxBatch, len(items))])
	}
	clear(items)
}

// take empties the queue; two slices take turns. The lock is held.
func (b *batcher[T]) take() []T {
	items := b.queue
	b.queue, b.spare, b.crowd = b.spare, nil, len(items) > 1
	return items
}

// close flushes what is queued and ends.
func (b *batcher[T]) close() {
	b.mu.Lock()
	b.closed = true
	b.kick()
	for b.active || len(b.queue) > 0 {
		b.ended.Wait()
	}
	b.mu.Unlock()
	close(b.wake)
	<-b.done
}
