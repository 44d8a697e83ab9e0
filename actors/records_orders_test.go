package actors

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

type (
	orderStorage = fakeStorage[*commerce.Order]
	orderCommand = commerce.Command[*commerce.Order]
	orderFate    = fateOf[*commerce.Order]
)

// orderScene is two nodes and one store of orders.
type orderScene struct {
	*scene
	storage *orderStorage
	nodes   [2]*Records[*commerce.Order]
}

func newOrderScene(t *testing.T) *orderScene {
	carts := newScene(t)
	s := &orderScene{scene: carts, storage: newStorageOf(engine.OrderKind, carts.shop)}
	for i, beside := range []*testNode{s.node, s.other()} {
		s.nodes[i] = NewRecords(s.storage, beside.Carts)
		t.Cleanup(s.nodes[i].Close)
	}
	return s
}

// place puts an order of one cent into the store, that must be paid, after some changes.
func (s *orderScene) place(n int, changes ...orderCommand) engine.RecordKey {
	o := &commerce.Order{ID: testID(n), Number: int64(n), PlacedAt: noon, Totals: commerce.OrderTotals{Subtotal: 1, Total: 1,
		Breakdown: []commerce.TaxRow{{Base: 1}}}}
	o.Lines = []commerce.OrderLine{{Line: commerce.Line{ID: testID(7), Quantity: 3 * commerce.One}, Total: 1, Freight: commerce.Freight{RequiresShipping: true}}}
	o.Payment.DueAt = noon.AddDate(1, 0, 0)
	key := engine.RecordKey{Store: s.shop.ID, ID: o.ID}
	s.storage.set(func() { s.storage.replaceForeign(key, o) })
	for _, change := range changes {
		s.storage.write(key, change, anonymous)
	}
	s.storage.set(func() { s.storage.history = nil })
	return key
}

// change sends a change to one of the nodes.
func (s *orderScene) change(node int, key engine.RecordKey, cmd orderCommand) (engine.Reply, error) {
	r := s.node.request(uuid.Nil, nil, nil)
	r.OrderID, r.Command = key.ID, cmd
	return s.nodes[node].Change(r)
}

// events are the events of an order's commits.
func (s *orderScene) events(key engine.RecordKey) (all []string) {
	s.storage.mu.Lock()
	defer s.storage.mu.Unlock()
	for _, a := range s.storage.history {
		if a.key == key {
			all = append(all, a.events...)
		}
	}
	return all
}

var (
	pay     = commerce.PayOrder{Reference: "pi_1", Amount: 1}
	ship    = commerce.ShipOrder{ShipmentDetails: commerce.ShipmentDetails{Carrier: "PostNL"}}
	cancels = commerce.CancelOrder{Reason: "Called", Restock: true}
	parcel  = commerce.ShipLines{AskedPart: partOf("P1", 2)}
)

// partOf is a part with a reference, of so many pieces of the order's line.
func partOf(reference string, pieces int) commerce.AskedPart {
	line := commerce.SentLine{LineID: testID(7), Quantity: commerce.Quantity(pieces) * commerce.One}
	return commerce.AskedPart{PartID: testID(8), Lines: []commerce.SentLine{line}, Reference: reference}
}

var oneCent = commerce.Amount(1)

