package httpserver

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp/fasthttputil"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/strictjson"
)

const (
	testKey     = "demo-storefront-key"
	testToken   = "demo-token-ada"
	testCart    = "5f0c6f0e-8f3a-4a53-9b1a-3a1c5d0e7f11"
	testContact = "d0000000-0000-4000-8000-000000000001"
	testQuote   = "f0000000-0000-4000-8000-000000000001"
	quoteToken  = "bm90IGEgc2VjcmV0LCBub3QgYSBzZWNyZXQgYXQgYWw"
	testLine    = "0a0b0c0d-0e0f-4a0b-8c0d-0e0f0a0b0c0d"
)

var testNow = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// fakeEngine is an engine over a store, carts and contacts with prepared answers. It records the
// calls.
type fakeEngine struct {
	// knownSize is the size of a cart in the node's memory.
	knownSize int
	*engine.Engine
	mu sync.Mutex
	// admission are the facts in Redis, admitErr the error of every trip there.
	admission engine.Facts
	admitErr  error
	// node are the facts in the node's memory; nil if they are those in Redis.
	node *engine.Facts
	// outdated is the number of further visits that find an outdated store or visitor.
	outdated int
	reply    engine.Reply
	contact  engine.Reply
	failures engine.Budget // of logins
	guesses  engine.Budget // of codes
	client   engine.Budget // of the client; zero if the store does not limit clients
	// counted is the request limit after the unknown codes of a basket; nil if it is that of the admission.
	counted *engine.Budget
	answers engine.Budget // of accepts and declines
	levels  map[uuid.UUID]commerce.StockLevel
	// stockReads are the numbers of items of each reading of stock. onStock runs inside it.
	stockReads []int
	onStock    func()
	adjusted   engine.StockAdjusted
	err        error
	unready    engine.Unavailable
	// gone is true if a comparison of stamps finds no cart.
	gone   bool
	silent []string
	// asked is the last query for the list of orders.
	asked engine.OrderQuery
	// during runs inside every cart method.
	during func()
	// judge answers a change of a cart that its visit has counted; nil for reply and err.
	judge func(*engine.Request) (engine.Reply, error)

	// asks are the requests whose facts were gathered. admits and visits are the numbers of
	// requests that Admit and the visits have counted. refreshes is how often facts were gathered
	// once more.
	asks                      []engine.Request
	admits, visits, refreshes int

	// sold edits the order of the next requests; numbers is the last query of orders by number, and
	// numbered its answer.
	sold     func(*commerce.Order)
	numbers  engine.NumberQuery
	numbered engine.NumberPage

	requests []*engine.Request
	contacts []*engine.Request
	accounts []*engine.Request
	// account is the last argument of an account method.
	account any
	adjusts []*adjustRequest
	called  []string
}

// adjustRequest is an adjustment of stock with its request.
type adjustRequest struct {
	*engine.Request
	commerce.StockAdjustment
}

func newFakeEngine() *fakeEngine {
	contact := sampleContact()
	e := &fakeEngine{
		admission: engine.Facts{
			Now:     testNow,
			Budget:  engine.Budget{Granted: true, Limit: 120, Remaining: 119},
			Store:   sampleStore(),
			Key:     &commerce.APIKey{Name: "storefront", Scopes: commerce.AllScopes()},
			Visitor: commerce.Visitor{Known: true, CustomerID: uuid.MustParse(testContact)},
		},
		reply:   engine.Reply{Cart: commerce.NewCart(uuid.MustParse(testCart), testNow)},
		contact: engine.Reply{Contact: contact, Part: uuid.MustParse(testCart), Stamp: engine.Stamp{Counter: 1}},
		guesses: engine.Budget{Granted: true},
		answers: engine.Budget{Granted: true},
	}
	e.show(e.admission.Store)
	e.Engine = engine.New(fakeStore{fake: e}, fakeCarts{e}, fakeContacts{e}, fakeQuotes{fake: e}, fakeOrders{fake: e}, nil, nil)
	return e
}

// show makes a store the store of the next requests.
func (e *fakeEngine) show(s *commerce.Store) {
	e.admission.Store, e.admission.Version = s, &engine.StoreVersion{Store: s.ID, Catalogue: engine.NewCatalogue(s)}
}

