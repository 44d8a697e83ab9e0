package operator

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/records"
)

// Numbers that are left out have no order: pages and cartd orders skip them, and the next sale gets the
// number that was asked for.
func TestNumbersThatAreLeftOut(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o := on(t, s)
		o.save(t, shopID)
		for n := range 4 {
			o.sell(t, n+1)
		}
		first, count, err := o.LeaveOut(background, shopID, &OrderNumbers, 12_006)
		if err != nil || first != 5 || count != 12_001 {
			t.Fatalf("left out %d from %d on, %v", count, first, err)
		}
		if number := o.sell(t, 5); number != 12_006 {
			t.Fatalf("the next order has the number %d", number)
		}
		if all, page := o.orderNumbers(t, 0, 10); !slices.Equal(all, []int64{1, 2, 3, 4}) || page.NextAfter != 10 || page.Total != 5 || page.Newest != 12_006 {
			t.Errorf("the first page is %v, %+v", all, page)
		}
		if all, page := o.orderNumbers(t, 10, 10); len(all) > 0 || page.NextAfter != 10_020 {
			t.Errorf("the second page is %v, %+v", all, page)
		}
		if all, page := o.orderNumbers(t, 10_020, 10); !slices.Equal(all, []int64{12_006}) || page.NextAfter != 0 {
			t.Errorf("the third page is %v, %+v", all, page)
		}
		var each []int64
		err = o.EachOrder(shopID, 2, func(order *commerce.Order) error { each = append(each, order.Number); return nil })
		if err != nil || !slices.Equal(each, []int64{3, 4, 12_006}) {
			t.Errorf("the orders after 2 are %v, %v", each, err)
		}
		for _, c := range []struct {
			next int64
			want string
		}{
			{12_006, "the newest order has the number 12006 already: give a greater one"},
			{1_012_008, "the newest order has the number 12006: at most 1000000 numbers can be left out"},
		} {
			if _, _, err := o.LeaveOut(background, shopID, &OrderNumbers, c.next); err == nil || err.Error() != c.want {
				t.Errorf("next %d: %v, want %s", c.next, err, c.want)
			}
		}
		if first, count, err := o.LeaveOut(background, shopID, &OrderNumbers, 12_007); first != 0 || count != 0 || err != nil {
			t.Errorf("the next number itself: %d, %d, %v", first, count, err)
		}
		if _, _, err := o.LeaveOut(background, otherShop, &OrderNumbers, 5); err == nil {
			t.Error("a store that does not exist has numbers")
		}
	})
}

// Sales go on while numbers are left out: no number is given twice, and the list has an entry for each.
func TestSalesWhileNumbersAreLeftOut(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o := on(t, s)
		o.save(t, shopID)
		var both sync.WaitGroup
		both.Go(func() {
			if _, _, err := o.LeaveOut(background, shopID, &OrderNumbers, 60_000); err != nil {
				t.Error(err)
			}
		})
		for n := range 20 {
			o.sell(t, n+1)
		}
		both.Wait()
		list := s.Client().LRange(background, records.OrdersKey(shopID), 0, -1).Val()
		for i, id := range list {
			if id == "" {
				continue
			}
			parsed, _ := commerce.ParseID(id)
			if order, err := o.Order(engine.RecordKey{Store: shopID, ID: parsed}, time.Now().Add(patience)); err != nil || order == nil ||
				order.State.Number != int64(i+1) {
				t.Errorf("entry %d is %s: %+v, %v", i+1, id, order, err)
			}
		}
		if n, _ := s.Client().Get(background, records.OrderNumberKey(shopID)).Int(); n != len(list) || n < 59_999 {
			t.Errorf("the counter is %d, the list has %d", n, len(list))
		}
	})
}

// Numbers of quotes are left out as those of orders, and neither counter moves the other.
func TestNumbersOfQuotesAreLeftOut(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		o := on(t, s)
		o.save(t, shopID)
		o.sell(t, 1)
		for n := range 2 {
			o.offer(t, n+1)
		}
		nextNumbers := func(order, quote int64) {
			t.Helper()
			for kind, want := range map[*NumberedKind]int64{&OrderNumbers: order, &QuoteNumbers: quote} {
				if next, err := o.NextNumber(background, shopID, kind); next != want || err != nil {
					t.Errorf("the next %s gets the number %d, %v; want %d", kind.Name, next, err, want)
				}
			}
		}
		nextNumbers(2, 3)
		if first, count, err := o.LeaveOut(background, shopID, &QuoteNumbers, 12_006); first != 3 || count != 12_003 || err != nil {
			t.Fatalf("left out %d from %d on, %v", count, first, err)
		}
		nextNumbers(2, 12_006)
		if number := o.offer(t, 3); number != 12_006 {
			t.Errorf("the next quote has the number %d", number)
		}
		if number := o.sell(t, 2); number != 2 {
			t.Errorf("the next order has the number %d", number)
		}
		if _, page := o.orderNumbers(t, 0, 10); page.Total != 2 || page.Newest != 2 {
			t.Errorf("the orders are %+v", page)
		}
		for next, want := range map[int64]string{
			12_006:    "the newest quote has the number 12006 already: give a greater one",
			1_012_008: "the newest quote has the number 12006: at most 1000000 numbers can be left out",
		} {
			if _, _, err := o.LeaveOut(background, shopID, &QuoteNumbers, next); err == nil || err.Error() != want {
				t.Errorf("next %d: %v, want %s", next, err, want)
			}
		}
		if _, err := o.NextNumber(background, otherShop, &QuoteNumbers); err == nil {
			t.Errorf("a store that does not exist has numbers")
		}
	})
}

// A counter that a restore can give twice is one that the commands know: the document of all keys has
// no other.
func TestEveryCounterCanBeRaised(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, known []string
	for _, row := range regexp.MustCompile("(?m)^\\| `\\{store\\}:([a-z-]+-number)`").FindAllSubmatch(text, -1) {
		documented = append(documented, string(row[1]))
	}
	for _, kind := range NumberedKinds {
		_, name, _ := strings.Cut(kind.counter(shopID), "}:")
		known = append(known, name)
	}
	slices.Sort(documented)
	slices.Sort(known)
	if !slices.Equal(documented, known) {
		t.Errorf("the document has the counters %q, the commands raise %q", documented, known)
	}
}

// ReadHead of a store that is none is an error that LeaveOut passes on.
func TestLeaveOutIsCancelled(t *testing.T) {
	o := on(t, redistest.Mini(t))
	o.save(t, shopID)
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, _, err := o.LeaveOut(ctx, shopID, &OrderNumbers, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("left out after the cancel: %v", err)
	}
}
