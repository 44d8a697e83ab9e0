package actors

import (
	"container/list"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/commerce"
)

const shardCount = 256

// directory knows which records are resident on this node and hands requests to
// their actors. A resident record without an actor is only its last state.
type directory[S any] struct {
	shards [shardCount]shard[S]
	root   *actor.RootContext
	env    *environment[S]
	config Config
	run    actor.PropsOption // on which goroutines actors run
	stop   chan struct{}
	// now is the time of the last tick: exact enough to tell who is idle.
	now atomic.Pointer[time.Time]
}

type shard[S any] struct {
	mu      sync.Mutex
	entries map[commerce.RecordKey]*entry[S]
	// recent lists the entries, the most recently used first.
	recent list.List
}

// entry is one resident record.
type entry[S any] struct {
	key  commerce.RecordKey
	pid  *actor.PID // nil: no actor is running
	used time.Time  // to a tick of the passivation
	node *list.Element
	// pending counts the requests that the actor has not finished.
	pending atomic.Int32
	// published is the last state known to be committed, nil when none is.
	published atomic.Pointer[commerce.Record[S]]
}

func newDirectory[S any](n *node, env *environment[S]) *directory[S] {
	d := &directory[S]{
		root: n.system.Root, env: env, config: n.config,
		run: actor.WithDispatcher(n.dispatcher), stop: make(chan struct{}),
	}
	for i := range d.shards {
		d.shards[i].entries = make(map[commerce.RecordKey]*entry[S])
	}
	now := time.Now()
	d.now.Store(&now)
	go d.passivate()
	return d
}

func (d *directory[S]) shard(key commerce.RecordKey) *shard[S] {
	return &d.shards[binary.LittleEndian.Uint64(key.ID[8:])>>8%shardCount]
}

// published returns the state that this node holds of a record, or nil.
func (d *directory[S]) published(key commerce.RecordKey) *commerce.Record[S] {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		d.use(s, e)
		return e.published.Load()
	}
	return nil
}

// keep makes a record resident whose state an admission has just read.
func (d *directory[S]) keep(key commerce.RecordKey, r *commerce.Record[S]) {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e == nil {
		d.add(s, key).published.Store(r)
	} else if e.pid == nil { // a running actor knows better
		e.published.Store(r)
	}
}

// submit hands a request to the record's actor, starting it if need be. It is
// ErrUnavailable when the actor has its hands full.
func (d *directory[S]) submit(key commerce.RecordKey, r *request[S]) error {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		e = d.add(s, key)
	}
	if int(e.pending.Load()) >= d.config.Mailbox {
		return commerce.ErrUnavailable
	}
	e.pending.Add(1)
	d.use(s, e)
	if e.pid == nil {
		e.pid = d.root.Spawn(actor.PropsFromProducer(func() actor.Actor { return newMachine(d.env, e) }, d.run))
	}
	d.root.Send(e.pid, r)
	return nil
}

// add makes an entry, at the cost of the least recently used idle one when the
// shard is full. The lock is held.
func (d *directory[S]) add(s *shard[S], key commerce.RecordKey) *entry[S] {
	if len(s.entries) >= max(1, d.config.Resident/shardCount) {
		for el := s.recent.Back(); el != nil; el = el.Prev() {
			if e := el.Value.(*entry[S]); e.pending.Load() == 0 {
				d.remove(s, e)
				break
			}
		}
	}
	e := &entry[S]{key: key, used: *d.now.Load()}
	e.node = s.recent.PushFront(e)
	s.entries[key] = e
	return e
}

func (d *directory[S]) remove(s *shard[S], e *entry[S]) {
	d.retire(e)
	s.recent.Remove(e.node)
	delete(s.entries, e.key)
}

// retire stops the entry's actor, which has nothing pending. The lock is held.
func (d *directory[S]) retire(e *entry[S]) {
	if e.pid != nil {
		d.root.Stop(e.pid)
		e.pid = nil
	}
}

func (d *directory[S]) use(s *shard[S], e *entry[S]) {
	e.used = *d.now.Load()
	s.recent.MoveToFront(e.node)
}

// passivate walks the shards, all of them once a Config.Idle: an actor idle for
// that long stops, a record idle for ten times as long leaves.
func (d *directory[S]) passivate() {
	tick := time.NewTicker(max(d.config.Idle/shardCount, time.Millisecond))
	defer tick.Stop()
	for i := 0; ; i = (i + 1) % shardCount {
		select {
		case <-d.stop:
			return
		case now := <-tick.C:
			d.now.Store(&now)
			d.sweep(&d.shards[i], now)
		}
	}
}

func (d *directory[S]) sweep(s *shard[S], now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for el := s.recent.Back(); el != nil; {
		e := el.Value.(*entry[S])
		idle := now.Sub(e.used)
		if idle < d.config.Idle {
			return
		}
		el = el.Prev()
		switch {
		case e.pending.Load() > 0:
		case idle >= 10*d.config.Idle:
			d.remove(s, e)
		default:
			d.retire(e)
		}
	}
}

// resident counts the records held and, of them, those with a running actor.
func (d *directory[S]) resident() (records, actors int) {
	for i := range d.shards {
		s := &d.shards[i]
		s.mu.Lock()
		records += len(s.entries)
		for _, e := range s.entries {
			if e.pid != nil {
				actors++
			}
		}
		s.mu.Unlock()
	}
	return records, actors
}
