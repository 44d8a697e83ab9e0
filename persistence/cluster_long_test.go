//go:build long

package persistence

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/stock"
	"cartd/persistence/stores"
)

// slotMove moves a slot from the first half of a cluster to the second.
type slotMove struct {
	t      *testing.T
	halves [2]*redistest.Server
	entry  int
}

func (m slotMove) do(on int, args ...any) {
	m.t.Helper()
	if err := m.halves[on].Client().Do(background, args...).Err(); err != nil {
		m.t.Fatal(args, err)
	}
}

func (m slotMove) id(of int) string {
	return m.halves[of].Client().Do(background, "CLUSTER", "MYID").Val().(string)
}

func (m slotMove) begin() {
	m.do(1, "CLUSTER", "SETSLOT", m.entry, "IMPORTING", m.id(0))
	m.do(0, "CLUSTER", "SETSLOT", m.entry, "MIGRATING", m.id(1))
}

func (m slotMove) keys(keys ...string) {
	host, port, _ := net.SplitHostPort(m.halves[1].Addr())
	args := []any{"MIGRATE", host, port, "", 0, 5000, "KEYS"}
	for _, key := range keys {
		args = append(args, key)
	}
	m.do(0, args...)
}

// end moves the keys that are left.
func (m slotMove) end() {
	m.keys(m.halves[0].Client().ClusterGetKeysInSlot(background, m.entry, 1000).Val()...)
	m.do(1, "CLUSTER", "SETSLOT", m.entry, "NODE", m.id(1))
	m.do(0, "CLUSTER", "SETSLOT", m.entry, "NODE", m.id(1))
}

// slotsAsked counts how often a server was asked for the cluster's slots.
func slotsAsked(t *testing.T, s *redistest.Server) (calls int) {
	t.Helper()
	for line := range strings.Lines(s.Client().Info(background, "commandstats").Val()) {
		if rest, found := strings.CutPrefix(line, "cmdstat_cluster|slots:calls="); found {
			fmt.Sscan(rest, &calls)
		}
	}
	return calls
}

// redirected counts the commands that a server has answered with MOVED.
func redirected(t *testing.T, s *redistest.Server) string {
	t.Helper()
	return redistest.InfoField(s.Client().Info(background, "errorstats").Val(), "errorstat_MOVED")
}

func silentHalf(t *testing.T, halves [2]*redistest.Server, db *DB) {
	t.Helper()
	var keys [2]string
	for half := range keys {
		s := shopOf(t, halves[0], half)
		s.save(t, db)
		keys[half] = s.ID.String()
		admit(t, db, asks(keys[half]))
	}
	halves[1].Pause()
	within(t, "the first request of the silent half", soon, func() {
		if a, err := tryAdmit(db, asks(keys[1])); err != engine.ErrUnavailable {
			t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
		}
	})
	var all sync.WaitGroup
	var refused atomic.Int32
	asked := slotsAsked(t, halves[0])
	const times = 50
	for range times {
		time.Sleep(5 * time.Millisecond)
		all.Go(func() { tryAdmit(db, asks(keys[1])) })
		all.Go(func() {
			if _, err := tryAdmit(db, asks(keys[0])); err != nil {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if n := refused.Load(); n > times/10 || db.Away() { // a busy machine is sometimes late
		t.Errorf("of the other half %d of %d are refused, away %v", n, times, db.Away())
	}
	if more := slotsAsked(t, halves[0]) - asked; more > times/5 {
		t.Errorf("%d requests of the silent half asked %d times for the slots", times, more)
	}
	shoptest.AtOnce(t, "a later request of the silent half", func() { tryAdmit(db, asks(keys[1])) })
	halves[1].Resume()
	eventually(t, "the half is back", patience, func() bool { _, err := tryAdmit(db, asks(keys[1])); return err == nil })
}

// A silent server stops only its own stores, at once after the first time-out. They go on when
// it is back. Its requests do not read the cluster's slots more often.
func TestLongSilentServerOfAClusterStopsOnlyItsOwnStores(t *testing.T) {
	t.Parallel()
	url, halves := cluster(t)
	silentHalf(t, halves, node(t, halves[0], impatient, func(c *Config) { c.URL = url }))
}

// A cluster without any of its servers is unreachable until they are back.
func TestLongClusterWithoutServersIsUnreachable(t *testing.T) {
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], impatient, func(c *Config) { c.URL = url })
	s := shopOf(t, halves[0], 0)
	s.save(t, db)
	ask := func() bool { _, err := tryAdmit(db, asks(s.ID.String())); return err == nil }
	ask()
	halves[0].Pause()
	halves[1].Pause()
	eventually(t, "the node knows", patience, func() bool { return !ask() && db.Away() })
	halves[0].Resume()
	halves[1].Resume()
	eventually(t, "it is back", patience, func() bool { return ask() && !db.Away() })
}

// All keys of a script are in one slot.
func TestLongKeysOfEveryScriptShareASlot(t *testing.T) {
	shoptest.Alone(t)
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], func(c *Config) { c.URL = url })
	for half := range halves {
		s := shopOf(t, halves[0], half)
		s.Customers = []object{{"id": uuid.New(), "email": "ada@example.com", "tokens": []object{inAnHour("token" + s.ID.String())}}}
		s.save(t, db)
		ask := asks(s.ID.String())
		ask.Token, ask.OfContact = secret("token"+s.ID.String()), true
		a := admit(t, db, ask)
		if !a.Visitor.Known || a.Store == nil {
			t.Errorf("admitted %+v", a)
		}
		held := newCart(uuid.New())
		held.State.Hold = commerce.Hold{Asks: []commerce.StockAsk{{Item: testID(4), Quantity: 10, Granted: 10}}, Until: time.Now().Add(time.Minute)}
		v := withKeys(counting(replacing(none.Stamp, held), 1), once(1))
		v.Key.Store = s.ID
		v.Requests[0].Token, v.Requests[0].TokenText = ask.Token, a.TokenText
		v.Effects[1].Event = &commerce.Event{Name: anEvent, Body: []byte("{}")}
		if o := send(t, db, v); o.Kind != engine.Done {
			t.Errorf("a visit with all that it may have: %+v", o)
		}
		found, err := db.FindAccount(s.ID, "new@example.com", soonest())
		if err == nil {
			err = db.Register(countedAsk(t, db, s.ID.String()), found, &commerce.Contact{ID: uuid.New(), Email: "new@example.com"}, newToken("new", 0))
		}
		if err != nil {
			t.Errorf("registering: %v", err)
		}
		if _, err := db.StockLevels(s.ID, uuid.Nil, []uuid.UUID{testID(4)}, soonest()); err != nil {
			t.Errorf("stock levels: %v", err)
		}
		if _, err := db.ExpireHolds(s.ID, soonest()); err != nil {
			t.Errorf("expiries: %v", err)
		}
	}
}