func sampleContact() *commerce.Contact {
	return &commerce.Contact{
		ID: uuid.MustParse(testContact), Email: "ada@example.com", FirstName: "Ada", CreatedAt: testNow,
		Addresses: []commerce.Address{{
			ID: uuid.MustParse(testCart), Type: "billing", IsDefault: true, Name: "Ada", Street: "Dam 1",
			PostalCode: "1012", City: "Amsterdam", Country: "NL",
		}},
	}
}

func sampleStore() *commerce.Store {
	s := &commerce.Store{
		ID:   uuid.MustParse("11111111-1111-4111-8111-111111111111"),
		Name: "Northwind Blinds",
		Modules: commerce.Modules(0).With(commerce.ModuleCatalog).With(commerce.ModuleCommerce).With(commerce.ModuleConfigurator).With(
			commerce.ModuleCustomers).With(commerce.ModuleStock).With(commerce.ModuleSales),
		Quotes:           commerce.QuoteSettings{Enabled: true},
		PricesIncludeTax: true,
		RateLimit:        120,
		Policy: commerce.Policy{
			IdentityMode: "guest_allowed", Audience: "both", MaxLines: 100, MaxQuantityPerLine: 100 * commerce.One,
			Pricing: commerce.PricingDisplay{GuestPriceVisibility: "visible", VATDisplay: "inc", ShowOriginalPrice: true, ShowTierTable: true},
		},
		Products: []*commerce.Product{sampleBlind()},
		Discounts: []commerce.Discount{{ID: uuid.MustParse(testCart), Name: "Asleep", CodeBatches: []commerce.CodeBatch{
			{Number: 2, Prefix: "SLEEP", Secret: []byte("the codes of a batch that sleeps"), Uses: 1},
		}}},
		Categories: []commerce.Category{{ID: uuid.MustParse(testCart), Name: "Blinds", Slug: "blinds"}},
	}
	s.Index()
	return s
}

type fakeStore struct {
	engine.Storage
	fake *fakeEngine
}

func (s fakeStore) Identify(r *engine.Request) error {
	known := s.fake.admission
	if s.fake.node != nil {
		known = *s.fake.node
	}
	if known.Store == nil {
		return s.fake.admitErr
	}
	r.Store, r.Key = known.Store, known.Key
	return nil
}

func (s fakeStore) Admit(r *engine.Request) error {
	e := s.fake
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ask(r)
	if e.refusesClient(r) {
		return nil
	}
	e.admits++
	if e.admitErr != nil {
		r.Facts = engine.Facts{}
		return e.admitErr
	}
	r.Facts = e.admission
	r.Counted = true
	return nil
}

func (s fakeStore) Recall(r *engine.Request) (bool, error) {
	e := s.fake
	e.mu.Lock()
	defer e.mu.Unlock()
	known := e.admission
	if e.node != nil {
		known = *e.node
	}
	if known.Key == nil || known.Store == nil {
		return false, nil
	}
	e.ask(r)
	if e.refusesClient(r) {
		return true, nil
	}
	r.Facts = known
	r.Budget = engine.Budget{Granted: true}
	return true, nil
}

// refusesClient sets the budget of the request's client, and the facts of the node's memory if it is used up.
func (e *fakeEngine) refusesClient(r *engine.Request) bool {
	if r.Client = e.client; r.Client.Limit == 0 || r.Client.Granted {
		return false
	}
	r.Facts = engine.Facts{Version: e.admission.Version, Store: e.admission.Store, Key: e.admission.Key, Now: testNow}
	return true
}

func (s fakeStore) Refresh(_ uuid.UUID, r *engine.Request) error {
	e := s.fake
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refreshes++
	r.Facts = e.admission
	r.Budget = engine.Budget{Granted: true}
	return nil
}

// CartStamps finds the cart of reply under every id. A reply without a stamp is not found, unless the
// cart is gone.
func (s fakeStore) CartStamps(keys []engine.RecordKey, _ time.Time) map[engine.RecordKey]engine.Stamp {
	e := s.fake
	e.mu.Lock()
	defer e.mu.Unlock()
	found := map[engine.RecordKey]engine.Stamp{}
	for _, key := range keys {
		if e.gone {
			found[key] = engine.Stamp{}
		} else if !e.reply.Stamp.Zero() {
			found[key] = e.reply.Stamp
		}
	}
	return found
}

