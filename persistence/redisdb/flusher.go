package redisdb

import (
	"runtime"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// flusher sends what waits for one master. Whoever flushes takes what is queued, up to
// maxBatch, without lingering; what arrives meanwhile is the next pipeline. The first caller who
// waits for its operation flushes by itself (lead), which saves waking anybody; what has queued
// up behind it is flushed by the flusher's own goroutine.
type flusher struct {
	client *Client
	// master is whom the pipelines go to.
	master redis.UniversalClient

	mu sync.Mutex
	// ended is signalled when no goroutine flushes any more.
	ended  sync.Cond
	queue  []Operation
	spare  []Operation
	active bool // a goroutine flushes
	crowd  bool // the last flush was of several operations
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

const (
	maxBatch  = 256
	maxQueued = 1 << 16
)

func newFlusher(client *Client, master redis.UniversalClient) *flusher {
	f := &flusher{client: client, master: master, wake: make(chan struct{}, 1), done: make(chan struct{})}
	f.ended.L = &f.mu
	go f.run()
	return f
}

// push queues an operation for a caller that calls lead or start right after. False: the queue
// is full or closed, and nothing was queued.
func (f *flusher) push(op Operation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || len(f.queue) >= maxQueued {
		return false
	}
	f.queue = append(f.queue, op)
	f.client.conns.awake.waiting.Add(1)
	return true
}

// flush sends what waits: on the caller's goroutine if that waits, until its deadline, for at
// least as long as Redis may be silent, and if no other goroutine flushes.
func (f *flusher) flush(deadline time.Time) {
	if !deadline.IsZero() && time.Until(deadline) >= f.client.config.Timeout {
		f.lead()
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kick()
}

// kick wakes the flusher's goroutine unless another one flushes. The lock is held.
func (f *flusher) kick() {
	if !f.active && len(f.queue) > 0 {
		f.active = true
		f.wake <- struct{}{} // no other has sent one
	}
}

// lead flushes what is queued once, on the caller's goroutine, unless another does. In
// a crowd it leaves that to the flusher's own, whose pipelines are greater.
func (f *flusher) lead() {
	f.mu.Lock()
	if f.active || f.crowd || len(f.queue) == 0 {
		f.kick()
		f.mu.Unlock()
		return
	}
	f.active = true
	ops := f.take()
	f.mu.Unlock()
	defer func() { // also after a panic: the caller may survive it, and others go on
		f.mu.Lock()
		defer f.mu.Unlock()
		f.rest(ops)
		f.kick()
	}()
	f.sendAll(ops)
}

// run flushes for as long as there is something queued, each time it is woken.
func (f *flusher) run() {
	defer close(f.done)
	for range f.wake {
		f.mu.Lock()
		for len(f.queue) > 0 {
			ops := f.take()
			f.mu.Unlock()
			f.sendAll(ops)
			if f.crowd { // the next pipeline is greater when those go first that have their answers
				runtime.Gosched()
			}
			f.mu.Lock()
			f.spare = ops[:0]
		}
		f.rest(nil)
		f.kick()
		f.mu.Unlock()
	}
}

// rest ends a goroutine's flushing. The lock is held.
func (f *flusher) rest(ops []Operation) {
	if ops != nil {
		f.spare = ops[:0]
	}
	f.active = false
	f.ended.Broadcast()
}

// take empties the queue; two slices take turns. The lock is held.
func (f *flusher) take() []Operation {
	ops := f.queue
	f.queue, f.spare, f.crowd = f.spare, nil, len(ops) > 1
	return ops
}

func (f *flusher) sendAll(ops []Operation) {
	defer f.client.conns.awake.waiting.Add(int32(-len(ops)))
	for start := 0; start < len(ops); start += maxBatch {
		f.send(ops[start:min(start+maxBatch, len(ops))])
	}
	clear(ops)
}

// send sends operations in one pipeline. Commands whose script Redis has forgotten are sent
// once more with the script loaded. Commands that a server has sent elsewhere follow by
// themselves, so that the next pipeline does not wait for another master.
func (f *flusher) send(ops []Operation) {
	p := &Pipeline{client: f.client}
	if f.client.Unreachable() {
		p.err = ErrDial
		finish(ops, p)
		return
	}
	for _, op := range ops {
		op.Join(p)
	}
	for _, shared := range p.shared {
		shared.Complete()
	}
	if len(p.commands) > 0 {
		f.client.conns.awake.waiting.Add(p.requests)
		p.exec(f.master, p.commands)
		if forgotten := p.failed(func(err error) bool { return redis.HasErrorPrefix(err, "NOSCRIPT") }); len(forgotten) > 0 {
			f.client.loadScripts(f.master)
			p.exec(f.master, forgotten)
		}
		f.client.conns.awake.waiting.Add(-p.requests)
		if moved := p.failed(isRedirection); len(moved) > 0 && f.client.cluster {
			own := append([]Operation(nil), ops...) // the flusher's are used again
			go func() {
				p.redirect(moved)
				finish(own, p)
			}()
			return
		}
	}
	finish(ops, p)
}

func finish(ops []Operation, p *Pipeline) {
	for _, op := range ops {
		op.Done(p)
	}
}

// exec sends commands, and one WAIT for all of them if replicas have to acknowledge a write.
func (p *Pipeline) exec(master redis.UniversalClient, commands []*Command) {
	pipe := master.Pipeline()
	for _, c := range commands {
		c.cmd.SetErr(nil)
		_ = pipe.Process(background, c.cmd)
	}
	if p.writes && p.client.config.Replicas > 0 {
		p.replicas = pipe.Do(background, "WAIT", p.client.config.Replicas, p.client.config.Timeout.Milliseconds()/2)
	}
	p.client.Exec(pipe)
}

// failed are the commands with an error of a kind.
func (p *Pipeline) failed(kind func(error) bool) (some []*Command) {
	for _, c := range p.commands {
		if err := c.cmd.Err(); err != nil && kind(err) {
			some = append(some, c)
		}
	}
	return some
}

// redirect has a cluster's client follow redirections. Writes that have to wait for replicas
// stay refused: WAIT belongs to the connection of the write, which that client chooses.
func (p *Pipeline) redirect(commands []*Command) {
	if p.writes && p.client.config.Replicas > 0 {
		p.client.Redis.(*redis.ClusterClient).ReloadState(background)
		return
	}
	p.exec(p.client.Redis, commands)
}

// close flushes what is queued and ends.
func (f *flusher) close() {
	f.mu.Lock()
	f.closed = true
	f.kick()
	for f.active || len(f.queue) > 0 {
		f.ended.Wait()
	}
	f.mu.Unlock()
	close(f.wake)
	<-f.done
}
