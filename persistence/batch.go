package persistence

import (
	"runtime"
	"sync"
)

// batcher is a group commit: one goroutine takes whatever is queued, up to
// maxBatch, without lingering, and flushes it. What arrives meanwhile is the next
// batch.
type batcher[T any] struct {
	mu     sync.Mutex
	queue  []T
	spare  []T
	closed bool
	wake   chan struct{}
	done   chan struct{}
	flush  func([]T)
}

const (
	maxBatch  = 256
	maxQueued = 1 << 16
)

func newBatcher[T any](flush func([]T)) *batcher[T] {
	b := &batcher[T]{wake: make(chan struct{}, 1), done: make(chan struct{}), flush: flush}
	go b.run()
	return b
}

// add queues an item. False: the queue is full or closed, and nothing was queued.
func (b *batcher[T]) add(item T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.queue) >= maxQueued {
		return false
	}
	b.queue = append(b.queue, item)
	if len(b.queue) == 1 {
		select {
		case b.wake <- struct{}{}: // inside the lock: close ends wake
		default:
		}
	}
	return true
}

func (b *batcher[T]) run() {
	defer close(b.done)
	for range b.wake {
		runtime.Gosched() // whoever can run now joins the batch
		for items := b.take(); len(items) > 0; items = b.take() {
			for start := 0; start < len(items); start += maxBatch {
				b.flush(items[start:min(start+maxBatch, len(items))])
			}
			clear(items)
			b.spare = items[:0]
		}
	}
}

// take empties the queue; two slices take turns.
func (b *batcher[T]) take() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	items := b.queue
	b.queue, b.spare = b.spare, nil
	return items
}

// close flushes what is queued and ends.
func (b *batcher[T]) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	close(b.wake)
	<-b.done
}