// ask records a copy of a request; the server reuses its own.
func (e *fakeEngine) ask(r *engine.Request) {
	own := *r
	e.asks = append(e.asks, own)
}

func (s fakeStore) Order(key engine.RecordKey, _ time.Time) (*engine.Record[*commerce.Order], error) {
	s.fake.called = append(s.fake.called, "order")
	return &engine.Record[*commerce.Order]{State: sampleOrder(key.ID), Stamp: engine.Stamp{Counter: 1}}, s.fake.err
}

func (s fakeStore) Orders(customer engine.RecordKey, q *engine.OrderQuery, _ time.Time) (engine.OrderPage, error) {
	s.fake.called = append(s.fake.called, "orders")
	s.fake.asked = *q
	q.Page(1)
	return engine.OrderPage{Total: 1, Orders: []engine.OrderRow{{Order: sampleOrder(customer.ID)}}}, s.fake.err
}

func sampleOrder(id uuid.UUID) *commerce.Order {
	return &commerce.Order{
		ID: id, Number: 7, Email: "ada@example.com", Customer: commerce.Binding{ID: uuid.MustParse(testContact)}, PlacedAt: testNow,
		Payment: commerce.Payment{PaidAt: testNow, Reference: "pi_1"},
		Lines: []commerce.OrderLine{{
			Line: commerce.Line{ID: uuid.MustParse(testLine), ProductID: uuid.MustParse(testLine), Quantity: 2 * commerce.One, UnitPrice: 2125}, Total: 4250,
			Freight: commerce.Freight{RequiresShipping: true},
		}},
		Totals: commerce.OrderTotals{Subtotal: 4250, Total: 4250, Breakdown: []commerce.TaxRow{{Base: 4250}}},
	}
}

func (s fakeStore) CustomerQuotes(_ engine.RecordKey, q *engine.QuoteQuery, _ time.Time) (engine.QuotePage, error) {
	s.fake.called = append(s.fake.called, "quotes")
	q.Page(1)
	quote := sampleQuote()
	return engine.QuotePage{Total: 1, Quotes: []engine.QuoteRow{{Quote: quote, Totals: quote.Totals(), LinesCount: 2}}}, s.fake.err
}

func (s fakeStore) QuoteID(uuid.UUID, commerce.KeyHash, time.Time) (uuid.UUID, error) {
	s.fake.called = append(s.fake.called, "token")
	return uuid.MustParse(testQuote), s.fake.err
}

func (s fakeStore) QuoteAnswer(_ uuid.UUID, caller netip.Addr, _ *commerce.KeyHash, _ time.Time) (uuid.UUID, engine.Budget, error) {
	s.fake.called = append(s.fake.called, "answer of "+caller.String())
	return uuid.MustParse(testQuote), s.fake.answers, s.fake.err
}

func (s fakeStore) OrdersByNumber(_ uuid.UUID, q *engine.NumberQuery, _ time.Time) (engine.NumberPage, error) {
	s.fake.called = append(s.fake.called, "orders by number")
	s.fake.numbers = *q
	return s.fake.numbered, s.fake.err
}

type fakeOrders struct {
	engine.Records[*commerce.Order] // methods that no test needs
	fake                            *fakeEngine
}

func (fakeOrders) Known(engine.RecordKey) *engine.Record[*commerce.Order] { return nil }

