package actors

import (
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// patience is the deadline of calls that must not time out, and the limit of every wait.
const patience = 20 * time.Second

// soon is a deadline that must pass.
const soon = 30 * time.Millisecond

// testID makes ids that are easy to recognise in a failure. Byte 9 chooses the shard.
func testID(n int) uuid.UUID { return uuid.UUID{6: 0x40, 8: 0x80, 14: byte(n >> 8), 15: byte(n)} }

var (
	cartID    = testID(0xca)
	account   = visitorOf(token, engine.TokenText{Value: testID(0xada).String() + " 1", Contact: "1"})
	anonymous = commerce.Visitor{}
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

// config has no limits of its own; a test sets those that it needs.
func config(writer uint64) Config {
	return Config{
		Mailbox: 1 << 16, Resident: 1 << 40, Idle: time.Hour, Writer: writer,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// testNode is a node as the front end sees it: actors, and the node's knowledge of the store.
type testNode struct {
	engine.Storage // methods that no test needs
	*Carts
	engine  *engine.Engine
	storage *cartStorage
	clock   engine.Clock

	mu      sync.Mutex
	version *engine.StoreVersion
	tokens  map[commerce.KeyHash]engine.TokenText
}

// openNode starts a node over a store; the actors may use a store in between.
func openNode(t testing.TB, storage *cartStorage, between Storage[*commerce.Cart], c Config) *testNode {
	n := &testNode{Carts: NewCarts(between, c), storage: storage, tokens: map[commerce.KeyHash]engine.TokenText{}}
	n.engine = engine.New(n, n.Carts, nil, nil, nil, nil, nil)
	n.learn(nil)
	t.Cleanup(n.Close)
	return n
}

// learn reads the store's version and a token; nil means no token.
func (n *testNode) learn(token *commerce.KeyHash) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.storage.mu.Lock()
	defer n.storage.mu.Unlock()
	n.clock.Hear(n.storage.now(), time.Now())
	if n.version == nil || n.version.Head != n.storage.head {
		n.version = &engine.StoreVersion{Store: n.storage.shop.ID, Head: n.storage.head, Limit: n.storage.limit, Clock: &n.clock}
	}
	if token != nil {
		n.tokens[*token] = n.storage.tokenText(*token)
	}
}

// Recall fills in a write's facts from the node's knowledge. The node learns a token once.
func (n *testNode) Recall(r *engine.Request) (bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now, _ := n.clock.Now()
	r.Facts = engine.Facts{
		Version: n.version, Store: n.storage.shop, Key: &commerce.APIKey{}, Now: now.Truncate(time.Millisecond),
		Budget: engine.Budget{Granted: true},
	}
	if r.Token != nil {
		r.TokenText = n.tokens[*r.Token]
		r.Visitor = visitorOf(*r.Token, r.TokenText)
	}
	return true, nil
}

// Refresh reads first. During an outage it returns ErrUnavailable.
func (n *testNode) Refresh(_ uuid.UUID, r *engine.Request) error {
	if n.storage.Away() {
		return engine.ErrUnavailable
	}
	n.learn(r.Token)
	_, err := n.Recall(r)
	return err
}

// Admit reads the facts of a read.
func (n *testNode) Admit(r *engine.Request) error {
	if err := n.Refresh(n.storage.shop.ID, r); err != nil {
		return err
	}
	key := engine.CartKind.Key(r)
	resident := n.Known(key) != nil
	n.storage.mu.Lock()
	defer n.storage.mu.Unlock()
	n.storage.tick()
	record := n.storage.records[key]
	if r.Cart.Stamp = record.Stamp; !resident && !record.Stamp.Zero() {
		r.Cart.Record = &record
	}
	return nil
}

// Order reads an order.
func (n *testNode) Order(key engine.RecordKey, _ time.Time) (*engine.Record[*commerce.Order], error) {
	n.storage.mu.Lock()
	defer n.storage.mu.Unlock()
	for _, o := range n.storage.orders {
		if o.ID == key.ID {
			return &engine.Record[*commerce.Order]{State: o}, nil
		}
	}
	return nil, nil
}

// AwaitReplicas returns at once: there are no replicas.
func (*testNode) AwaitReplicas(uuid.UUID, time.Time) error { return nil }

// request is a request as the front end makes it.
func (n *testNode) request(id uuid.UUID, cmd cartCommand, once *engine.IdempotencyKey) *engine.Request {
	r := &engine.Request{Guards: &engine.Guards{}, CartID: id, Command: cmd, Idempotency: once, Write: true}
	r.Began = time.Now()
	r.Deadline = r.Began.Add(patience)
	n.Recall(r)
	return r
}

// change serves a write.
func (n *testNode) change(r *engine.Request) (engine.Reply, error) {
	return n.engine.ChangeCart(r)
}

// read serves a read.
func (n *testNode) read(id uuid.UUID, deadline time.Duration) (engine.Reply, error) {
	r := within(deadline, n.request(id, nil, nil))
	if err := n.Admit(r); err != nil {
		return engine.Reply{}, err
	}
	return n.engine.ReadCart(r)
}

// scene is a node, its store and a cart.
type scene struct {
	testing.TB
	shop    *commerce.Store
	storage *cartStorage
	node    *testNode
	key     engine.RecordKey
}

const nodeWriter = 1

// newScene creates the cart through the node.
func newScene(t testing.TB, change ...func(*Config)) *scene {
	t.Helper()
	storage := newFakeStorage(testShop(16))
	return newSceneOver(t, storage, storage, change...)
}

// newSceneOver puts another store between the actors and the fake.
func newSceneOver(t testing.TB, storage *cartStorage, between Storage[*commerce.Cart], change ...func(*Config)) *scene {
	t.Helper()
	s := &scene{TB: t, shop: storage.shop, storage: storage, key: engine.RecordKey{Store: storage.shop.ID, ID: cartID}}
	c := config(nodeWriter)
	for _, f := range change {
		f(&c)
	}
	s.node = openNode(t, storage, between, c)
	s.create(cartID)
	return s
}

// other starts another node.
func (s *scene) other() *testNode { return openNode(s, s.storage, s.storage, config(2)) }

func (s *scene) create(id uuid.UUID) {
	s.Helper()
	if _, err := s.node.engine.CreateCart(s.node.request(id, nil, nil)); err != nil {
		s.Fatalf("creating %v: %v", id, err)
	}
}

// request is a request of an anonymous visitor.
func (s *scene) request(cmd cartCommand) *engine.Request {
	return s.node.request(s.key.ID, cmd, nil)
}

// withKey is a request with an Idempotency-Key.
func (s *scene) withKey(cmd cartCommand, k *engine.IdempotencyKey) *engine.Request {
	return s.node.request(s.key.ID, cmd, k)
}

// informed puts a request on a connection that has carried the cart's latest state.
func (s *scene) informed(r *engine.Request) *engine.Request {
	r.Seen = s.storage.record(s.key).Stamp.Counter
	return r
}

// token is the account's token.
var token = commerce.KeyHash{0xad}

// signIn makes the token resolve, and the node knows it.
func (s *scene) signIn() {
	s.storage.set(func() { s.storage.signIn(token, account.CustomerID, 1) })
	s.node.learn(&token)
}

// by sends a request of the account, with the node's knowledge of its token.
func (s *scene) by(r *engine.Request) *engine.Request {
	r.Token = &token
	s.node.Recall(r)
	return r
}

// within gives a request another deadline.
func within(d time.Duration, r *engine.Request) *engine.Request {
	r.Deadline = time.Now().Add(d)
	return r
}

// wantChange serves a write and checks its error; nil for success.
func (s *scene) wantChange(r *engine.Request, want error) engine.Reply {
	s.Helper()
	reply, err := s.node.change(r)
	if !sameError(err, want) {
		s.Errorf("%#v: answered %v; want %v", r.Command, err, want)
	}
	return reply
}

// do runs a command that must succeed.
func (s *scene) do(cmd cartCommand) engine.Reply {
	s.Helper()
	return s.wantChange(s.request(cmd), nil)
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
	if got := quantity(s.storage.record(s.key).State, product); got != want {
		s.Errorf("the store has %d of product %d; want %d", got, product, want)
	}
}

// call is a request under way in a goroutine of its own.
type call struct {
	done  chan struct{}
	reply engine.Reply
	err   error
}

// start sends a request to the actor, and returns when the actor has received it.
func (s *scene) start(req *engine.Request) *call {
	s.Helper()
	before := s.pending()
	c := &call{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.reply, c.err = s.node.change(req)
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

// pending counts the cart's unfinished requests.
func (s *scene) pending() int { return pendingOf(s.node.directory, s.key) }

// pendingOf counts a record's unfinished requests, all of them in the mailbox: the directory counts
// and sends inside one lock.
func pendingOf[S any](d *directory[S], key engine.RecordKey) int {
	shard := d.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if e := shard.entries[key]; e != nil {
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

// wait returns the answer of a call.
func (s *scene) wait(c *call) (engine.Reply, error) {
	s.Helper()
	await(s, "the answer", c.done)
	return c.reply, c.err
}

// wantError checks the error of a call; nil for success.
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

// sameError compares refusals by their text, all other errors by identity.
func sameError(got, want error) bool {
	if got == nil || want == nil {
		return got == want
	}
	return got.Error() == want.Error()
}

// alone skips a test of one goroutine in the race detector's phase of make test (-short), where it
// takes seconds. The test runs in the other phase.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short")
	}
}

// atOnce runs functions side by side and returns their errors.
func atOnce(s *scene, all []func() error) []error {
	results := make(chan error, len(all))
	for _, f := range all {
		go func() { results <- f() }()
	}
	errs := make([]error, len(all))
	for i := range errs {
		errs[i] = await(s, "an answer", results)
	}
	return errs
}

// heal ends the planned faults; travelling sendings stay on their way.
func (s *scene) heal() {
	s.idle()
	s.storage.set(func() { s.storage.plan, s.storage.usual, s.storage.away, s.storage.outage = nil, fate{}, false, 0 })
}

// idempotencyKey is an Idempotency-Key with its request.
func idempotencyKey(name, request byte) *engine.IdempotencyKey {
	return &engine.IdempotencyKey{Name: [16]byte{name}, Request: [16]byte{request}, Status: 201}
}

// key is the default key of repeated requests.
var key = idempotencyKey(1, 1)

// doWithKey runs a command with a key. It must succeed, replayed or not.
func (s *scene) doWithKey(cmd cartCommand, k *engine.IdempotencyKey, replayed bool) engine.Reply {
	s.Helper()
	reply, err := s.node.change(s.withKey(cmd, k))
	if err != nil || reply.Replayed != replayed {
		s.Fatalf("%#v under %v: replayed %v, %v; want %v", cmd, k.Name[:1], reply.Replayed, err, replayed)
	}
	return reply
}

// halted is a sending that waits, with its visit.
type halted struct {
	*halt[*commerce.Cart]
	visit *engine.Visit[*commerce.Cart]
}

func (h halted) let(f fate) { h.release(h.visit, f) }

// halting starts a request and stops its visit on the way.
func (s *scene) halting(r *engine.Request) (*call, halted) {
	s.Helper()
	h := s.storage.halt()
	c := s.start(r)
	return c, halted{h, await(s, "the visit", h.arrived)}
}

// whileHalted stops a visit while the actor collects requests. It then stops the next visit, which
// has these requests, and lets the first one go.
func (s *scene) whileHalted(requests ...*engine.Request) ([]*call, halted) {
	s.Helper()
	first, h := s.halting(s.request(add(15)))
	var calls []*call
	for _, r := range requests {
		calls = append(calls, s.start(r))
	}
	next := s.storage.halt()
	h.let(fate{})
	s.wantError(first, nil)
	return calls, halted{next, await(s, "the next visit", next.arrived)}
}

// together serves commands in one visit with a given fate.
func (s *scene) together(f fate, commands ...cartCommand) []*call {
	s.Helper()
	var requests []*engine.Request
	for _, cmd := range commands {
		requests = append(requests, s.request(cmd))
	}
	calls, h := s.whileHalted(requests...)
	h.let(f)
	return calls
}

// shardID makes ids of all shards in turn.
func shardID(n int) uuid.UUID {
	return uuid.UUID{6: 0x40, 8: 0x80, 9: byte(n), 13: byte(n >> 24), 14: byte(n >> 16), 15: byte(n >> 8)}
}
