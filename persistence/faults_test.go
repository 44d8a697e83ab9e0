package persistence

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// faulty is a Redis with damaged keys, and a node whose log is recorded. A request for its cart
// (or ada's contact) uses every kind of key.
type faulty struct {
	*testing.T
	s   *redistest.Server
	db  *DB
	log shoptest.Log
}

func newFaulty(t *testing.T) *faulty {
	t.Helper()
	f := &faulty{T: t, s: redistest.Real(t)}
	f.db = node(t, f.s, func(c *Config) { c.Logger = f.log.Logger() })
	shopWith(theCustomer()).save(t, f.db)
	f.s.Client().HSet(background, stock.OnHandKey(shopID), nails.String(), int64(units(5)))
	store(t, f.db, cartAt(1, ""))
	admit(t, f.db, f.ask())
	return f
}

func (f *faulty) ask() *engine.Request {
	ask := asks("key")
	ask.Token, ask.CartID, ask.Write = secret("token-ada"), cartAt(1, "").State.ID, true
	ask.Idempotency = once(1)
	return ask
}

// cart is a visit of the cart, contact one of ada's, judged by facts from a time without
// damage.
func (f *faulty) cart() *engine.Visit[*commerce.Cart] {
	next := cartAt(2, "")
	next.State.Hold = commerce.Hold{Asks: []commerce.StockAsk{{Item: nails, Quantity: units(9), Granted: units(9)}}, Until: time.Now().Add(time.Hour)}
	v := replacing(cartAt(1, "").Stamp, next)
	f.judge(&v.Requests, &v.Effects)
	return v
}

func (f *faulty) contact() *engine.Visit[*commerce.Contact] {
	v := contactVisit(f, f.db, "ada@example.com", func(c *commerce.Contact) { c.Phone = "1" })
	f.judge(&v.Requests, &v.Effects)
	v.Effects[0].Deleted = &[]commerce.DeletedAddress{{At: noon}}
	return v
}

func (f *faulty) judge(requests *[]*engine.Request, effects *[]engine.Effects) {
	f.Helper()
	ask := f.ask()
	if known, err := f.db.Recall(ask); !known || err != nil || !ask.Visitor.Known {
		f.Fatalf("Recall = %v, %v", known, err)
	}
	event := &commerce.Event{Name: anEvent, Body: []byte("{}")}
	*requests, *effects = []*engine.Request{ask}, []engine.Effects{{Effects: commerce.Effects{Event: event}, Idempotency: once(1)}}
}

// beside is a visit of a new cart that shares the call.
func (f *faulty) beside(n int) *engine.Visit[*commerce.Cart] {
	return counting(replacing(none.Stamp, newCart(testID(n))), 1)
}

// dump returns all keys of Redis except the carts of beside and the log of the limit.
func (f *faulty) dump() map[string]string {
	f.Helper()
	all := map[string]string{}
	for _, key := range f.s.Client().Keys(background, "*").Val() {
		if key != ratelimit.StoreKey(shopID.String()) && !strings.Contains(key, ":cart:"+testID(0).String()[:32]) {
			all[key] = f.s.Client().Dump(background, key).Val()
		}
	}
	all["cart"] = f.s.Client().Dump(background, records.Carts.Key(keyOf(cartAt(1, "")))).Val()
	return all
}

// visitTogether sends visits in one pipeline and returns their outcomes.
func visitTogether[S any](f *faulty, v *engine.Visit[S], beside *engine.Visit[*commerce.Cart]) (own engine.Outcome[S], other engine.Outcome[*commerce.Cart]) {
	f.Helper()
	first, second := make(chan engine.Outcome[S], 1), make(chan engine.Outcome[*commerce.Cart], 1)
	shared := version(f.db, shopID)
	v.Version, v.Tolerance, beside.Version, beside.Tolerance = shared, engine.Drift, shared, engine.Drift
	within(f, "both visits", time.Second, func() {
		post(f.db, beside, func(o engine.Outcome[*commerce.Cart]) { second <- o })
		post(f.db, v, func(o engine.Outcome[S]) { first <- o })
		f.db.Flush(time.Time{})
		own, other = <-first, <-second
	})
	return own, other
}

