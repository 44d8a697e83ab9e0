package redisdb

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// flusher sends the operations that wait for one master. A flush sends the whole queue at once,
// in pipelines of at most maxBatch. Operations that arrive during a flush go with the next one.
// The first caller that waits for its operation flushes on its own goroutine (lead), so that no
// other has to be woken. The flusher's own goroutine sends the operations that queued up
// meanwhile.
type flusher struct {
	client *Client
	// master receives the pipelines.
	master redis.UniversalClient

	mu sync.Mutex
	// ended is signalled when no goroutine flushes any more.
	ended  sync.Cond
	queue  []Operation
	spare  []Operation
	active bool // a goroutine flushes
	crowd  bool // the last flush had several operations
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

// push queues operations together. The caller calls flush right after it. It returns false, with
// nothing queued, if the queue is closed or has no room for all.
func (f *flusher) push(ops ...Operation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || len(f.queue)+len(ops) > maxQueued {
		return false
	}
	f.queue = append(f.queue, ops...)
	return true
}

// flush sends the queued operations: on the caller's goroutine if no other goroutine flushes
// and the caller can wait at least a Timeout until its deadline.
func (f *flusher) flush(deadline time.Time) {
	f.mu.Lock()
	if deadline.IsZero() || !f.leads() || time.Until(deadline) < f.client.config.Timeout {
		f.kick()
		f.mu.Unlock()
		return
	}
	f.lead()
}

// kick wakes the flusher's goroutine unless another one flushes. The caller has the lock.
func (f *flusher) kick() {
	if !f.active && len(f.queue) > 0 {
		f.active = true
		f.wake <- struct{}{} // never blocks: active was false, so wake is empty
	}
}

// leads reports whether the caller may flush: no other goroutine does, and there is no crowd. In a crowd
// the flusher's own goroutine flushes, whose pipelines are larger. The caller has the lock.
func (f *flusher) leads() bool { return !f.active && !f.crowd && len(f.queue) > 0 }

// lead flushes the queue once, on the caller's goroutine. It ends the caller's lock.
func (f *flusher) lead() {
	f.active = true
	ops := f.dequeue()
	f.mu.Unlock()
	f.sendAll(ops)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.release(ops)
	f.kick()
}

// run flushes until the queue is empty, each time it is woken.
func (f *flusher) run() {
	defer close(f.done)
	for range f.wake {
		f.mu.Lock()
		for len(f.queue) > 0 {
			ops := f.dequeue()
			f.mu.Unlock()
			f.sendAll(ops)
			if f.crowd { // let the answered callers queue their next operations first: the next pipeline becomes larger
				runtime.Gosched()
			}
			f.mu.Lock()
			f.spare = ops[:0]
		}
		f.release(nil)
		f.kick()
		f.mu.Unlock()
	}
}

// release ends the flushing of a goroutine. The caller has the lock.
func (f *flusher) release(ops []Operation) {
	if ops != nil {
		f.spare = ops[:0]
	}
	f.active = false
	f.ended.Broadcast()
}

// dequeue empties the queue; two slices alternate. The caller has the lock.
func (f *flusher) dequeue() []Operation {
	ops := f.queue
	f.queue, f.spare, f.crowd = f.spare, nil, len(ops) > 1
	return ops
}

func (f *flusher) sendAll(ops []Operation) {
	for start := 0; start < len(ops); start += maxBatch {
		f.send(ops[start:min(start+maxBatch, len(ops))])
	}
	clear(ops)
}

// send sends operations in one pipeline. It sends commands with a forgotten script once more,
// with the script loaded. It sends redirected commands on a goroutine of their own, so that the
// next pipeline does not wait for another master.
func (f *flusher) send(ops []Operation) {
	p := &Pipeline{client: f.client}
	if f.client.Unreachable() {
		p.err = ErrDial
		finish(ops, p)
		return
	}
	if !p.survives(ops, func() { f.exchange(ops, p) }) {
		return
	}
	if moved := p.failed(isRedirection); len(moved) > 0 && f.client.cluster {
		own := append([]Operation(nil), ops...) // the flusher uses ops again
		go func() {
			if p.survives(own, func() { p.redirect(moved) }) {
				finish(own, p)
			}
		}()
		return
	}
	finish(ops, p)
}

// exchange collects the commands, sends them and reads their replies.
func (f *flusher) exchange(ops []Operation, p *Pipeline) {
	for _, op := range ops {
		op.Join(p)
	}
	for _, shared := range p.shared {
		shared.Complete()
	}
	if len(p.commands) == 0 {
		return
	}
	p.exec(f.master, p.kind(), p.commands)
	if forgotten := p.failed(func(err error) bool { return redis.HasErrorPrefix(err, "NOSCRIPT") }); len(forgotten) > 0 {
		f.client.loadScripts(f.master)
		p.exec(f.master, TripScript, forgotten)
	}
}

// survives runs a step that all operations share. After a panic it loses all of them and returns
// false: neither the process nor their callers may end with one of them.
func (p *Pipeline) survives(ops []Operation, step func()) (whole bool) {
	defer func() {
		if cause := recover(); cause != nil {
			p.logPanic(cause)
			for _, op := range ops {
				op.Lost()
			}
		}
	}()
	step()
	return true
}

func finish(ops []Operation, p *Pipeline) {
	for _, op := range ops {
		p.done(op)
	}
}

// done ends one operation. A panic loses this one only.
func (p *Pipeline) done(op Operation) {
	defer func() {
		if cause := recover(); cause != nil {
			p.logPanic(cause)
			op.Lost()
		}
	}()
	op.Done(p)
}

// logPanic logs the first panic of the pipeline.
func (p *Pipeline) logPanic(cause any) {
	if !p.panicked {
		p.panicked = true
		p.client.log.Error("an operation on redis panicked", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
	}
}

// exec sends commands, and one WAIT for all of them if replicas have to acknowledge a write.
func (p *Pipeline) exec(master redis.UniversalClient, kind TripKind, commands []*Command) {
	pipe := master.Pipeline()
	for _, c := range commands {
		c.cmd.SetErr(nil)
		_ = pipe.Process(background, c.cmd)
	}
	if p.writes && p.client.config.Replicas > 0 {
		p.replicas = pipe.Do(background, "WAIT", p.client.config.Replicas, p.client.config.Timeout.Milliseconds()/2)
	}
	began := time.Now()
	p.client.Exec(pipe)
	if observe := p.client.config.OnTrip; observe != nil {
		observe(Trip{kind, len(commands), time.Since(began), p.replicas != nil && !p.acknowledged()})
	}
}

// failed returns the commands with an error of a kind.
func (p *Pipeline) failed(kind func(error) bool) (some []*Command) {
	for _, c := range p.commands {
		if err := c.cmd.Err(); err != nil && kind(err) {
			some = append(some, c)
		}
	}
	return some
}

// redirect sends commands through the cluster's client, which follows redirections. Writes that
// have to wait for replicas stay refused: WAIT must use the connection of the write, which that
// client chooses.
func (p *Pipeline) redirect(commands []*Command) {
	if p.writes && p.client.config.Replicas > 0 {
		p.client.Redis.(*redis.ClusterClient).ReloadState(background)
		return
	}
	p.exec(p.client.Redis, TripRedirect, commands)
}

// close sends the queued operations and ends the flusher.
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

// refusedConnection marks a pipeline's commands as not sent if Redis refused the connection, as
// while it loads its file or expects another password. go-redis gives the commands no error, or
// (a cluster's client) one that looks like an answer to each.
type refusedConnection struct{}

func (refusedConnection) DialHook(next redis.DialHook) redis.DialHook { return next }

func (refusedConnection) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (refusedConnection) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		if err == nil || !IsReply(err) {
			return err
		}
		_, answer := err.(redis.Error) // not errors.As: the error of a connection wraps a redis.Error
		if answer && slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool { return cmd.Err() != nil }) {
			return err
		}
		err = dialFault(err.Error())
		for _, cmd := range cmds {
			cmd.SetErr(err)
		}
		return err
	}
}
