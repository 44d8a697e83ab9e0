package actors

import (
	"math/rand/v2"
	"slices"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// fault is a fault of a sending.
type fault uint8

const (
	none fault = iota
	// conflict: another node commits first.
	conflict
	// replyLost: the visit is done, and the sender gets no reply.
	replyLost
	// requestLost: the visit never arrives, and the sender gets no reply.
	requestLost
	// delayed: the sender gives the sending up, and it arrives some operations later.
	delayed
	// refusal: the sending certainly had no effect.
	refusal
	// unreachable: from now on everything is refused.
	unreachable
	// restoredBackup: the record loses its last commit.
	restoredBackup
	// slow: the sending arrives, and its reply comes, some operations later.
	slow
	// newHead: the store has another head.
	newHead
	// clockJump: the store's clock is set forward.
	clockJump
	// broken: the record cannot be read.
	broken
)

func (f fault) String() string {
	return [...]string{
		"none", "conflict", "reply lost", "request lost", "delayed", "refusal", "outage", "restored backup", "slow",
		"new head", "clock jump", "broken",
	}[f]
}

type fate = fateOf[*commerce.Cart]

// fateOf is the fate of one sending.
type fateOf[S any] struct {
	fault fault
	// foreign is the other node's command, with its visitor and its key (nil if it has none); only
	// with conflict.
	foreign commerce.Command[S]
	visitor commerce.Visitor
	key     *engine.IdempotencyKey
	// after is the number of operations until the sending arrives.
	after int
	// halt hands the sending to the test.
	halt *halt[S]
}

// halt is a sending that waits for the test.
type halt[S any] struct {
	storage *fakeStorage[S]
	// arrived receives the visit once the actor has sent it.
	arrived chan *engine.Visit[S]
	// unsent is true if the sending waits in the node, not marked as sent yet; else it is on its way.
	unsent, sent bool
}

// halt makes the next sending without a plan wait on its way to the store.
func (s *fakeStorage[S]) halt() *halt[S] { return s.halting(false) }

// haltUnsent makes the next sending without a plan wait in the node.
func (s *fakeStorage[S]) haltUnsent() *halt[S] { return s.halting(true) }

func (s *fakeStorage[S]) halting(unsent bool) *halt[S] {
	h := &halt[S]{storage: s, unsent: unsent, arrived: make(chan *engine.Visit[S], 1)}
	s.will(fateOf[S]{halt: h})
	return h
}

// release lets a halted sending go on, to its fate.
func (h *halt[S]) release(v *engine.Visit[S], f fateOf[S]) {
	h.storage.mu.Lock()
	var o engine.Outcome[S]
	replied := true
	switch {
	case h.unsent:
		o, replied = h.storage.deliver(v, f)
	case h.sent:
		o, replied = h.storage.process(v, f)
	default:
		o.Kind = engine.NotSent
	}
	h.storage.mu.Unlock()
	if replied {
		v.Done(o)
	}
}

// apply plays a halted sending and keeps its reply back.
func (s *fakeStorage[S]) apply(v *engine.Visit[S]) engine.Outcome[S] {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := left(v)
	return s.visit(&copied)
}

// will plans the next sendings.
func (s *fakeStorage[S]) will(fates ...fateOf[S]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = append(s.plan, fates...)
}

// set changes the store.
func (s *fakeStorage[S]) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// always sets the fate of every sending without a plan.
func (s *fakeStorage[S]) always(f fateOf[S]) { s.set(func() { s.usual = f }) }

// setAway begins or ends an outage.
func (s *fakeStorage[S]) setAway(away bool) { s.set(func() { s.away = away }) }

// skip sets the store's clock forward.
func (s *fakeStorage[S]) skip(d time.Duration) { s.set(func() { s.ahead += d }) }

// calm ends every fault; travelling sendings arrive.
func (s *fakeStorage[S]) calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dice, s.away, s.outage = nil, false, 0
	for len(s.travelling) > 0 {
		s.arrive(1)
	}
}

// next takes the next fate from the plan, or rolls it.
func (s *fakeStorage[S]) next() fateOf[S] {
	if len(s.plan) > 0 {
		f := s.plan[0]
		s.plan = s.plan[1:]
		return f
	}
	if s.dice != nil {
		return any(s.dice.roll()).(fateOf[S])
	}
	return s.usual
}

