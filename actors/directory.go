package actors

import (
	"encoding/binary"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"cartd/engine"
)

const shardCount = 256

// directory has the resident records of this node and sends requests to their actors. A resident
// record without an actor is only its last state. An idle one is that state packed, in the packed
// cache.
type directory[S any] struct {
	shards [shardCount]shard[S]
	env    *environment[S]
	stop   chan struct{}
	// bytes is the packing buffer of the passivation goroutine.
	bytes []byte
	// awake counts the entries of all shards in this round of the passivation. peak is its maximum
	// since memory was last given back.
	awake, peak int
}

type shard[S any] struct {
	mu      sync.Mutex
	entries map[engine.RecordKey]*entry[S]
	// recent is a ring of the entries, the last used first. The records of the packed cache are older
	// than all of them.
	recent entry[S]
	packed packedCache
	// charged is the bytes that the budget counts for the packed cache.
	charged int
	// ending are the actors that were stopped.
	ending endings
}

// entry is one resident record that is not in the packed cache.
type entry[S any] struct {
	key        engine.RecordKey
	pid        *actor.PID    // nil if no actor is running
	box        *mailbox      // of the actor
	used       time.Duration // last use by the node's clock, exact to a tick of the passivation
	next, last *entry[S]     // in the ring
	// pending counts the requests that the actor has not finished.
	pending atomic.Int32
	// published is the last state known to be committed; nil if there is none.
	published atomic.Pointer[engine.Record[S]]
	// bytes is the size of the published state in the budget.
	bytes atomic.Int64
}

func newDirectory[S any](env *environment[S]) *directory[S] {
	d := &directory[S]{env: env, stop: make(chan struct{})}
	for i := range d.shards {
		s := &d.shards[i]
		s.entries = make(map[engine.RecordKey]*entry[S])
		s.recent.next, s.recent.last = &s.recent, &s.recent
		env.budget.add(shardEvictor[S]{d, s})
	}
	go d.passivateIdle()
	return d
}

func (d *directory[S]) shard(key engine.RecordKey) *shard[S] {
	return &d.shards[binary.LittleEndian.Uint64(key.ID[8:])>>8%shardCount]
}

// published returns the state of a record in this node's memory, or nil.
func (d *directory[S]) published(key engine.RecordKey) *engine.Record[S] {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := d.find(s, key); e != nil {
		return e.published.Load()
	}
	return nil
}

// find returns the entry of a resident record, and marks it as used, or nil. The lock is held.
func (d *directory[S]) find(s *shard[S], key engine.RecordKey) *entry[S] {
	if e := s.entries[key]; e != nil {
		d.use(s, e)
		return e
	}
	packed, ok := s.packed.pop(key)
	if !ok {
		return nil
	}
	d.chargePacked(s)
	e := d.add(s, key)
	if r, ok := d.env.storage.Unpack(key, packed); ok {
		d.env.publish(e, &r)
	}
	return e
}

// keep makes a record from a read resident.
func (d *directory[S]) keep(key engine.RecordKey, r *engine.Record[S]) {
	s := d.shard(key)
	defer d.env.budget.makeRoom()
	s.mu.Lock()
	e := d.find(s, key)
	if e == nil {
		e = d.add(s, key)
	}
	box := e.box
	if box == nil {
		d.env.publish(e, r)
	} else {
		box.PostUserMessage(found[S]{r})
	}
	s.mu.Unlock()
	if box != nil && box.run() {
		d.env.storage.Flush(time.Time{})
	}
}

// submit sends a request to the record's actor, which it starts if necessary, and runs the actor. The
// caller has to flush the commits. It returns MailboxFull if the mailbox is full.
func (d *directory[S]) submit(key engine.RecordKey, r *request[S]) error {
	box, err := d.post(key, r)
	if err == nil {
		box.run()
	}
	return err
}

// post puts a request into the mailbox of the record's actor.
func (d *directory[S]) post(key engine.RecordKey, r *request[S]) (*mailbox, error) {
	s := d.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := d.find(s, key)
	if e == nil {
		e = d.add(s, key)
	}
	if int(e.pending.Load()) >= d.env.config.Mailbox {
		d.env.counters.MailboxFull.Add(1)
		return nil, engine.MailboxFull
	}
	e.pending.Add(1)
	if e.box == nil {
		d.spawn(s, e)
	}
	e.box.PostUserMessage(r)
	return e.box, nil
}

