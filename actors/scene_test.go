package actors

import (
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// patience is the deadline of what must not time out, and the end of every wait.
const patience = 20 * time.Second

// soon is a deadline that is meant to pass.
const soon = 30 * time.Millisecond

// testID makes ids that a failure shows as what they are. Byte 9 chooses the shard.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

var (
	cartID  = testID(0xca)
	account = commerce.Visitor{Known: true, CustomerID: testID(0xada)}
	nobody  = commerce.Visitor{}
)

// testShop sells the products 0 to products-1, one cent each, without limits.
func testShop(products int) *commerce.Store {
	price := commerce.Amount(1)
	s := &commerce.Store{
		ID: testID(0x5), Modules: commerce.Modules(0).With(commerce.ModuleCommerce).With(commerce.ModuleCustomers),
		Policy: commerce.Policy{MaxLines: 1 << 20, MaxQuantityPerLine: commerce.MaxQuantity / commerce.One * commerce.One},
	}
	for n := range products {
		s.Products = append(s.Products, &commerce.Product{
			ID: testID(n), Name: "Product", Active: true, Prices: commerce.Prices{Base: &price},
		})
	}
	s.Index()
	return s
}

// config bounds nothing that a test does not bound itself.
func config(writer uint64) Config {
	return Config{
		Mailbox: 1 << 16, Resident: 1 << 40, Idle: time.Hour, Writer: writer,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// scene is a node, a store behind it and a cart.
type scene struct {
	testing.TB
	shop  *commerce.Store
	store *fakeStore
	node  *Carts
	key   engine.RecordKey
}

const nodeWriter = 1

// newScene creates the cart through the node.
func newScene(t testing.TB, change ...func(*Config)) *scene {
	t.Helper()
	shop := testShop(16)
	s := &scene{TB: t, shop: shop, store: newFakeStore(shop), key: engine.RecordKey{Store: shop.ID, ID: cartID}}
	c := config(nodeWriter)
	for _, f := range change {
		f(&c)
	}
	s.node = NewCarts(s.store, c)
	t.Cleanup(s.node.Close)
	s.create(cartID)
	return s
}

func (s *scene) create(id uuid.UUID) {
	s.Helper()
	began := time.Now()
	req := &engine.Request{Guards: &engine.Guards{}, Facts: facts(s.shop, noon), CartID: id, Began: began, Deadline: began.Add(patience)}
	if _, err := s.node.Create(req); err != nil {
		s.Fatalf("Create(%v): %v", id, err)
	}
}

// createOnce creates a cart as the engine does, which knows of creations that were repeated.
func (s *scene) createOnce(req *engine.Request) (engine.Reply, error) {
	return engine.New(noReplicas{}, s.node, nil, nil).CreateCart(req)
}

// noReplicas is a store without replicas to wait for.
type noReplicas struct{ engine.Store }

func (noReplicas) AwaitReplicas(uuid.UUID, time.Time) error { return nil }

// admit admits a command of an anonymous visitor, or, for nil, a read.
func (s *scene) admit(cmd cartCommand) *engine.Request {
	s.Helper()
	req, err := admit(s.node, s.store, s.key, cmd, patience)
	if err != nil {
		s.Fatalf("admission: %v", err)
	}
	return req
}

// admit admits a request on a node as the front end does.
func admit(node *Carts, store *fakeStore, key engine.RecordKey, cmd cartCommand, patience time.Duration) (*engine.Request, error) {
	return admitOnce(node, store, key, cmd, nil, patience)
}

// admitOnce admits a request with an Idempotency-Key; nil: none.
func admitOnce(node *Carts, store *fakeStore, key engine.RecordKey, cmd cartCommand, once *engine.IdempotencyKey, patience time.Duration) (*engine.Request, error) {
	began := time.Now()
	admission, err := store.admit(key, once, holds(node, key))
	return &engine.Request{
		Guards: &engine.Guards{}, Facts: admission, CartID: key.ID, CartCommand: cmd, Idempotency: once, Began: began, Deadline: began.Add(patience),
	}, err
}

// within gives a request another deadline.
func within(d time.Duration, req *engine.Request) *engine.Request {
	req.Deadline = time.Now().Add(d)
	return req
}

// do runs a command that must succeed.
func (s *scene) do(cmd cartCommand) engine.Reply {
	s.Helper()
	reply, err := s.node.Change(s.admit(cmd))
	if err != nil {
		s.Fatalf("%#v: %v", cmd, err)
	}
	return reply
}

// add puts one more of a product into the cart; a new line has the product's id.
func add(product int) commerce.AddLine { return addMany(product, 1) }

func addMany(product, quantity int) commerce.AddLine {
	return commerce.AddLine{LineID: testID(product), ProductID: testID(product), Quantity: commerce.Quantity(quantity) * commerce.One}
}

func remove(product int) commerce.RemoveLine {
	return commerce.RemoveLine{LineID: testID(product).String()}
}

func setQuantity(product, quantity int) commerce.ChangeLine {
	return commerce.ChangeLine{LineID: testID(product).String(), Quantity: commerce.Quantity(quantity) * commerce.One}
}

// bind ties the cart to the account that sends it.
func bind() commerce.PatchCart {
	email := "ada@example.test"
	return commerce.PatchCart{Email: &email}
}

// quantity returns how much of a product a cart has, in whole units.
func quantity(c *commerce.Cart, product int) int {
	if c == nil {
		return 0
	}
	for _, l := range c.Lines {
		if l.ProductID == testID(product) {
			return int(l.Quantity / commerce.One)
		}
	}
	return 0
}

// want compares how much of a product the stored cart has.
func (s *scene) want(product, want int) {
	s.Helper()
	if got := quantity(s.store.record(s.key).State, product); got != want {
		s.Errorf("the store has %d of product %d; want %d", got, product, want)
	}
}

// call is a request under way in a goroutine of its own.
type call struct {
	done  chan struct{}
	reply engine.Reply
	err   error
}

// start makes the actor take a request, and returns when it has it, or has had it.
func (s *scene) start(req *engine.Request) *call {
	s.Helper()
	before := s.pending()
	c := &call{done: make(chan struct{})}
	serve := s.node.Change
	if req.CartCommand == nil {
		serve = s.node.Read
	}
	go func() {
		defer close(c.done)
		c.reply, c.err = serve(req)
	}()
	s.eventually("the actor has the request", func() bool {
		select {
		case <-c.done:
			return true
		default:
			return s.pending() > before
		}
	})
	return c
}

// pending counts the cart's unfinished requests, all of them in the mailbox: the
// directory counts and sends inside one lock.
func (s *scene) pending() int {
	shard := s.node.directory.shard(s.key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if e := shard.entries[s.key]; e != nil {
		return int(e.pending.Load())
	}
	return 0
}

// idle waits until the actor has finished everything.
func (s *scene) idle() {
	s.Helper()
	s.eventually("nothing is pending", func() bool { return s.pending() == 0 })
}

// eventually waits for a state that must come.
func (s *scene) eventually(what string, reached func() bool) {
	s.Helper()
	for give := time.Now().Add(patience); !reached(); runtime.Gosched() {
		if time.Now().After(give) {
			s.Fatalf("never: %s", what)
		}
	}
}

// wait returns what a call was answered.
func (s *scene) wait(c *call) (engine.Reply, error) {
	s.Helper()
	await(s, "the answer", c.done)
	return c.reply, c.err
}

// wantError checks how a call ends; nil: well.
func (s *scene) wantError(c *call, want error) engine.Reply {
	s.Helper()
	reply, err := s.wait(c)
	if !sameError(err, want) {
		s.Errorf("answered %v; want %v", err, want)
	}
	return reply
}

// await receives from a channel that a test depends on.
func await[T any](s *scene, what string, from <-chan T) T {
	s.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		s.Fatalf("never: %s", what)
		panic("unreachable")
	}
}

// sameError compares refusals by what they say, everything else by identity.
func sameError(got, want error) bool {
	if got == nil || want == nil {
		return got == want
	}
	return got.Error() == want.Error()
}

// alone leaves a test of one goroutine out of the race detector's phase of make test
// (-short), where it takes seconds; it runs in the other one.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short")
	}
}

// holds reports whether a node has a record's state in memory.
func holds(node *Carts, key engine.RecordKey) bool {
	_, held := node.Held(key)
	return held
}

// shardID makes ids of all shards in turn.
func shardID(n int) uuid.UUID {
	return uuid.UUID{6: 0x40, 8: 0x80, 9: byte(n), 13: byte(n >> 24), 14: byte(n >> 16), 15: byte(n >> 8)}
}
