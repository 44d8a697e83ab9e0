package persistence

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// folding is a shelf with carts of ada's account; the first one is claimed.
type folding struct {
	*shelf
	claimed *commerce.Cart
	account *engine.AccountCarts
}

// newFolding makes a number of other carts, with ids from 2. Each holds one cable of three.
func newFolding(t testing.TB, s *redistest.Server, others int) *folding {
	f := &folding{shelf: newShelf(t, s, cable, 3)}
	f.claimed = f.write(asking(1, expiresIn, cable, 1))
	for i := range others {
		f.write(f.bound(2 + i))
	}
	f.read()
	return f
}

// bound is a cart of ada's account that asks for a cable.
func (f *folding) bound(id int) *commerce.Cart {
	c := asking(id, expiresIn, cable, 1)
	c.Customer, c.CreatedAt = commerce.Binding{ID: ada}, noon.Add(time.Duration(id)*time.Second)
	return c
}

// read reads a claim's facts from Redis.
func (f *folding) read() {
	f.Helper()
	deadline := time.Now().Add(patience)
	members, err := f.db.AccountCarts(shopID, ada, deadline)
	if err != nil {
		f.Fatal(err)
	}
	f.account = engine.NewAccountCarts(ada, members, false, 0)
	var keys []engine.RecordKey
	for _, id := range f.account.Members {
		keys = append(keys, engine.RecordKey{Store: shopID, ID: id})
	}
	if f.account.Records, err = f.db.LoadCarts(keys, deadline); err != nil {
		f.Fatal(err)
	}
}

// claim makes the visit of a claim of the first cart, judged by the facts that were read.
func (f *folding) claim() *engine.Visit[*commerce.Cart] {
	f.Helper()
	r := &engine.Request{Guards: &engine.Guards{}, CartID: f.claimed.ID, Command: commerce.ClaimCart{}}
	shop := &commerce.Store{Modules: commerce.Modules(0).With(commerce.ModuleCustomers), Policy: commerce.Policy{MaxLines: 10}}
	shop.Index()
	r.Facts = engine.Facts{
		Store: shop, Key: &commerce.APIKey{}, Counted: true, Budget: engine.Budget{Granted: true}, Now: time.Now().UTC().Truncate(time.Millisecond),
		Visitor: commerce.Visitor{Known: true, CustomerID: ada}, Carts: f.account,
	}
	change, refusal := engine.Judge(engine.CartKind, r, &engine.View[*commerce.Cart]{State: f.claimed, Input: new(commerce.Input)})
	if refusal != nil {
		f.Fatal(refusal)
	}
	change.State.Hold = commerce.Hold{Asks: []commerce.StockAsk{{Item: cable, Quantity: units(9), Granted: units(9)}}, Until: time.Now().Add(time.Hour)}
	v := f.visit(change.State)
	v.Effects, v.Requests = []engine.Effects{change.Effects}, []*engine.Request{r}
	return v
}

// One script writes the claimed cart with all folded carts, and asks for the stock that those
// held.
func TestVisitOfAClaim(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newFolding(t, s, 2)
		f.wantHeld("at the start", cable, 3)
		v := f.claim()
		for sending := range 2 { // the second one finds it done
			o := send(f, f.db, v)
			if o.Kind != engine.Done || o.Current.State.Hold.Asks[0].Granted != units(3) {
				t.Fatalf("sending %d: %+v (%+v)", sending, o, o.Current.State)
			}
		}
		f.wantHeld("after", cable, 3)
		if got := f.loaded(f.claimed.ID); got.Stamp != v.Next.Stamp || got.State.Hold.Asks[0].Granted != units(3) {
			t.Errorf("the claimed cart is %+v %+v", got, got.State)
		}
		for _, c := range v.Effects[0].Fold.Carts {
			if got := f.loaded(c.ID); !reflect.DeepEqual(got, c.Next) || got.State.Status != commerce.CartMerged {
				t.Errorf("a folded cart is %+v %+v, want %+v", got, got.State, c.Next)
			}
			left := s.Client().PTTL(background, records.Carts.Key(engine.RecordKey{Store: shopID, ID: c.ID})).Val()
			if (left - commerce.CartLifetime).Abs() > time.Minute {
				t.Errorf("a folded cart leaves in %v", left)
			}
		}
		f.read()
		if want := []uuid.UUID{f.claimed.ID}; !reflect.DeepEqual(f.account.Members, want) || !f.account.Whole {
			t.Errorf("the index has %v, want %v", f.account.Members, want)
		}
	})
}