// wantBroken wants that visits which use a damaged key are broken at once, that nothing is
// written, and that the key is logged once.
func wantBroken[S any](f *faulty, key string, v *engine.Visit[S], shared bool) {
	f.Helper()
	want := engine.Done
	if shared {
		want = engine.Broken
	}
	before := f.dump()
	for n := range 3 {
		own, other := visitTogether(f, v, f.beside(n))
		if own.Kind != engine.Broken || other.Kind != want {
			f.Errorf("a visit with the key is %+v, one beside it %+v; want %v, %v", own, other, engine.Broken, want)
		}
	}
	if after := f.dump(); !maps.Equal(before, after) {
		f.Error("something was written")
	}
	f.wantLogged(key)
}

func (f *faulty) wantLogged(key string) {
	f.Helper()
	shown := key
	if id := cartAt(1, "").State.ID.String(); strings.HasSuffix(key, ":cart:"+id) || strings.HasSuffix(key, ":hold:"+id) {
		shown = strings.TrimSuffix(key, id[8:]) + "…" // a cart's id is a secret
	}
	line := "cannot be read\" key=" + shown + "\n"
	eventually(f, "the log line of "+key, patience/4, func() bool { return f.log.Count(line) > 0 })
	if f.log.Count("\n") != 1 {
		f.Errorf("logged, want %s once:\n%s", key, f.log.String())
	}
}

// A key of another type, or with damaged bytes, breaks the visits that use it.
func TestVisitOfABrokenKey(t *testing.T) {
	t.Parallel()
	adas := engine.RecordKey{Store: shopID, ID: ada}
	cart, token := records.Carts.Key(keyOf(cartAt(1, ""))), accounts.TokenKey(shopID, *secret("token-ada"))
	list, text := []any{"RPUSH", "", "x"}, []any{"SET", "", "garbage"}
	field := []any{"HSET", "", nails.String(), "1.5"}
	for _, c := range []struct {
		name, key string
		with      []any
		ofContact bool
		shared    bool // every visit of the store uses the key
	}{
		{name: "head", key: stores.HeadKey(shopID), with: list, shared: true},
		{name: "log of the limit", key: ratelimit.StoreKey(shopID.String()), with: text, shared: true},
		{name: "cart", key: cart, with: list},
		{name: "cart, damaged", key: cart, with: text},
		{name: "contact of the token", key: records.Contacts.Key(adas), with: list},
		{name: "token", key: token, with: list},
		{name: "entry", key: records.IdempotencyKey(shopID, once(1).Name), with: list},
		{name: "entry, damaged", key: records.IdempotencyKey(shopID, once(1).Name), with: text},
		{name: "stock on hand", key: stock.OnHandKey(shopID), with: list},
		{name: "stock on hand, damaged", key: stock.OnHandKey(shopID), with: field},
		{name: "the cart's hold", key: stock.CartKey(shopID, testID(0xca)), with: list},
		{name: "expiries", key: stock.HoldsKey(shopID), with: list},
		{name: "outbox", key: outbox.Key(shopID), with: text},
		{name: "contact", key: records.Contacts.Key(adas), with: list, ofContact: true},
		{name: "contact, damaged", key: records.Contacts.Key(adas), with: text, ofContact: true},
		{name: "the contact's entry", key: records.Contacts.Idempotency(adas, once(1).Name), with: list, ofContact: true},
		{name: "deleted addresses", key: records.DeletedKey(adas), with: list, ofContact: true},
		{name: "the contact's outbox", key: outbox.Key(shopID), with: text, ofContact: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFaulty(t)
			cart, contact := f.cart(), f.contact()
			if c.with[0] != "HSET" {
				f.s.Client().Del(background, c.key)
			}
			with := slices.Clone(c.with)
			with[1] = c.key
			if err := f.s.Client().Do(background, with...).Err(); err != nil {
				t.Fatal(err)
			}
			if c.ofContact {
				wantBroken(f, c.key, contact, c.shared)
			} else {
				wantBroken(f, c.key, cart, c.shared)
			}
		})
	}
}

