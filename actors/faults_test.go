package actors

import (
	"math/rand/v2"
	"slices"

	"cartd/commerce"
	"cartd/engine"
)

// fault is what goes wrong with a sending.
type fault uint8

const (
	none fault = iota
	// conflict: a writer of another node commits first.
	conflict
	// replyLostAfterCommit: applied, and the sender does not learn it.
	replyLostAfterCommit
	// replyLostBeforeCommit: never applied, and the sender does not learn it.
	replyLostBeforeCommit
	// lateSuccess: the sender gives the sending up, and it arrives later.
	lateSuccess
	// refusal: the sending certainly had no effect.
	refusal
	// outage: from now on everything is refused.
	outage
	// restoredBackup: the record goes back to what it was before its last commit.
	restoredBackup
	// slowCommit: the sending arrives, and its reply comes, some operations later.
	slowCommit
)

func (f fault) String() string {
	return [...]string{
		"none", "conflict", "reply lost after commit", "reply lost before commit", "late success",
		"certain refusal", "outage", "restored backup", "slow commit",
	}[f]
}

// fate is what becomes of one sending.
type fate struct {
	fault fault
	// foreign is what the other node commits, by a visitor, under a key (nil: none);
	// only with conflict.
	foreign cartCommand
	visitor commerce.Visitor
	key     *engine.IdempotencyKey
	// after is how many operations later the sending arrives; only with lateSuccess
	// and slowCommit.
	after int
	// hold hands the sending to the test.
	hold *hold
}

// hold is a slow commit that waits for the test.
type hold struct {
	store *fakeStore
	// arrived receives the commit once the actor has sent it.
	arrived chan *engine.Commit[*commerce.Cart]
	// unsent: it waits in the node, not claimed yet; else on its way.
	unsent, sent bool
}

// hold makes the next sending without a plan a slow commit, on its way to the store.
func (s *fakeStore) hold() *hold { return s.holding(false) }

// holdUnsent makes the next sending without a plan wait in the node.
func (s *fakeStore) holdUnsent() *hold { return s.holding(true) }

func (s *fakeStore) holding(unsent bool) *hold {
	h := &hold{store: s, unsent: unsent, arrived: make(chan *engine.Commit[*commerce.Cart], 1)}
	s.will(fate{hold: h})
	return h
}

// release lets a held commit go on, to its fate.
func (h *hold) release(c *engine.Commit[*commerce.Cart], f fate) {
	h.store.mu.Lock()
	var o engine.Outcome[*commerce.Cart]
	replied := true
	switch {
	case h.unsent:
		o, replied = h.store.deliver(c, f)
	case h.sent:
		o, replied = h.store.process(c, f)
	default:
		o.Kind = engine.NotSent
	}
	h.store.mu.Unlock()
	if replied {
		c.Done(o)
	}
}

// apply plays a held commit and keeps its reply back.
func (s *fakeStore) apply(c *engine.Commit[*commerce.Cart]) engine.Outcome[*commerce.Cart] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set(c)
}

// will plans the next sendings.
func (s *fakeStore) will(fates ...fate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = append(s.plan, fates...)
}

// always sets the fate of every sending without a plan.
func (s *fakeStore) always(f fate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usual = f
}

// setAway begins or ends an outage.
func (s *fakeStore) setAway(away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = away
}

// calm ends every fault; what still travels arrives.
func (s *fakeStore) calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dice, s.away, s.outage = nil, false, 0
	for len(s.travelling) > 0 {
		s.arrive(1)
	}
}

// next takes the next fate from the plan, or rolls it.
func (s *fakeStore) next() fate {
	if len(s.plan) > 0 {
		f := s.plan[0]
		s.plan = s.plan[1:]
		return f
	}
	if s.dice != nil {
		return s.dice.roll()
	}
	return s.usual
}

// deliver takes a sending to the store, if it may leave the node. The lock is
// held. False: the reply comes later.
func (s *fakeStore) deliver(c *engine.Commit[*commerce.Cart], f fate) (engine.Outcome[*commerce.Cart], bool) {
	s.tick()
	if f.fault == outage {
		s.away, s.outage = true, f.after
	}
	if s.away {
		return engine.Outcome[*commerce.Cart]{Kind: engine.Refused}, true
	}
	if !c.Claim() {
		return engine.Outcome[*commerce.Cart]{Kind: engine.NotSent}, true
	}
	return s.process(c, f)
}

// process plays a fate with a sending that has left the node.
func (s *fakeStore) process(c *engine.Commit[*commerce.Cart], f fate) (engine.Outcome[*commerce.Cart], bool) {
	unknown := engine.Outcome[*commerce.Cart]{Kind: engine.Unknown}
	switch f.fault {
	case refusal:
		return engine.Outcome[*commerce.Cart]{Kind: engine.Refused}, true
	case replyLostBeforeCommit:
		return unknown, true
	case replyLostAfterCommit:
		s.set(c)
		return unknown, true
	case lateSuccess, slowCommit:
		slow := f.fault == slowCommit
		left := *c // as it left the node
		s.travelling = append(s.travelling, &travelling{commit: &left, after: f.after, reply: slow})
		return unknown, !slow
	case conflict:
		s.overtake(c.Key, f.foreign, f.visitor, f.key)
	case restoredBackup:
		s.restore(c.Key)
	}
	return s.set(c), true
}

// foreignWriter is the start id of a node that the tests do not run.
const foreignWriter = 0xf0

// write commits a command as another node would.
func (s *fakeStore) write(key engine.RecordKey, cmd cartCommand, v commerce.Visitor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.overtake(key, cmd, v, nil)
}

func (s *fakeStore) overtake(key engine.RecordKey, cmd cartCommand, v commerce.Visitor, once *engine.IdempotencyKey) {
	before, now := s.records[key], s.now()
	counter := before.Stamp.Counter
	asked := &engine.Request{Guards: &engine.Guards{}, Facts: facts(s.shop, now), CartID: key.ID, CartCommand: cmd, Idempotency: once}
	asked.Visitor = v
	changed, refused := engine.Judge(engine.CartKind, asked, &engine.View[*commerce.Cart]{
		State: before.State, Seen: counter, Next: counter + 1, Entry: s.remembered(once), Input: &commerce.Input{},
	})
	if refused != nil || changed.Replayed {
		return
	}
	s.foreign++
	after := engine.CartRecord{
		Stamp:   engine.Stamp{Counter: counter + 1, Writer: foreignWriter, Sequence: s.foreign},
		Writers: before.Remember(foreignWriter, now), State: changed.State,
	}
	s.replace(key, before, after, []engine.Effects{changed.Effects})
}

// restoreBackup takes a record back by one commit, and breaks every connection.
func (s *fakeStore) restoreBackup(key engine.RecordKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restore(key)
}

func (s *fakeStore) restore(key engine.RecordKey) {
	for _, a := range slices.Backward(s.history) {
		if a.key == key && a.after.Stamp == s.records[key].Stamp {
			s.records[key] = a.before
			for _, name := range a.once {
				delete(s.entries, name)
			}
			break
		}
	}
	for _, t := range s.travelling {
		if t.reply {
			go t.commit.Done(engine.Outcome[*commerce.Cart]{Kind: engine.Unknown})
		}
	}
	s.travelling = nil
}

// lose removes a record.
func (s *fakeStore) lose(key engine.RecordKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.records, key)
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