// Change applies a command to sampleOrder, in the order of judgement.
func (o fakeOrders) Change(r *engine.Request) (engine.Reply, error) {
	o.fake.mu.Lock()
	defer o.fake.mu.Unlock()
	o.fake.requests, o.fake.called = append(o.fake.requests, copied(r)), append(o.fake.called, "change order")
	return o.fake.visit(r, func(r *engine.Request) (engine.Reply, error) {
		state := sampleOrder(r.OrderID)
		switch r.Command.(type) {
		case commerce.CancelByShopper:
			state.Payment = commerce.Payment{DueAt: testNow}
		case commerce.ReturnLines:
			state.Parts = []commerce.Part{{Lines: []commerce.PartLine{{Quantity: 2 * commerce.One}}}}
		}
		if o.fake.sold != nil {
			o.fake.sold(state)
		}
		reply := engine.Reply{Order: state, Stamp: engine.Stamp{Counter: 1}}
		view := engine.View[*commerce.Order]{State: state, Stamp: reply.Stamp, Input: new(commerce.Input)}
		change, refusal := engine.Judge(engine.OrderKind, r, &view)
		if refusal != nil {
			return reply, refusal
		}
		reply.Order, reply.Stamp, reply.Replayed = change.State, engine.Stamp{Counter: 2}, change.Replayed
		return reply, o.fake.err
	})
}

type fakeQuotes struct {
	engine.Records[*commerce.Quote] // methods that no test needs
	fake                            *fakeEngine
}

func (q fakeQuotes) Fetch(key engine.RecordKey, _ time.Time) (*engine.Record[*commerce.Quote], error) {
	q.fake.called = append(q.fake.called, "quote")
	return &engine.Record[*commerce.Quote]{State: sampleQuote(), Stamp: engine.Stamp{Counter: 1}}, q.fake.err
}

func (q fakeQuotes) Change(r *engine.Request) (engine.Reply, error) {
	q.fake.mu.Lock()
	defer q.fake.mu.Unlock()
	q.fake.requests, q.fake.called = append(q.fake.requests, copied(r)), append(q.fake.called, "change quote")
	reply := engine.Reply{Quote: sampleQuote(), Stamp: engine.Stamp{Counter: 1}, Facts: &r.Facts}
	if r.Counted || !r.Write { // the customer's own answer
		return reply, q.fake.err
	}
	return q.fake.visit(r, func(r *engine.Request) (engine.Reply, error) {
		account := sampleContact()
		account.ID = reply.Quote.Customer.ID
		r.Customer = &engine.Record[*commerce.Contact]{State: account}
		view := engine.View[*commerce.Quote]{State: reply.Quote, Stamp: reply.Stamp, Input: &commerce.Input{Store: r.Store, Now: testNow}}
		change, refusal := engine.Judge(engine.QuoteKind, r, &view)
		if refusal != nil {
			return reply, refusal
		}
		if reply.Quote, reply.Replayed = change.State, change.Replayed; change.State.Gone {
			reply.Quote = sampleQuote()
		}
		return reply, q.fake.err
	})
}

func (s fakeStore) QuoteEntry(*engine.Request) (uuid.UUID, error) {
	s.fake.called = append(s.fake.called, "quote entry")
	return uuid.Nil, s.fake.err
}

func (s fakeStore) MakeQuote(r *engine.Request, q *commerce.Quote) (*engine.Record[*commerce.Quote], uuid.UUID, error) {
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	s.fake.called = append(s.fake.called, "make quote")
	_, err := s.fake.visit(r, func(*engine.Request) (engine.Reply, error) { return engine.Reply{}, s.fake.err })
	return &engine.Record[*commerce.Quote]{State: q, Stamp: engine.Stamp{Counter: 1}}, uuid.Nil, err
}

func (s fakeStore) StoreQuotes(*commerce.Store, *engine.StoreQuoteQuery, time.Time, time.Time) (engine.StoreQuotePage, error) {
	s.fake.called = append(s.fake.called, "quotes of the store")
	quote := sampleQuote()
	return engine.StoreQuotePage{Total: 1, Quotes: []engine.StoreQuoteRow{{Quote: quote}}}, s.fake.err
}

func sampleQuote() *commerce.Quote {
	return &commerce.Quote{ID: uuid.MustParse(testQuote), Number: 3, Version: 1, CartID: uuid.MustParse(testCart),
		Email: "ada@example.com", Customer: commerce.Binding{ID: uuid.MustParse(testContact)},
		CreatedAt: testNow, ValidUntil: testNow.Add(time.Hour)}
}

func (fakeStore) AwaitReplicas(uuid.UUID, time.Time) error { return nil }