// A request that reads a damaged key is unavailable.
func TestReadOfABrokenKey(t *testing.T) {
	t.Parallel()
	adas := engine.RecordKey{Store: shopID, ID: ada}
	cart, token := keyOf(cartAt(1, "")), accounts.TokenKey(shopID, *secret("token-ada"))
	for _, c := range []struct{ name, key, with string }{
		{"head", stores.HeadKey(shopID), "list"},
		{"log of the limit", ratelimit.StoreKey(shopID.String()), "text"},
		{"cart", records.Carts.Key(cart), "list"},
		{"cart, damaged", records.Carts.Key(cart), "text"},
		{"token", token, "list"},
		{"contact", records.Contacts.Key(adas), "list"},
		{"contact, damaged", records.Contacts.Key(adas), "text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFaulty(t)
			client := f.s.Client()
			client.Del(background, c.key)
			if c.with == "list" {
				client.RPush(background, c.key, "x")
			} else {
				client.Set(background, c.key, "garbage", 0)
			}
			for range 3 {
				within(t, "the request", time.Second, func() {
					ask := f.ask()
					ask.Write = false
					if a, err := tryAdmit(f.db, ask); err != engine.ErrUnavailable {
						t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
					}
					if strings.HasPrefix(c.name, "cart") {
						if r, err := load(t, f.db); err != engine.ErrUnavailable {
							t.Errorf("Load = %+v, %v; want ErrUnavailable", r, err)
						}
					}
				})
			}
			f.wantLogged(c.key)
		})
	}
}

// A token that the node does not know is read first.
func TestColdTokenOfABrokenKey(t *testing.T) {
	adas := engine.RecordKey{Store: shopID, ID: ada}
	for name, key := range map[string]string{"token": accounts.TokenKey(shopID, *secret("token-ada")), "contact": records.Contacts.Key(adas)} {
		t.Run(name, func(t *testing.T) {
			f := newFaulty(t)
			f.s.Client().Del(background, key)
			f.s.Client().RPush(background, key, "x")
			f.db.Accounts = accounts.New(f.db.client)
			for range 3 {
				if known, err := f.db.Recall(f.ask()); err != engine.ErrUnavailable {
					t.Errorf("Recall = %v, %v; want ErrUnavailable", known, err)
				}
			}
			f.wantLogged(key)
		})
	}
}

// While a head has the wrong type, a write whose facts are out of date is unavailable, too.
func TestRefreshOfABrokenHead(t *testing.T) {
	f := newFaulty(t)
	ask := f.ask()
	f.db.Recall(ask)
	f.s.Client().Del(background, stores.HeadKey(shopID))
	f.s.Client().RPush(background, stores.HeadKey(shopID), "x")
	for range 3 {
		if err := f.db.Refresh(ask.Store.ID, ask); err != engine.ErrUnavailable {
			t.Errorf("Refresh = %v, want ErrUnavailable", err)
		}
	}
	f.wantLogged(stores.HeadKey(shopID))
}

// A script error without a key breaks the call: each of its visits is sent alone, and only the
// one that fails alone is broken.
func TestBatchWhoseScriptFails(t *testing.T) {
	s := redistest.Mini(t)
	db := node(t, s)
	theShop().save(t, db)
	bad := records.Carts.Key(engine.RecordKey{Store: shopID, ID: testID(2)})
	s.Mini.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
		fails := cmd == "EVALSHA" && slices.Contains(args, bad)
		if fails {
			p.WriteError("ERR a script error for a test")
		}
		return fails
	})
	shared := version(db, shopID)
	var all sync.WaitGroup
	var batch []*sending
	kinds := make([]engine.OutcomeKind, 5)
	for i := range kinds {
		c, _ := onItsWay(db, shared, i)
		all.Add(1)
		c.done = func(r *records.Result) { kinds[i] = r.Kind; all.Done() }
		batch = append(batch, c)
	}
	together(t, db, batch)
	all.Wait()
	if want := []engine.OutcomeKind{engine.Done, engine.Done, engine.Broken, engine.Done, engine.Done}; !slices.Equal(kinds, want) {
		t.Errorf("the visits are %v, want %v", kinds, want)
	}
}