// While a cluster moves a slot, keys that have not arrived yet do not count as missing: an
// account is still known, and a hold is still held.
func TestLongKeysOfAMovingSlotAreNotMissing(t *testing.T) {
	shoptest.Alone(t)
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], func(c *Config) { c.URL = url })
	s := shopOf(t, halves[0], 0)
	ada := uuid.New()
	s.Customers = []object{{"id": ada, "email": "ada@example.com", "tokens": []object{inAnHour("token" + s.ID.String())}}}
	s.save(t, db)
	ask := asks(s.ID.String())
	ask.Token, ask.OfContact = secret("token"+s.ID.String()), true
	known := func() bool { a, err := tryAdmit(db, ask); return err == nil && a.Visitor.Known }
	eventually(t, "the token is known", patience, known)
	cart := uuid.New()
	from, to := halves[0].Client(), halves[1].Client()
	hold, expiries := stock.CartKey(s.ID, cart), stock.HoldsKey(s.ID)
	from.HSet(background, hold, testID(4).String(), 10)
	from.HSet(background, stock.HeldKey(s.ID), testID(4).String(), 10)
	from.ZAdd(background, expiries, redis.Z{Score: 1, Member: cart.String()})
	move := slotMove{t: t, halves: halves, entry: keySlot(t, halves[0], stores.HeadKey(s.ID))}
	move.begin()
	move.keys(accounts.TokenKey(s.ID, *ask.Token), accounts.EmailKey(s.ID, "ada@example.com"))
	if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
		t.Errorf("with the token, without its contact: admitted %+v, %v; want ErrUnavailable", a.Visitor, err)
	}
	if found, err := db.FindAccount(s.ID, "ada@example.com", soonest()); err == nil {
		t.Errorf("with the address, without its contact: found %+v, want an error", found)
	}
	move.keys(expiries, stock.HeldKey(s.ID))
	move.keys(records.ContactPrefix(s.ID) + ada.String())
	keyed := withKeys(replacing(none.Stamp, cartAt(1, "")), once(1))
	keyed.Key.Store = s.ID
	if o := send(t, db, keyed); o.Kind != engine.Refused || !known() {
		t.Errorf("without the entry of an idempotency key: %+v, want it refused", o)
	}
	releaseHolds := func() error { _, err := db.ExpireHolds(s.ID, soonest()); return err }
	if releaseHolds() == nil {
		t.Error("with the expiries, without the hold: it was released")
	}
	move.end()
	eventually(t, "the token is known again", patience, known)
	eventually(t, "the hold is released", patience, func() bool {
		return releaseHolds() == nil && to.Exists(background, hold, expiries).Val() == 0
	})
	if n := to.HGet(background, stock.HeldKey(s.ID), testID(4).String()).Val(); n != "0" {
		t.Errorf("held by all carts: %q, want 0", n)
	}
}

// A pipeline follows a redirection at once, because it has commands of other masters too. Once
// the slot has moved no command is redirected.
func TestLongRedirectionDelaysNoOtherMaster(t *testing.T) {
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], func(c *Config) { c.URL = url })
	s, other := shopOf(t, halves[0], 0), shopOf(t, halves[0], 1)
	s.save(t, db)
	move := slotMove{t: t, halves: halves, entry: keySlot(t, halves[0], stores.HeadKey(s.ID))}
	move.begin()
	fastest := patience
	for range 20 {
		pipe := db.client.Redis.Pipeline()
		pipe.Get(background, stock.CartKey(s.ID, uuid.Nil))
		pipe.Get(background, stores.HeadKey(other.ID))
		began := time.Now()
		if err := db.client.Exec(pipe); err != nil {
			t.Fatal(err)
		}
		fastest = min(fastest, time.Since(began))
	}
	const minBackOff = 10 * time.Millisecond // the back-off of go-redis
	if fastest >= minBackOff {
		t.Errorf("the fastest pipeline with a redirection took %v, want less than %v", fastest, minBackOff)
	}
	move.end()
	eventually(t, "a request without a redirection", patience, func() bool {
		before := redirected(t, halves[0])
		_, err := tryAdmit(db, asks(s.ID.String()))
		return err == nil && redirected(t, halves[0]) == before
	})
}