func (fakeStore) AccountCarts(_, _ uuid.UUID, _ time.Time) ([]uuid.UUID, error) {
	return nil, nil
}
func (s fakeStore) EachAccountCart(_ engine.RecordKey, q *engine.CartQuery, _ time.Time) (int, error) {
	s.fake.called = append(s.fake.called, "carts")
	q.Page(1)
	if s.fake.err != nil || s.fake.reply.Cart == nil {
		return 1, s.fake.err
	}
	own := *s.fake.reply.Cart
	own.Customer = commerce.Binding{ID: uuid.MustParse(testContact)}
	return 1, q.Each(&own)
}
func (s fakeStore) LoadCarts(keys []engine.RecordKey, _ time.Time) ([]engine.CartRecord, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	carts := make([]engine.CartRecord, len(keys))
	for i := range carts {
		if keys[i].ID.String() != testCart { // only the merchant reads this one so
			continue
		}
		carts[i] = engine.CartRecord{State: s.fake.reply.Cart, Stamp: engine.Stamp{Counter: 1}}
	}
	return carts, s.fake.err
}

func (s fakeStore) BeginCode(_ engine.RecordKey, caller netip.Addr, _ time.Time) (engine.Budget, func(), error) {
	s.fake.called = append(s.fake.called, "try of "+caller.String())
	return s.fake.guesses, func() {}, nil
}

func (s fakeStore) CodeBudget(engine.RecordKey, netip.Addr, time.Time) (engine.Budget, error) {
	return s.fake.guesses, nil
}

func (s fakeStore) CountCodes(r *engine.Request, unknown int, uses []commerce.Use) (engine.Budget, error) {
	s.fake.called = append(s.fake.called, "count of "+decimal(unknown)+" codes of "+r.Caller.Addr.String())
	if s.fake.counted != nil {
		r.Budget = *s.fake.counted
	}
	if len(uses) > 0 { // each as often as its limit allows
		r.Counts = &commerce.UseCounts{Uses: uses}
		for _, use := range uses {
			r.Counts.Counts = append(r.Counts.Counts, use.Limit)
		}
	}
	return s.fake.guesses, s.fake.err
}

type fakeCarts struct{ fake *fakeEngine }

func (c fakeCarts) Create(r *engine.Request) (engine.Reply, error) { return c.fake.serve("create", r) }
func (c fakeCarts) Change(r *engine.Request) (engine.Reply, error) { return c.fake.serve("change", r) }
func (c fakeCarts) Load(r *engine.Request) (engine.Reply, error)   { return c.fake.serve("load", r) }
func (c fakeCarts) Read(r *engine.Request) (engine.Reply, error) {
	own := *r // the server reuses the request
	return c.fake.serve("read", &own)
}

func (c fakeCarts) Known(engine.RecordKey) *engine.CartRecord {
	return &engine.CartRecord{Size: c.fake.knownSize}
}