// deliver takes a sending to the store, unless it must not leave the node. It returns false if the
// reply comes later. The lock is held.
func (s *fakeStorage[S]) deliver(v *engine.Visit[S], f fateOf[S]) (engine.Outcome[S], bool) {
	s.tick()
	if f.fault == unreachable {
		s.away, s.outage = true, f.after
	}
	if s.away {
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Refused}}, true
	}
	if !v.MaySend() {
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.NotSent}}, true
	}
	return s.process(v, f)
}

// process plays a fate with a sending that has left the node.
func (s *fakeStorage[S]) process(v *engine.Visit[S], f fateOf[S]) (engine.Outcome[S], bool) {
	unknown, left := engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Unknown}}, left(v)
	switch f.fault {
	case refusal:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Refused}}, true
	case broken:
		return engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Broken}}, true
	case requestLost:
		return unknown, true
	case replyLost:
		s.visit(&left)
		return unknown, true
	case delayed, slow:
		s.travelling = append(s.travelling, &travelling[S]{visit: left, after: f.after, reply: f.fault == slow})
		return unknown, f.fault != slow
	case conflict:
		s.overtake(v.Key, f.foreign, f.visitor, f.key)
	case restoredBackup:
		s.restore(v.Key)
	case newHead:
		s.head += "'"
	case clockJump:
		s.ahead += 2 * engine.Drift
	}
	o := s.visit(&left)
	v.Version.Clock.Hear(s.now(), time.Now())
	return o, true
}

// foreignWriter is the start id of a node that the tests do not run.
const foreignWriter = 0xf0

// write commits a command as another node would.
func (s *fakeStorage[S]) write(key engine.RecordKey, cmd commerce.Command[S], v commerce.Visitor) {
	s.writeWithKey(key, cmd, v, nil)
}

func (s *fakeStorage[S]) writeWithKey(key engine.RecordKey, cmd commerce.Command[S], v commerce.Visitor, sent *engine.IdempotencyKey) {
	s.set(func() { s.overtake(key, cmd, v, sent) })
}

func (s *fakeStorage[S]) overtake(key engine.RecordKey, cmd commerce.Command[S], v commerce.Visitor, sent *engine.IdempotencyKey) {
	before, now := s.records[key], s.now()
	asked := &engine.Request{Guards: &engine.Guards{}, CartID: key.ID, ContactID: key.ID, OrderID: key.ID, Command: cmd, Idempotency: sent}
	asked.Store, asked.Key, asked.Now, asked.Came, asked.Visitor, asked.Budget.Granted = s.shop, &commerce.APIKey{}, now, now, v, true
	view := &engine.View[S]{State: before.State, Next: before.Stamp.Counter + 1, Input: &commerce.Input{}}
	if sent != nil {
		view.Entry = s.entries[sent.Name]
	}
	if changed, refused := engine.Judge(s.kind, asked, view); refused == nil && !changed.Replayed {
		s.replaceForeign(key, changed.State, changed.Effects)
	}
}

// replaceForeign is a commit of the other node. The lock is held.
func (s *fakeStorage[S]) replaceForeign(key engine.RecordKey, state S, effects ...engine.Effects) {
	before := s.records[key]
	s.foreign++
	s.replace(key, before, engine.Record[S]{
		Stamp:   engine.Stamp{Counter: before.Stamp.Counter + 1, Writer: foreignWriter, Sequence: s.foreign},
		Writers: before.Remember(foreignWriter, s.now()), State: state,
	}, effects)
}

// restore takes a record back by one commit, and breaks every connection. The lock is held.
func (s *fakeStorage[S]) restore(key engine.RecordKey) {
	for _, a := range slices.Backward(s.history) {
		if a.key == key && a.after.Stamp == s.records[key].Stamp {
			s.records[key] = a.before
			for _, name := range a.names {
				delete(s.entries, name)
			}
			break
		}
	}
	for _, t := range s.travelling {
		if t.reply {
			go t.visit.Done(engine.Outcome[S]{Ending: engine.Ending{Kind: engine.Unknown}})
		}
	}
	s.travelling = nil
}

// dice rolls the fates of a storm.
type dice struct {
	*rand.Rand
	odds []odd
	// foreign makes the next command of another node.
	foreign func() cartCommand
}

// odd is how many of a thousand sendings meet a fault.
type odd struct {
	fault    fault
	thousand int
}

func (d *dice) roll() fate {
	n := d.IntN(1000)
	for _, o := range d.odds {
		if n -= o.thousand; n < 0 {
			f := fate{fault: o.fault, after: 1 + d.IntN(20)}
			if o.fault == conflict {
				f.foreign = d.foreign()
			}
			return f
		}
	}
	return fate{fault: none}
}