// Each change of an order is done once, with one event, in spite of lost replies and of another node
// that does the same.
func TestAChangeOfAnOrderIsDoneOnce(t *testing.T) {
	lost, early := orderFate{fault: replyLost}, orderFate{fault: requestLost}
	for _, c := range []struct {
		event  string
		before []orderCommand
		change orderCommand
	}{
		{commerce.EventOrderPaid, nil, pay},
		{commerce.EventOrderRefunded, []orderCommand{pay}, commerce.RefundOrder{AskedPart: commerce.AskedPart{Reference: "re_1"}}},
		{commerce.EventOrderShipped, []orderCommand{pay}, ship},
		{commerce.EventOrderDelivered, []orderCommand{pay, ship}, commerce.DeliverOrder{}},
		{commerce.EventOrderCancelled, nil, cancels},
		{commerce.EventOrderShipped, []orderCommand{pay}, parcel},
		{commerce.EventOrderReturned, []orderCommand{pay}, commerce.CancelOrder{AskedPart: partOf("C1", 1)}},
		{commerce.EventOrderReturned, []orderCommand{pay, parcel}, commerce.ReturnLines{AskedPart: partOf("RMA 7", 1), Restock: true}},
		{commerce.EventOrderRefunded, []orderCommand{pay}, commerce.RefundPart{AskedPart: commerce.AskedPart{Reference: "re_1"}, Amount: &oneCent}},
	} {
		for name, fates := range map[string][]orderFate{
			"answered":                           nil,
			"done, and not answered":             {lost},
			"done, and not answered twice":       {lost, lost},
			"lost on its way":                    {early},
			"late, after it was sent again":      {{fault: delayed, after: 3}},
			"done elsewhere meanwhile":           {{fault: conflict, foreign: c.change}},
			"not answered, then done elsewhere":  {lost, {fault: conflict, foreign: c.change}},
			"lost, then done elsewhere":          {early, {fault: conflict, foreign: c.change}},
			"judged late, and not answered then": {{fault: clockJump}, lost},
		} {
			t.Run(c.event+" "+name, func(t *testing.T) {
				s := newOrderScene(t)
				key := s.place(1, c.before...)
				s.storage.will(fates...)
				reply, err := s.change(0, key, c.change)
				s.storage.calm()
				if err != nil || reply.Order == nil || reply.Order.Number != 1 {
					t.Fatalf("answered %+v, %v", reply.Order, err)
				}
				if again, err := s.change(1, key, c.change); err != nil || again.Order.Status != reply.Order.Status ||
					again.Order.PaymentStatus() != reply.Order.PaymentStatus() || len(again.Order.Parts) != len(reply.Order.Parts) {
					t.Errorf("the other node answers %+v, %v; want %+v", again.Order, err, reply.Order)
				}
				if got := s.events(key); !slices.Equal(got, []string{c.event}) {
					t.Errorf("the events are %v", got)
				}
			})
		}
	}
}

// Of two changes that exclude each other, at once on two nodes, exactly one is done.
func TestOneOfTwoChangesOfAnOrderIsDone(t *testing.T) {
	second := commerce.PayOrder{Reference: "pi_2", Amount: 1}
	for _, c := range []struct {
		name          string
		before        []orderCommand
		first, second orderCommand
		refused       [2]*commerce.Refusal
	}{
		{"two payments", nil, pay, second, [2]*commerce.Refusal{commerce.AlreadyPaid, commerce.AlreadyPaid}},
		{"a cancel and a shipment", []orderCommand{pay}, cancels, ship, [2]*commerce.Refusal{commerce.OrderIsShipped, commerce.OrderIsCancelled}},
		{"a cancel and a payment", nil, cancels, pay, [2]*commerce.Refusal{nil, commerce.OrderIsCancelled}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newOrderScene(t)
			wins := [2]int{}
			for n := range 100 {
				key := s.place(1+n, c.before...)
				var errs [2]error
				var both sync.WaitGroup
				for i, cmd := range []orderCommand{c.first, c.second} {
					both.Go(func() { _, errs[i] = s.change((i+n)%2, key, cmd) })
				}
				both.Wait()
				done := 0
				for i, err := range errs {
					if err == nil {
						done++
						wins[i]++
					} else if c.refused[i] == nil || !errors.Is(err, c.refused[i]) {
						t.Errorf("order %d: %v", n, err)
					}
				}
				if want := len(s.events(key)); done != want || c.refused[0] != nil && done != 1 {
					t.Errorf("order %d: %v; the events are %v", n, errs, s.events(key))
				}
			}
			t.Log(wins)
		})
	}
}