func (e *fakeEngine) serve(method string, r *engine.Request) (engine.Reply, error) {
	e.mu.Lock()
	e.requests = append(e.requests, copied(r))
	e.called = append(e.called, method)
	e.mu.Unlock()
	if e.during != nil {
		e.during()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.judge != nil {
		return e.visit(r, e.judge)
	}
	return e.visit(r, func(*engine.Request) (engine.Reply, error) { return e.reply, e.err })
}

// visit counts a write, unless it is counted already, and answers it.
func (e *fakeEngine) visit(r *engine.Request, judge func(*engine.Request) (engine.Reply, error)) (engine.Reply, error) {
	if e.outdated > 0 {
		e.outdated--
		return engine.Reply{Facts: &r.Facts}, engine.ErrOutdated
	}
	if r.Write && !r.Counted {
		if e.admitErr != nil {
			return engine.Reply{}, e.admitErr
		}
		if r.Budget = e.admission.Budget; !r.Budget.Granted {
			return engine.Reply{Facts: &r.Facts}, commerce.TooManyAttempts
		}
		r.Counted = true
		e.visits++
	}
	reply, err := judge(r)
	reply.Facts = &r.Facts
	return reply, err
}

// judgeCart judges a change of the cart in reply.
func (e *fakeEngine) judgeCart(r *engine.Request) (engine.Reply, error) {
	view := engine.View[*commerce.Cart]{State: e.reply.Cart, Stamp: e.reply.Stamp, Input: new(commerce.Input)}
	if _, refusal := engine.Judge(engine.CartKind, r, &view); refusal != nil {
		return e.reply, refusal
	}
	return e.reply, nil
}

type fakeContacts struct{ fake *fakeEngine }

func (c fakeContacts) Read(r *engine.Request) (engine.Reply, error) {
	return c.fake.serveContact("read contact", r)
}
func (c fakeContacts) Change(r *engine.Request) (engine.Reply, error) {
	return c.fake.serveContact("change contact", r)
}

func (fakeContacts) Find(key engine.RecordKey, _ bool, _ time.Time) (*engine.Record[*commerce.Contact], error) {
	contact := sampleContact()
	contact.ID = key.ID
	return &engine.Record[*commerce.Contact]{State: contact, Stamp: engine.Stamp{Counter: 1}}, nil
}

func (e *fakeEngine) serveContact(method string, r *engine.Request) (engine.Reply, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.contacts = append(e.contacts, copied(r))
	e.called = append(e.called, method)
	return e.visit(r, func(*engine.Request) (engine.Reply, error) { return e.contact, e.err })
}

func (e *fakeEngine) serveAccount(method string, r *engine.Request, asked any) (engine.SignedIn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.accounts, e.account = append(e.accounts, copied(r)), asked
	e.called = append(e.called, method)
	return engine.SignedIn{Token: "issued", ExpiresAt: testNow, Contact: e.contact.Contact}, e.err
}

func (e *fakeEngine) Register(r *engine.Request, asked *engine.Registration) (engine.SignedIn, error) {
	return e.serveAccount("register", r, asked)
}
func (e *fakeEngine) Login(r *engine.Request, c *engine.Credentials) (engine.SignedIn, engine.Budget, error) {
	in, err := e.serveAccount("login", r, c)
	return in, e.failures, err
}
func (e *fakeEngine) Logout(r *engine.Request) error { return e.serveOnly("logout", r, nil) }
func (e *fakeEngine) ForgotPassword(r *engine.Request, email string) error {
	return e.serveOnly("forgot password", r, email)
}
func (e *fakeEngine) ResetPassword(r *engine.Request, p *engine.PasswordReset) error {
	return e.serveOnly("reset password", r, p)
}
func (e *fakeEngine) ChangePassword(r *engine.Request, p *engine.PasswordChange) error {
	return e.serveOnly("change password", r, p)
}
func (e *fakeEngine) PutAccount(r *engine.Request, asked *commerce.ExternalAccount) (*commerce.Contact, bool, error) {
	if fault := asked.Faults.Refusal(); fault != nil {
		return nil, false, fault
	}
	in, err := e.serveAccount("put account", r, asked)
	return in.Contact, true, err
}
func (e *fakeEngine) IssueToken(r *engine.Request, id string, lifetime time.Duration) (engine.SignedIn, error) {
	if r.Fault != nil {
		return engine.SignedIn{}, r.Fault
	}
	return e.serveAccount("issue token", r, lifetime)
}
func (e *fakeEngine) EndTokens(r *engine.Request, id string) error {
	return e.serveOnly("end tokens", r, id)
}
func (e *fakeEngine) serveOnly(method string, r *engine.Request, asked any) error {
	_, err := e.serveAccount(method, r, asked)
	return err
}

func (e *fakeEngine) CartLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) (commerce.StockLevels, error) {
	if len(items) == 0 {
		return nil, nil
	}
	levels, err := e.StockLevels(store, cart, items, deadline)
	all := commerce.StockLevels{}
	for i, item := range items {
		all[item] = levels[i]
	}
	return all, err
}

func (e *fakeEngine) StockLevels(_ *commerce.Store, _ uuid.UUID, items []uuid.UUID, _ time.Time) ([]commerce.StockLevel, error) {
	e.mu.Lock()
	e.stockReads = append(e.stockReads, len(items))
	e.mu.Unlock()
	if e.onStock != nil {
		e.onStock()
	}
	levels := make([]commerce.StockLevel, len(items))
	for i, id := range items {
		levels[i] = e.levels[id]
	}
	return levels, e.err
}

