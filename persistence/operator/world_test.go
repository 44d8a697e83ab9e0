package operator

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

const patience = shoptest.Patience

var (
	background = context.Background()
	noon       = time.Now().UTC().Truncate(24 * time.Hour).Add(-12 * time.Hour) // of yesterday: nothing has expired since
	shopID     = shoptest.ShopID
	otherShop  = shoptest.OtherShop
	ada        = shoptest.Ada
	testID     = shoptest.ID
	nails      = testID(0xa1)
	errBroken  = errors.New("broken for a test")
)

// on opens the operator of a Redis, beside which the test writes as a node would.
func on(t testing.TB, s *redistest.Server, edits ...func(*persistence.Config)) Operator {
	t.Helper()
	config := persistence.Config{
		URL: s.URL(), Timeout: 5 * time.Second, Logger: slog.New(slog.DiscardHandler),
	}
	for _, edit := range edits {
		edit(&config)
	}
	db, err := persistence.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return New(db)
}

// save imports a shop with customers and replaces an earlier one.
func (o Operator) save(t testing.TB, store uuid.UUID, customers ...shoptest.Object) {
	t.Helper()
	doc := shoptest.Shop{ID: store, Name: "Shop", Customers: customers}.Document(t)
	if _, err := o.SaveStore(background, stores.DocumentOf(doc), true); err != nil {
		t.Fatal(err)
	}
}

func adasContact() map[string]any {
	return map[string]any{"id": ada, "email": "ada@example.com", "first_name": "Ada"}
}

// visit sends a cart's visit as its actor would, without a stamp that it has seen if before is zero.
func (o Operator) visit(t testing.TB, before, next engine.CartRecord, effects ...engine.Effects) engine.Outcome[*commerce.Cart] {
	t.Helper()
	store := shopID
	now, head, err := o.Redis().Now(background, stores.HeadKey(store))
	if err != nil {
		t.Fatal(err)
	}
	outcome := make(chan engine.Outcome[*commerce.Cart], 1)
	persistence.Carts.In(o.DB).Send(&engine.Visit[*commerce.Cart]{
		Key: engine.RecordKey{Store: store, ID: next.State.ID}, Seen: before.Stamp, Before: before.State, Writes: true, Next: next, Effects: effects,
		Version: &engine.StoreVersion{Store: store, Head: head, HeadKey: stores.HeadKey(store), Log: ratelimit.StoreKey(store.String()), Clock: &engine.Clock{}},
		Judged:  now, Tolerance: patience, Deadline: time.Now().Add(patience), MaySend: func() bool { return true },
		Done: func(got engine.Outcome[*commerce.Cart]) { outcome <- got },
	})
	o.Flush(time.Time{})
	select {
	case got := <-outcome:
		if got.Kind != engine.Done {
			t.Fatalf("the visit of cart %s: %+v", next.State.ID, got)
		}
		return got
	case <-time.After(patience):
		t.Fatalf("no outcome within %v", patience)
	}
	panic("unreachable")
}

// sell places an order, and returns its number.
func (o Operator) sell(t testing.TB, n int) int64 {
	t.Helper()
	c := commerce.NewCart(testID(n), time.Now().Truncate(time.Millisecond).UTC())
	c.Status, c.OrderID = commerce.CartConverted, testID(0xe000+n)
	order := &commerce.Order{ID: c.OrderID, CartID: c.ID, Email: "a@b.co", PlacedAt: noon}
	sale := &commerce.Sale{Store: &commerce.Store{ID: shopID}, CartID: c.ID, Order: order}
	next := engine.CartRecord{Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: uint64(n)}, State: c}
	return o.visit(t, engine.CartRecord{}, next, engine.Effects{Effects: commerce.Effects{Sale: sale, Made: order.ID}}).Number
}

// offer requests a quote, and returns its number.
func (o Operator) offer(t testing.TB, n int) int64 {
	t.Helper()
	c := commerce.NewCart(testID(0x9000+n), time.Now().Truncate(time.Millisecond).UTC())
	quote := &commerce.Quote{ID: testID(0xf000 + n), Version: 1, CartID: c.ID, CreatedAt: noon, ValidUntil: noon.Add(time.Hour)}
	sale := &commerce.Sale{Store: &commerce.Store{ID: shopID}, CartID: c.ID, Quote: quote}
	next := engine.CartRecord{Stamp: engine.Stamp{Counter: 1, Writer: 9, Sequence: uint64(0x9000 + n)}, State: c}
	return o.visit(t, engine.CartRecord{}, next, engine.Effects{Effects: commerce.Effects{Sale: sale, Made: quote.ID}}).Number
}

// units is a whole quantity of stock.
func units(n int64) commerce.Micros { return commerce.Micros(n) * 1_000_000 }

func record[S any](stamp uint64, state S) *engine.Record[S] {
	return &engine.Record[S]{Stamp: engine.Stamp{Counter: cmp.Or(stamp, 1)}, State: state}
}

// orderNumbers reads a page of orders as the API lists them.
func (o Operator) orderNumbers(t testing.TB, after int64, size int) (all []int64, page engine.NumberPage) {
	t.Helper()
	page, err := o.OrdersByNumber(shopID, &engine.NumberQuery{After: after, Size: size, Room: func(int) error { return nil }}, time.Now().Add(patience))
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range page.Orders {
		all = append(all, order.Number)
	}
	return all, page
}
