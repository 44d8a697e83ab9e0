package actors

import (
	"cartd/engine"
	"encoding/binary"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

const shardCount = 256

// directory knows which records are resident on this node and hands requests to
// their actors. A resident record without an actor is only its last state, and an idle
// one only that state packed, in the packed cache.
type directory[S any] struct {
	shards [shardCount]shard[S]
	root   *actor.RootContext
	env    *environment[S]
	node   *node
	config Config
	stop   chan struct{}
	// bytes is room to pack a record in, the passivation's own.
	bytes []byte
	// awake counts the entries of the shards looked at in this round of the passivation,
	// peak is what there were in a round since the memory was given back.
	awake, peak int
}

type shard[S any] struct {
	mu      sync.Mutex
	entries map[engine.RecordKey]*entry[S]
	// recent is a ring of the entries, from the most recently used one on; behind them
	// come those of the packed cache.
	recent entry[S]
	packed packedCache
	// charged is what the budget counts for the packed cache.
	charged int
	// loop runs the shard's actors.
	loop mailboxLoop
}

// unlock runs the shard's actors that were sent something. The caller has to flush what they
// commit: the sender may have flushed earlier than they ran.
func (s *shard[S]) unlock() (ran bool) {
	s.mu.Unlock()
	return s.loop.run()
}

// release is unlock for a caller that flushes nothing itself.
func (d *directory[S]) release(s *shard[S]) {
	if s.unlock() {
		d.env.store.Flush(time.Time{})
	}
}

// entry is one resident record that is not in the packed cache.
type entry[S any] struct {
	key        engine.RecordKey
	pid        *actor.PID    // nil: no actor is running
	used       time.Duration // of the node's clock, to a tick of the passivation
	next, last *entry[S]     // in the ring
	// pending counts the requests that the actor has not finished.
	pending atomic.Int32
	// published is the last state known to be committed, nil when none is.
	published atomic.Pointer[engine.Record[S]]
	// bytes is what the budget counts for the published state.
	bytes atomic.Int64
}

func newDirectory[S any](n *node, env *environment[S]) *directory[S] {
	d := &directory[S]{
		root: n.system.Root, env: env, node: n, config: n.config,
		stop: make(chan struct{}),
	}
	for i := range d.shards {
		s := &d.shards[i]
		s.entries = make(map[engine.RecordKey]*entry[S])
		s.recent.next, s.recent.last = &s.recent, &s.recent
		n.budget.add(shardEvictor[S]{d, s})
	}
	go d.passivateIdle()
	return d
}

func (d *directory[S]) shard(key engine.RecordKey) *shard[S] {
	return &d.shards[binary.LittleEndian.Uint64(key.ID[8:])>>8%shardCount]
}

// published returns the state that this node holds of a record, or nil.
func (d *directory[S]) published(key engine.RecordKey) *engine.Record[S] {
	s := d.shard(key)
	s.mu.Lock()
	defer d.release(s)
	if e := d.find(s, key); e != nil {
		return e.published.Load()
	}
	return nil
}

// find returns the entry of a resident record, in use from now on, or nil. The lock is
// held.
func (d *directory[S]) find(s *shard[S], key engine.RecordKey) *entry[S] {
	if e := s.entries[key]; e != nil {
		d.use(s, e)
		return e
	}
	packed, ok := s.packed.take(key)
	if !ok {
		return nil
	}
	d.chargePacked(s)
	e := d.add(s, key)
	if r, ok := d.env.store.Unpack(key, packed); ok {
		d.env.publish(e, &r)
	}
	return e
}

// keep makes a record resident that a read has just found.
func (d *directory[S]) keep(key engine.RecordKey, r *engine.Record[S]) {
	s := d.shard(key)
	defer d.node.budget.makeRoom()
	s.mu.Lock()
	defer d.release(s)
	e := d.find(s, key)
	if e == nil {
		e = d.add(s, key)
	}
	if e.pid == nil {
		d.env.publish(e, r)
		return
	}
	d.root.Send(e.pid, found[S]{r})
}

// submit hands a request to the record's actor, starting it if need be. It is
// MailboxFull if as many requests as there is room for wait already.
func (d *directory[S]) submit(key engine.RecordKey, r *request[S]) error {
	s := d.shard(key)
	s.mu.Lock()
	defer s.unlock()
	e := d.find(s, key)
	if e == nil {
		e = d.add(s, key)
	}
	if int(e.pending.Load()) >= d.config.Mailbox {
		d.node.counters.MailboxFull.Add(1)
		return engine.MailboxFull
	}
	e.pending.Add(1)
	if e.pid == nil {
		e.pid = d.spawn(s, e)
	}
	d.root.Send(e.pid, r)
	return nil
}

// spawn starts an entry's actor. The lock is held.
func (d *directory[S]) spawn(s *shard[S], e *entry[S]) *actor.PID {
	d.node.budget.bytes.Add(actorSize)
	return d.root.Spawn(actor.PropsFromProducer(
		func() actor.Actor { return newRecordActor(d.env, e, &s.loop) },
		actor.WithMailbox(func() actor.Mailbox { return &mailbox{loop: &s.loop} }),
	))
}

// add makes an entry. The lock is held.
func (d *directory[S]) add(s *shard[S], key engine.RecordKey) *entry[S] {
	e := &entry[S]{key: key}
	e.next, e.last = e, e
	d.use(s, e)
	s.entries[key] = e
	d.node.budget.bytes.Add(entrySize)
	return e
}

// remove stops the entry's actor, which has nothing pending, and forgets it. The lock is
// held.
func (d *directory[S]) remove(s *shard[S], e *entry[S]) {
	freed := entrySize + e.bytes.Swap(0)
	if e.pid != nil {
		d.root.Stop(e.pid)
		freed += actorSize
	}
	e.leave()
	delete(s.entries, e.key)
	d.node.budget.bytes.Add(-freed)
}

// use makes the entry the most recently used one.
func (d *directory[S]) use(s *shard[S], e *entry[S]) {
	e.used = time.Duration(d.node.now.Load())
	if s.recent.next != e {
		e.leave()
		e.join(&s.recent)
	}
}

// join puts an entry at the head of a ring, leave takes it out of its own.
func (e *entry[S]) join(ring *entry[S]) {
	e.next, e.last = ring.next, ring
	e.next.last, ring.next = e, e
}

func (e *entry[S]) leave() { e.next.last, e.last.next = e.last, e.next }

// rounds is how often a shard is looked at while a Config.Idle passes.
const rounds = 4

// stays is for how many times Config.Idle a packed record stays: an hour as a rule.
const stays = 240

// passivateIdle walks the shards: of a record idle for Config.Idle the actor stops and the
// state is packed, if the store packs such; one idle for much longer leaves.
func (d *directory[S]) passivateIdle() {
	tick := time.NewTicker(max(d.config.Idle/(rounds*shardCount), time.Millisecond))
	defer tick.Stop()
	for i := 0; ; i = (i + 1) % shardCount {
		select {
		case <-d.stop:
			return
		case now := <-tick.C:
			d.node.now.Store(int64(now.Sub(d.node.began)))
			d.sweep(&d.shards[i], now)
			d.node.budget.makeRoom()
			if i == 0 {
				d.giveBack()
			}
		}
	}
}

// manyLeft is how many records more have to have gone idle than were woken for their
// memory to be given back to the system at once: the collector by itself may take
// minutes.
const manyLeft = 10_000

func (d *directory[S]) giveBack() {
	d.peak = max(d.peak, d.awake)
	if d.peak-d.awake >= manyLeft {
		d.peak = d.awake
		debug.FreeOSMemory()
	}
	d.awake = 0
}

func (d *directory[S]) sweep(s *shard[S], now time.Time) {
	s.mu.Lock()
	defer d.release(s)
	since := now.Sub(d.node.began)
	for e := s.recent.last; e != &s.recent && since-e.used >= d.config.Idle; {
		old := e
		e = e.last
		if old.pending.Load() == 0 {
			d.passivate(s, old)
		}
	}
	for _, used, ok := s.packed.oldest(); ok && since-used >= stays*d.config.Idle; _, used, ok = s.packed.oldest() {
		s.packed.drop()
	}
	d.chargePacked(s)
	d.awake += len(s.entries)
}

// passivate ends the actor of an idle entry and packs its state, if that can be.
func (d *directory[S]) passivate(s *shard[S], e *entry[S]) {
	d.node.counters.Passivated.Add(1)
	d.remove(s, e)
	if r := e.published.Load(); r != nil {
		if d.bytes = d.env.store.Pack(d.bytes[:0], r); len(d.bytes) > 0 {
			s.packed.put(e.key, e.used, d.bytes)
		}
	}
}

// resident counts the records held and, of them, those with a running actor.
func (d *directory[S]) resident() (records, actors int) {
	for i := range d.shards {
		s := &d.shards[i]
		s.mu.Lock()
		records += len(s.entries) + s.packed.len()
		for _, e := range s.entries {
			if e.pid != nil {
				actors++
			}
		}
		s.mu.Unlock()
	}
	return records, actors
}