func (e *fakeEngine) HoldingCart(_ *engine.Request, cart uuid.UUID) (uuid.UUID, error) {
	return cart, nil
}

func (e *fakeEngine) GiveCodes(r *engine.Request, q *commerce.CodeRequest) (engine.GivenCodes, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.called = append(e.called, "give codes")
	d, b, refusal := q.Find(r.Store)
	if refusal != nil {
		return engine.GivenCodes{}, refusal
	}
	given := engine.GivenCodes{Discount: d, Batch: b, Count: q.Count, Replayed: r.Idempotency != nil}
	if q.From != nil {
		given.First = *q.From
	}
	return given, e.err
}

func (e *fakeEngine) AdjustStock(r *engine.Request, a *commerce.StockAdjustment) (engine.StockAdjusted, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.adjusts, e.called = append(e.adjusts, &adjustRequest{copied(r), *a}), append(e.called, "adjust stock")
	return e.adjusted, e.err
}

// changedDocument is the document that changes of the catalogue change.
var changedDocument = sync.OnceValue(func() *engine.StoreState {
	doc, err := storefile.Parse([]byte(`{"format":1,"store":{"id":"11111111-1111-4111-8111-111111111111","name":"Shop","modules":[]},
		"tax_rates":[{"code":"high","rate":"21"}],"products":[{"id":"` + testCart + `","name":"A","slug":"a","tax":"high"}]}`))
	if err != nil {
		panic(err)
	}
	packed := map[storefile.PageName][]byte{}
	for i, name := range doc.Pages.Pages {
		packed[name] = doc.Pages.Packed[i]
	}
	paged, err := new(storefile.PagedStore).Assemble(doc.Pages.Table, func(name storefile.PageName) ([]byte, error) {
		return storefile.Unpack(name, packed[name])
	})
	if err != nil {
		panic(err)
	}
	return &engine.StoreState{Paged: paged, Packed: func(name storefile.PageName) []byte { return packed[name] }}
})

func (e *fakeEngine) ChangeCatalogue(r *engine.Request) (engine.CatalogueChanged, *engine.Facts, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.called = append(e.called, "change catalogue")
	reply, err := e.visit(r, func(r *engine.Request) (engine.Reply, error) {
		_, err := engine.JudgeStore(r, &engine.View[*engine.StoreState]{State: changedDocument(), Input: new(commerce.Input)})
		return engine.Reply{Facts: &r.Facts}, cmp.Or(err, e.err)
	})
	return engine.CatalogueChanged{Revision: "0123456789abcdef"}, reply.Facts, err
}

func (e *fakeEngine) Unready() engine.Unavailable { return e.unready }

func (e *fakeEngine) SilentServers() []string { return e.silent }

// harness is a server on an in-memory listener.
type harness struct {
	t      *testing.T
	engine *fakeEngine
	server *Server
	ln     *fasthttputil.InmemoryListener
	log    *logBook
	served chan error
}

func start(t *testing.T, adjust ...func(*Config)) *harness {
	t.Helper()
	return startTable(t, routes, adjust...)
}

func startTable(t *testing.T, table []route, adjust ...func(*Config)) *harness {
	t.Helper()
	h := &harness{t: t, engine: newFakeEngine(), ln: fasthttputil.NewInmemoryListener(), log: new(logBook), served: make(chan error, 1)}
	logger := slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg := Config{Engine: h.engine, Logger: logger, AccessLog: true}
	for _, f := range adjust {
		f(&cfg)
	}
	cfg.Limits.LastRequests = lastRequests
	h.server = newServer(cfg, table)
	go func() { h.served <- h.server.Serve(h.ln) }()
	t.Cleanup(h.stop)
	return h
}

// lastRequests is short: no request is under way when a test ends. fasthttp checks that at once, and
// again only after 100 ms, so its listener must end earlier.
const lastRequests = 2 * time.Millisecond

func (h *harness) stop() {
	if err := h.server.Shutdown(context.Background()); err != nil {
		h.t.Errorf("Shutdown: %v", err)
	}
	if err := <-h.served; err != nil {
		h.t.Errorf("Serve: %v", err)
	}
	h.served <- nil // stop may be called again
	for _, invariant := range commerce.Invariants() {
		if n := figure(h.server.metrics.violations[invariant]); n > 0 {
			h.t.Errorf("%s did not hold of %v carts", invariant, n)
		}
	}
}

