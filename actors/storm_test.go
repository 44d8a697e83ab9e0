package actors

import (
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

var stormSeed = flag.Uint64("storm-seed", 0, "the seed of the storm tests; 0: a new one each time")

const (
	stormNodes   = 3
	stormCarts   = 3
	stormClients = 24
	stormEach    = 40 // commands a client
	// ownProducts are one a command; those behind them are of the foreign node.
	ownProducts   = stormClients * stormEach
	stormProducts = ownProducts + 20_000
)

var stormOdds = []odd{
	{conflict, 100}, {replyLostAfterCommit, 60}, {replyLostBeforeCommit, 60}, {lateSuccess, 60},
	{refusal, 60}, {outage, 10}, {slowCommit, 80},
}

// storm is many clients of several nodes with one store behind them. Every command
// puts a product of its own into a cart, so that its effect can be told.
type storm struct {
	*scene
	nodes []*Carts
	keys  []engine.RecordKey
	// send is how a client sends a command: once, or until it is settled.
	send func(roll *rand.Rand, product int)

	mu    sync.Mutex
	ended []ending
	// held are the products that successes of this age of the store put into each cart.
	held map[engine.RecordKey][]int
	// age counts the backups restored.
	age int
}

// ending is what a command was answered.
type ending struct {
	key     engine.RecordKey
	product int
	age     int // of the store when the command began
	err     error
	// presumed: so was its last admission.
	presumed bool
}

func newStorm(t *testing.T, seed uint64) *storm {
	shop := testShop(stormProducts)
	store := newFakeStore(shop)
	s := &storm{scene: &scene{TB: t, shop: shop, store: store}, held: map[engine.RecordKey][]int{}}
	s.send = s.change
	for n := range stormNodes {
		node := NewCarts(store, config(uint64(1+n)))
		t.Cleanup(node.Close)
		s.nodes = append(s.nodes, node)
	}
	for n := range stormCarts {
		key := engine.RecordKey{Store: shop.ID, ID: uuid.UUID{6: 0x40, 8: 0x80, 15: byte(n)}}
		s.keys = append(s.keys, key)
		s.node = s.nodes[n]
		s.create(key.ID)
	}
	foreign := ownProducts
	store.dice = &dice{Rand: rand.New(rand.NewPCG(seed, 0)), odds: stormOdds, foreign: func() cartCommand {
		foreign++
		return add(foreign - 1)
	}}
	return s
}

// rage runs all clients to their end, then lets the store calm down. halfway is
// called in the middle of it; nil: nothing happens.
func (s *storm) rage(seed uint64, halfway func()) {
	var all []func() error
	for c := range stormClients {
		roll := rand.New(rand.NewPCG(seed, uint64(1+c)))
		all = append(all, func() error {
			for n := range stormEach {
				if c == 0 && n == stormEach/2 && halfway != nil {
					halfway()
				}
				s.send(roll, c*stormEach+n)
				if n%4 == 0 {
					s.read(roll)
				}
			}
			return nil
		})
	}
	atOnce(s.scene, all)
	s.store.calm()
	for _, s.node = range s.nodes {
		for _, s.key = range s.keys {
			s.idle()
		}
	}
}

// pick chooses a node, a cart and a short deadline.
func (s *storm) pick(roll *rand.Rand) (*Carts, engine.RecordKey, time.Duration) {
	return s.nodes[roll.IntN(stormNodes)], s.keys[roll.IntN(stormCarts)],
		time.Duration(1+roll.IntN(60)) * time.Millisecond
}

func (s *storm) change(roll *rand.Rand, product int) {
	node, key, deadline := s.pick(roll)
	s.mu.Lock()
	e := ending{key: key, product: product, age: s.age}
	s.mu.Unlock()
	e.presumed = roll.IntN(2) == 0
	if e.err = s.ask(node, key, product, deadline, &e.presumed); e.err == engine.ErrPresumed {
		e.err = s.ask(node, key, product, deadline, &e.presumed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, e)
	if e.err == nil && e.age == s.age {
		s.held[key] = append(s.held[key], product)
	}
}

// ask admits an add, by presumption where that is wanted and can be, and has it
// served. Once it was presumed, it is not wanted any more.
func (s *storm) ask(node *Carts, key engine.RecordKey, product int, deadline time.Duration, presume *bool) error {
	if *presume {
		if req, ok := presumeOn(node, s.store, key, add(product), deadline); ok {
			_, err := node.Change(req)
			*presume = err != engine.ErrPresumed
			return err
		}
		*presume = false
	}
	req, err := admit(node, s.store, key, add(product), deadline)
	if err == nil {
		_, err = node.Change(req)
	}
	return err
}

// read checks that a read shows every success that was answered before it began.
func (s *storm) read(roll *rand.Rand) {
	node, key, deadline := s.pick(roll)
	s.mu.Lock()
	age, held := s.age, s.held[key]
	s.mu.Unlock()
	req, err := admit(node, s.store, key, nil, deadline)
	if err != nil {
		return
	}
	reply, err := node.Read(req)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == engine.ErrUnavailable || age != s.age:
	case err != nil:
		s.Errorf("a read was answered %v", err)
	default:
		shown := quantities(reply.Cart)
		for _, product := range held {
			if shown[testID(product)] == 0 {
				s.Errorf("a read of %v does not show product %d, which was answered before it began", reply.Stamp, product)
			}
		}
	}
}

// quantities counts the whole units of each product in a cart.
func quantities(c *commerce.Cart) map[uuid.UUID]int {
	all := map[uuid.UUID]int{}
	for _, l := range c.Lines {
		all[l.ProductID] += int(l.Quantity / commerce.One)
	}
	return all
}

// check compares every command's answer with what became of it.
func (s *storm) check() {
	final := map[engine.RecordKey]map[uuid.UUID]int{}
	for _, key := range s.keys {
		final[key] = quantities(s.store.record(key).State)
	}
	count, presumed := map[error]int{}, 0
	for _, e := range s.ended {
		count[e.err]++
		got := final[e.key][testID(e.product)]
		if e.presumed {
			presumed += got
		}
		switch {
		case e.err == nil && got != 1 && (e.age == s.age || got > 1):
			s.Errorf("product %d was answered and is there %d times; want once", e.product, got)
		case e.err == engine.ErrUnavailable && got != 0:
			s.Errorf("product %d was refused with 503 and is there %d times; want none", e.product, got)
		case e.err == engine.ErrUnknownOutcome && got > 1:
			s.Errorf("product %d was answered 504 and is there %d times; want one at most", e.product, got)
		}
	}
	ok, unavailable, unknown := count[nil], count[engine.ErrUnavailable], count[engine.ErrUnknownOutcome]
	s.Logf("%d successes, %d times 503, %d times 504", ok, unavailable, unknown)
	if ok+unavailable+unknown != ownProducts {
		s.Errorf("%d commands, answered %v; want nothing but successes, 503 and 504", ownProducts, count)
	}
	if ok == 0 || unavailable == 0 {
		s.Errorf("answers %v: such a storm proves nothing", count)
	}
	if s.age == 0 && (presumed != s.store.counted || presumed == 0) {
		s.Errorf("%d presumed commands are there, and %d were counted; want each once, and some", presumed, s.store.counted)
	}
}

// checkForeign looks for what the foreign node has committed.
func (s *storm) checkForeign() {
	foreign := 0
	for _, a := range s.store.history {
		if a.after.Stamp.Writer != foreignWriter {
			continue
		}
		foreign++
		line := a.after.State.Lines[len(a.after.State.Lines)-1]
		if got := quantities(s.store.record(a.key).State)[line.ProductID]; got != 1 {
			s.Errorf("the foreign node's %v is there %d times; want once", line.ProductID, got)
		}
	}
	if foreign == 0 {
		s.Error("the foreign node has committed nothing: such a storm proves nothing")
	}
}

func seed(t *testing.T) uint64 {
	seed := *stormSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-storm-seed %d", seed)
	return seed
}

func TestInAStormEveryAnswerIsTrue(t *testing.T) {
	seed := seed(t)
	s := newStorm(t, seed)
	s.rage(seed, nil)
	s.check()
	s.checkForeign()
}

// What was answered before the backup was taken back may be lost, nothing else.
func TestInAStormWithARestoredBackupEveryAnswerSinceIsTrue(t *testing.T) {
	seed := seed(t)
	s := newStorm(t, seed)
	s.rage(seed, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.store.mu.Lock()
		defer s.store.mu.Unlock()
		for _, key := range s.keys {
			for range 3 {
				s.store.restore(key)
			}
		}
		s.store.head = new(engine.Presumption)
		s.age++
		clear(s.held)
	})
	s.check()
}
