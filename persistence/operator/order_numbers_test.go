package operator

import (
	"context"
	"errors"
	"slices"
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
		first, count, err := o.LeaveOut(background, shopID, 12_006)
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
			if _, _, err := o.LeaveOut(background, shopID, c.next); err == nil || err.Error() != c.want {
				t.Errorf("next %d: %v, want %s", c.next, err, c.want)
			}
		}
		if first, count, err := o.LeaveOut(background, shopID, 12_007); first != 0 || count != 0 || err != nil {
			t.Errorf("the next number itself: %d, %d, %v", first, count, err)
		}
		if _, _, err := o.LeaveOut(background, otherShop, 5); err == nil {
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
			if _, _, err := o.LeaveOut(background, shopID, 60_000); err != nil {
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

// ReadHead of a store that is none is an error that LeaveOut passes on.
func TestLeaveOutIsCancelled(t *testing.T) {
	o := on(t, redistest.Mini(t))
	o.save(t, shopID)
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, _, err := o.LeaveOut(ctx, shopID, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("left out after the cancel: %v", err)
	}
}