// spawn starts an entry's actor. The lock is held.
func (d *directory[S]) spawn(s *shard[S], e *entry[S]) {
	d.env.budget.bytes.Add(actorSize)
	box := &mailbox{ending: &s.ending}
	e.box = box
	e.pid = d.env.system.Root.Spawn(actor.PropsFromProducer(
		func() actor.Actor { return newRecordActor(d.env, e, box) },
		actor.WithMailbox(func() actor.Mailbox { return box }),
	))
}

// add makes an entry. The lock is held.
func (d *directory[S]) add(s *shard[S], key engine.RecordKey) *entry[S] {
	e := &entry[S]{key: key}
	e.next, e.last = e, e
	d.use(s, e)
	s.entries[key] = e
	d.env.budget.bytes.Add(entrySize)
	return e
}

// remove stops the entry's actor, which has nothing pending, and drops the entry. The lock is held.
func (d *directory[S]) remove(s *shard[S], e *entry[S]) {
	freed := entrySize + e.bytes.Swap(0)
	if e.pid != nil {
		d.env.system.Root.Stop(e.pid)
		freed += actorSize
	}
	e.leave()
	delete(s.entries, e.key)
	d.env.budget.bytes.Add(-freed)
}

// use makes the entry the last used one.
func (d *directory[S]) use(s *shard[S], e *entry[S]) {
	e.used = time.Duration(d.env.now.Load())
	if s.recent.next != e {
		e.leave()
		e.join(&s.recent)
	}
}

// join puts an entry at the head of a ring; leave takes it out of its ring.
func (e *entry[S]) join(ring *entry[S]) {
	e.next, e.last = ring.next, ring
	e.next.last, ring.next = e, e
}

func (e *entry[S]) leave() { e.next.last, e.last.next = e.last, e.next }

// rounds is the number of sweeps of a shard within Config.Idle.
const rounds = 4

// passivateIdle sweeps the shards in turn.
func (d *directory[S]) passivateIdle() {
	tick := time.NewTicker(max(d.env.config.Idle/(rounds*shardCount), time.Millisecond))
	defer tick.Stop()
	for i := 0; ; i = (i + 1) % shardCount {
		select {
		case <-d.stop:
			return
		case now := <-tick.C:
			d.env.now.Store(int64(now.Sub(d.env.began)))
			d.sweep(&d.shards[i], now)
			d.env.budget.makeRoom()
			if i == 0 {
				d.giveBack()
			}
		}
	}
}

// manyLeft is the decrease of awake records at which memory is given back to the system at once.
// The garbage collector by itself may take minutes.
const manyLeft = 10_000

func (d *directory[S]) giveBack() {
	d.peak = max(d.peak, d.awake)
	if d.peak-d.awake >= manyLeft {
		d.peak = d.awake
		debug.FreeOSMemory()
	}
	d.awake = 0
}

// sweep passivates the entries that were idle for Config.Idle and drops the packed records whose
// lifetime is over.
func (d *directory[S]) sweep(s *shard[S], now time.Time) {
	s.mu.Lock()
	defer s.ending.run()
	defer s.mu.Unlock()
	since := now.Sub(d.env.began)
	for e := s.recent.last; e != &s.recent && since-e.used >= d.env.config.Idle; {
		old := e
		e = e.last
		if old.pending.Load() == 0 {
			d.passivate(s, old)
		}
	}
	for _, used, ok := s.packed.oldest(); ok && since-used >= stays*d.env.config.Idle; _, used, ok = s.packed.oldest() {
		s.packed.drop()
	}
	d.chargePacked(s)
	d.awake += len(s.entries)
}

// passivate ends the actor of an idle entry and packs its state, if the storage can pack it.
func (d *directory[S]) passivate(s *shard[S], e *entry[S]) {
	d.env.counters.Passivated.Add(1)
	d.remove(s, e)
	if r := e.published.Load(); r != nil {
		if d.bytes = d.env.storage.Pack(d.bytes[:0], r); len(d.bytes) > 0 {
			s.packed.put(e.key, e.used, d.bytes)
		}
	}
}

// resident counts the records in memory and, of them, those with a running actor.
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