// A claim compares the stamps of the folded carts and, with its last commit, their number.
// After a conflict it is judged again by the facts that it found.
func TestConflictsOfAClaim(t *testing.T) {
	key := func(id int) string { return records.Carts.Key(engine.RecordKey{Store: shopID, ID: testID(id)}) }
	for _, c := range []struct {
		rule    string
		others  int
		change  func(*folding)
		unknown bool
		members int
		email   string // of the second cart afterwards; "-" if it does not exist
	}{
		{rule: "another cart changed", others: 2, change: func(f *folding) {
			next := f.bound(2)
			next.Email = "new@a.co"
			f.write(next)
		}, members: 2, email: "new@a.co"},
		{rule: "another cart is gone", others: 2, change: func(f *folding) { f.redis.Del(background, key(2)) }, members: 2, email: "-"},
		{rule: "another cart was converted", others: 2, change: func(f *folding) {
			next := f.bound(2)
			next.Status = commerce.CartConverted
			f.write(next)
		}, members: 1},
		{rule: "a further cart", others: 1, change: func(f *folding) { f.write(f.bound(9)) }, unknown: true},
		{rule: "as many as are checked", others: 31, change: func(f *folding) { f.write(f.bound(99)) }, unknown: true},
		{rule: "not the last commit: a further cart does not matter", others: 33, change: func(f *folding) { f.write(f.bound(2)) }, members: 32},
	} {
		t.Run(c.rule, func(t *testing.T) {
			redistest.Each(t, func(t *testing.T, s *redistest.Server) {
				f := newFolding(t, s, c.others)
				c.change(f)
				v := f.claim()
				o := send(f, f.db, v)
				if o.Kind != engine.OtherFacts || !o.Counted || len(o.Facts) != 1 || o.Facts[0].Unknown != c.unknown {
					t.Fatalf("%+v", o)
				}
				if got := f.loaded(f.claimed.ID).Stamp; got != v.Seen {
					t.Errorf("the claimed cart was written: %+v", got)
				}
				found := o.Facts[0].Carts
				if c.unknown {
					if found != nil {
						t.Errorf("found %+v, want nothing that can be judged by", found)
					}
					return
				}
				if len(found.Members) != c.members || found.Conflicts != 1 || found.Writer == f.account.Writer || found.Whole != f.account.Whole {
					t.Fatalf("found %+v", found)
				}
				email := "-"
				if found.Members[0] != testID(2) || found.Records[0].State != nil && found.Records[0].State.Status != commerce.CartActive {
					email = ""
				} else if found.Records[0].State != nil {
					email = found.Records[0].State.Email
				}
				if email != c.email {
					t.Errorf("the second cart has %q, want %q", email, c.email)
				}
				f.account = found
				if o := send(f, f.db, f.claim()); o.Kind != engine.Done {
					t.Errorf("judged again: %+v", o)
				}
			})
		})
	}
}

// A claim that finds an unreadable value is answered 503, and the key is logged.
func TestUnreadableCartsOfAnAccount(t *testing.T) {
	f := newFaulty(t)
	deadline := time.Now().Add(patience)
	index, cart := accountCartsKey(shopID, ada), records.Carts.Key(keyOf(cartAt(1, "")))
	f.s.Client().Set(background, index, "text", 0)
	f.s.Client().Set(background, cart, "text", 0)
	_, err := f.db.AccountCarts(shopID, ada, deadline)
	_, err2 := f.db.LoadCarts([]engine.RecordKey{keyOf(cartAt(1, ""))}, deadline)
	f.s.Client().Del(background, index)
	f.s.Client().ZAdd(background, accountCartsKey(shopID, testID(7)), redis.Z{Score: 1, Member: "no id"})
	_, err3 := f.db.AccountCarts(shopID, testID(7), deadline)
	for i, err := range []error{err, err2, err3} {
		if key := []string{index, cart[:len(cart)-28] + "…", accountCartsKey(shopID, testID(7))}[i]; err != engine.ErrUnavailable || f.log.Count(key) != 1 {
			t.Errorf("%s: %v, want %v and a line in the log", key, err, engine.ErrUnavailable)
		}
	}
}
