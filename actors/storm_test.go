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
	// ownProducts are the clients' products, one for each command; the products after those belong to
	// the foreign node.
	ownProducts   = stormClients * stormEach
	stormProducts = ownProducts + 20_000
)

var stormOdds = []odd{
	{conflict, 100}, {replyLost, 60}, {requestLost, 60}, {delayed, 60}, {refusal, 60}, {unreachable, 10}, {slow, 80},
	{newHead, 20}, {clockJump, 10},
}

// storm is many clients of several nodes and one store. Every client adds products of its own to
// carts, so that each effect shows its client, and removes some of them.
type storm struct {
	*scene
	nodes []*testNode
	keys  []engine.RecordKey
	// send runs a client's commands for one product.
	send func(roll *rand.Rand, product int)

	mu    sync.Mutex
	ended []ending
	// kept are the products in each cart by successes in this age of the store.
	kept map[engine.RecordKey][]int
	// age counts the restored backups.
	age int
}

// ending is the result of a product, as far as its client knows.
type ending struct {
	key     engine.RecordKey
	product int
	age     int // of the store when its client began
	err     error
	// removed is the answer of its removal, if there was one.
	asked   bool
	removed error
}

func newStorm(t *testing.T, seed uint64) *storm {
	shop := testShop(stormProducts)
	storage := newFakeStorage(shop)
	s := &storm{scene: &scene{TB: t, shop: shop, storage: storage}, kept: map[engine.RecordKey][]int{}}
	s.send = s.change
	for n := range stormNodes {
		s.nodes = append(s.nodes, openNode(t, storage, storage, config(uint64(1+n))))
	}
	for n := range stormCarts {
		key := engine.RecordKey{Store: shop.ID, ID: uuid.UUID{6: 0x40, 8: 0x80, 15: byte(n)}}
		s.keys = append(s.keys, key)
		s.node = s.nodes[n]
		s.create(key.ID)
	}
	foreign := ownProducts
	storage.dice = &dice{Rand: rand.New(rand.NewPCG(seed, 0)), odds: stormOdds, foreign: func() cartCommand {
		foreign++
		return add(foreign - 1)
	}}
	return s
}

// rage runs all clients to their end, then ends all faults. It calls halfway in the middle, unless
// that is nil.
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
					s.checkRead(roll)
				}
			}
			return nil
		})
	}
	atOnce(s.scene, all)
	s.storage.calm()
	for _, s.node = range s.nodes {
		for _, s.key = range s.keys {
			s.idle()
		}
	}
}

// pick chooses a node, a cart and a short deadline.
func (s *storm) pick(roll *rand.Rand) (*testNode, engine.RecordKey, time.Duration) {
	return s.nodes[roll.IntN(stormNodes)], s.keys[roll.IntN(stormCarts)],
		time.Duration(1+roll.IntN(60)) * time.Millisecond
}

// ask sends a command without a repetition.
func ask(node *testNode, key engine.RecordKey, cmd cartCommand, k *engine.IdempotencyKey, deadline time.Duration) error {
	_, err := node.change(within(deadline, node.request(key.ID, cmd, k)))
	return err
}

// change adds a product, and may remove it again through another node.
func (s *storm) change(roll *rand.Rand, product int) {
	node, key, deadline := s.pick(roll)
	s.mu.Lock()
	e := ending{key: key, product: product, age: s.age}
	s.mu.Unlock()
	e.err = ask(node, key, add(product), nil, deadline)
	if e.asked = e.err == nil && roll.IntN(3) == 0; e.asked {
		node, _, deadline = s.pick(roll)
		e.removed = ask(node, key, remove(product), nil, deadline)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, e)
	if e.err == nil && !e.asked && e.age == s.age {
		s.kept[key] = append(s.kept[key], product)
	}
}