// call is one request.
type call struct {
	method, path, body string
	host               string   // shop.example if it is empty
	header             []string // "Name: value"
	chunked            bool
	anonymous          bool // no API key
}

func (c call) wire() string {
	var w strings.Builder
	w.WriteString(c.method + " " + c.path + " HTTP/1.1\r\nHost: " + cmp.Or(c.host, "shop.example") + "\r\n")
	if !c.anonymous {
		w.WriteString("Authorization: Bearer " + testKey + "\r\n")
	}
	for _, line := range c.header {
		w.WriteString(line + "\r\n")
	}
	switch {
	case c.chunked:
		w.WriteString("Transfer-Encoding: chunked\r\n\r\n")
		for rest := c.body; rest != ""; {
			n := min(len(rest), 4096)
			w.WriteString(hexLength(n) + "\r\n" + rest[:n] + "\r\n")
			rest = rest[n:]
		}
		w.WriteString("0\r\n\r\n")
	case c.body != "":
		w.WriteString("Content-Length: " + decimal(len(c.body)) + "\r\n\r\n" + c.body)
	default:
		w.WriteString("\r\n")
	}
	return w.String()
}

type answer struct {
	status int
	header http.Header
	body   string
	closed bool // the server closes the connection
}

func (h *harness) do(c call) answer {
	h.t.Helper()
	got := h.raw(c.method, c.wire())
	h.conforms(c, got)
	return got
}

// raw sends bytes on a new connection and reads one answer.
func (h *harness) raw(method, wire string) answer {
	h.t.Helper()
	conn, err := h.ln.Dial()
	if err != nil {
		h.t.Fatalf("dial: %v", err)
	}
	defer conn.Close()
	sent := make(chan struct{})
	go func() { // an oversized body is not read to its end
		defer close(sent)
		_, _ = conn.Write([]byte(wire))
	}()
	got, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		h.t.Fatalf("%.200q: %v", wire, err)
	}
	var from io.Reader = got.Body
	if got.Header.Get("Content-Type") == eventStream && got.ContentLength < 0 {
		from = &firstEvent{from: got.Body} // the answer stays open
	}
	body, err := io.ReadAll(from)
	if err != nil {
		h.t.Fatalf("%.200q: body: %v", wire, err)
	}
	conn.Close()
	<-sent
	return answer{got.StatusCode, got.Header, string(body), got.Close}
}

// firstEvent reads a stream up to the end of its first event.
type firstEvent struct {
	from io.Reader
	last byte
	done bool
}

func (r *firstEvent) Read(b []byte) (int, error) {
	if r.done {
		return 0, io.EOF
	}
	n, err := r.from.Read(b[:1])
	r.done = n == 1 && b[0] == '\n' && r.last == '\n'
	r.last = b[0]
	return n, err
}

// expect fails the test unless the answer has this status and body.
func (h *harness) expect(c call, status int, body string) answer {
	h.t.Helper()
	got := h.do(c)
	if got.status != status || got.body != body {
		h.t.Errorf("%s %s %.80q:\n got %d %s\nwant %d %s", c.method, c.path, c.body, got.status, got.body, status, body)
	}
	return got
}

func message(text string) string {
	return string(strictjson.AppendString([]byte(`{"message":`), text)) + "}"
}

// lastRequest returns the last request to the engine.
func (h *harness) lastRequest() *engine.Request {
	h.t.Helper()
	h.engine.mu.Lock()
	defer h.engine.mu.Unlock()
	if len(h.engine.requests) == 0 {
		h.t.Fatal("the engine was not asked")
	}
	return h.engine.requests[len(h.engine.requests)-1]
}

func linePathOf(id string) string { return cartsPath + "/" + testCart + "/lines/" + id }

// logBook is a log that may be written to after its test has read it.
type logBook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// copied returns a copy of a request; the server reuses its own.
func copied(r *engine.Request) *engine.Request {
	own := *r
	return &own
}