// checkRead checks that a read shows every success that was answered earlier than the read began.
func (s *storm) checkRead(roll *rand.Rand) {
	node, key, deadline := s.pick(roll)
	s.mu.Lock()
	age, kept := s.age, s.kept[key]
	s.mu.Unlock()
	reply, err := node.read(key.ID, deadline)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == engine.ErrUnavailable || age != s.age:
	case err != nil:
		s.Errorf("a read was answered %v", err)
	default:
		shown := quantities(reply.Cart)
		for _, product := range kept {
			if shown[testID(product)] == 0 {
				s.Errorf("a read of %v does not show product %d, which was answered earlier than it began", reply.Stamp, product)
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

// bounds are the minimum and maximum number of units of a product after all answers to its client.
// An answer from an earlier age of the store may be undone.
func (e *ending) bounds(age int) (minimum, maximum int) {
	switch e.err {
	case nil:
		minimum, maximum = 1, 1
	case engine.ErrUnavailable:
		return 0, 0
	default:
		return 0, 1
	}
	if e.asked && e.removed != engine.ErrUnavailable {
		minimum = 0
	}
	if e.asked && e.removed == nil {
		maximum = 0
	}
	if e.age != age {
		minimum, maximum = 0, 1
	}
	return minimum, maximum
}

// check compares every answer with the carts, and looks for the foreign node's commits.
func (s *storm) check() {
	final := map[engine.RecordKey]map[uuid.UUID]int{}
	for _, key := range s.keys {
		final[key] = quantities(s.storage.record(key).State)
	}
	added, removed := map[error]int{}, map[error]int{}
	for _, e := range s.ended {
		added[e.err]++
		if e.asked {
			removed[e.removed]++
			if e.age != s.age && sameError(e.removed, missing(e.product)) { // a backup has taken it
				continue
			}
		}
		got := final[e.key][testID(e.product)]
		if minimum, maximum := e.bounds(s.age); got < minimum || got > maximum {
			s.Errorf("product %d was answered %v, removed (%v): %v; it is there %d times, want %d to %d", e.product, e.err, e.asked, e.removed, got, minimum, maximum)
		}
		for _, err := range []error{e.err, e.removed} {
			if err != nil && err != engine.ErrUnavailable && err != engine.ErrUnknownOutcome {
				s.Errorf("product %d was answered %v; want success, 503 or 504", e.product, err)
			}
		}
	}
	s.Logf("added: %v; removed: %v; %d counted", added, removed, s.storage.counted)
	if added[nil] == 0 || added[engine.ErrUnavailable] == 0 || removed[nil] == 0 {
		s.Errorf("answers %v, %v: such a storm proves nothing", added, removed)
	}
	if s.age == 0 {
		s.checkForeign(final)
	}
}

func (s *storm) checkForeign(final map[engine.RecordKey]map[uuid.UUID]int) {
	foreign := 0
	for _, a := range s.storage.history {
		if a.after.Stamp.Writer != foreignWriter {
			continue
		}
		foreign++
		line := a.after.State.Lines[len(a.after.State.Lines)-1]
		if got := final[a.key][line.ProductID]; got != 1 {
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
}

// Answers from the age of the lost commits may be lost, nothing else.
func TestInAStormWithARestoredBackupEveryAnswerSinceIsTrue(t *testing.T) {
	seed := seed(t)
	s := newStorm(t, seed)
	s.rage(seed, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.storage.set(func() {
			for _, key := range s.keys {
				for range 3 {
					s.storage.restore(key)
				}
			}
		})
		s.age++
		clear(s.kept)
	})
	s.check()
}

// retryEnd sends an add with a key of its own, now and then twice at once, and repeats it until it
// succeeds or ten tries have failed.
func (s *storm) retryEnd(roll *rand.Rand, product int) {
	_, cart, _ := s.pick(roll)
	e := ending{key: cart, product: product, err: engine.ErrUnavailable}
	for try := 0; try < 10 && e.err != nil; try++ {
		answers := make(chan error, 2)
		copies := 1 + roll.IntN(4)/3
		for range copies {
			node, _, deadline := s.pick(roll)
			go func() { answers <- ask(node, cart, add(product), stormKey(product), deadline) }()
		}
		for range copies {
			if err := await(s.scene, "an answer", answers); err == nil || e.err != nil {
				e.err = err
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, e)
	if e.err == nil {
		s.kept[cart] = append(s.kept[cart], product)
	}
}

func stormKey(product int) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{1, byte(product >> 8), byte(product)}, Request: [16]byte{byte(product >> 8), byte(product)}, Status: 201}
}

func TestInAStormRepeatedRequestsAreAppliedOnce(t *testing.T) {
	seed := seed(t)
	s := newStorm(t, seed)
	s.send = s.retryEnd
	s.rage(seed, nil)
	open := 0
	for i := range s.ended {
		e := &s.ended[i]
		if e.err != nil { // without faults it must succeed
			open++
			e.err = ask(s.nodes[i%stormNodes], e.key, add(e.product), stormKey(e.product), patience)
		}
		if got := quantities(s.storage.record(e.key).State)[testID(e.product)]; got != 1 || e.err != nil {
			t.Errorf("product %d is answered %v and there %d times; want once", e.product, e.err, got)
		}
	}
	t.Logf("%d of %d commands were open after the storm", open, len(s.ended))
	if len(s.ended) != ownProducts || len(s.storage.entries) != ownProducts {
		t.Errorf("%d commands, %d remembered; want %d", len(s.ended), len(s.storage.entries), ownProducts)
	}
}
