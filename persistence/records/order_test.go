package records

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

func (d dice) country() commerce.Country {
	return commerce.Country{byte('A' + d.IntN(26)), byte('A' + d.IntN(26))}
}

func (d dice) amount() commerce.Amount { return commerce.Amount(d.Uint64()) }

func (d dice) order(lines int) *commerce.Order {
	o := &commerce.Order{
		ID: d.id(), Number: 1 + d.Int64N(1<<53), CartID: d.id(), Customer: commerce.Binding{ID: d.id(), Guest: d.IntN(2) == 0},
		Email: d.text(), CustomerNote: d.text(), Reference: d.text(), PlacedAt: d.time(),
		Totals: commerce.OrderTotals{Subtotal: d.amount(), ShippingTotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount()},
	}
	for range d.IntN(3) {
		o.Totals.Breakdown = append(o.Totals.Breakdown, commerce.TaxRow{Rate: commerce.Percent(d.Int64()), Base: d.amount(), Tax: d.amount()})
		o.Discounts = append(o.Discounts, commerce.OrderDiscount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4)), Amount: d.amount()})
	}
	for range lines {
		l := commerce.OrderLine{Line: d.line(), Total: d.amount(), TaxRate: commerce.Percent(d.Int64()), Returnable: d.IntN(2) == 0, VariantName: d.text()}
		l.Freight = commerce.Freight{RequiresShipping: d.IntN(2) == 0, UnitWeight: commerce.Milligrams(d.Int64N(1 << 40))}
		if d.IntN(2) == 0 {
			days := d.IntN(1000) - 1
			l.LeadTimeDays = &days
		}
		o.Lines = append(o.Lines, l)
	}
	if d.IntN(2) == 0 {
		o.QuoteID = d.id()
		o.Shipping = &commerce.OrderShipping{ID: d.id(), Name: d.text(), Price: d.amount(), PriceWithTax: d.amount()}
		o.Metadata = commerce.Metadata{{Key: d.text(), Value: commerce.Scalar{IsString: true, Text: d.text()}}, {Key: "n", Value: commerce.Scalar{Text: "1.50"}}}
	}
	address := func() *commerce.Address {
		return &commerce.Address{Label: d.text(), Name: d.text(), Street: d.text(), PostalCode: d.text(), City: d.text(), Country: d.text(), Phone: d.text()}
	}
	if d.IntN(2) == 0 {
		o.ShippingAddress = address()
	}
	o.Status, o.Restocked = commerce.OrderStatus(d.IntN(3)), d.IntN(2) == 0
	o.Tax.Included = d.IntN(8) > 0
	if d.IntN(3) == 0 {
		o.Tax.Country, o.Tax.Exemption = d.country(), commerce.Exemption(d.IntN(3))
		if o.Tax.Exemption == commerce.ReverseCharge {
			o.VATID = d.text()
		}
		if o.Shipping != nil {
			o.Shipping.TaxRate = commerce.Percent(d.Int64())
		}
	}
	if d.IntN(2) == 0 {
		o.Payment = commerce.Payment{DueAt: d.time(), PaidAt: d.time(), Reference: d.text()}
		o.CancelledAt, o.CancelReason = d.time(), d.text()
	}
	if d.IntN(2) == 0 {
		o.Parts, o.DeliveredAt = d.parts(lines), d.time()
	}
	for range d.IntN(3) {
		n := commerce.Micros(d.Int64N(int64(commerce.MaxStock)))
		o.Takes = append(o.Takes, commerce.StockAsk{Item: d.id(), Quantity: n, Granted: n})
		if d.IntN(3) == 0 {
			o.Ahead = append(o.Ahead, commerce.AheadTake{Take: len(o.Takes) - 1, Left: n - commerce.MaxStock/2, From: commerce.Date(d.IntN(3) * d.IntN(1e6))})
		}
	}
	if d.IntN(2) == 0 {
		o.BillingAddress = address()
	}
	if d.IntN(4) == 0 {
		o.Uses = []commerce.Use{{Discount: d.id(), Counter: commerce.CountCustomer, Field: d.id().String()}, {Discount: d.id(), Field: d.text()}}
	}
	return o
}

// parts are parts of an order of so many lines.
func (d dice) parts(lines int) (all []commerce.Part) {
	for range 1 + d.IntN(3) {
		p := commerce.Part{ID: d.id(), Kind: commerce.PartKind(d.IntN(len(commerce.PartKindNames()))), At: d.time(), Reference: d.text(), Reason: d.text(),
			ShipmentDetails: commerce.ShipmentDetails{Carrier: d.text(), TrackingNumber: d.text(), TrackingURL: d.text()},
			Restocked:       d.IntN(2) == 0, Shipping: d.IntN(2) == 0}
		for i := range min(lines, d.IntN(3)) {
			p.Lines = append(p.Lines, commerce.PartLine{Line: i, Quantity: commerce.Quantity(d.Int64N(1e9))})
		}
		if p.Kind == commerce.PartRefund {
			p.Amount = d.amount()
			for range d.IntN(3) {
				p.Taxes = append(p.Taxes, commerce.TaxRow{Rate: commerce.Percent(d.Int64()), Base: d.amount(), Tax: d.amount()})
			}
		}
		all = append(all, p)
	}
	return all
}

func orderRecord(o *commerce.Order, stamp engine.Stamp) string {
	return string(appendOrder(nil, &engine.Record[*commerce.Order]{Stamp: stamp, State: o}))
}

func TestDecodedOrderEqualsTheEncodedOne(t *testing.T) {
	d := seeded(t)
	for i := range 2_000 {
		want := engine.Record[*commerce.Order]{Stamp: d.stamp(), State: d.order(i % 7)}
		if i%3 == 0 {
			want.Writers = []engine.Writer{{ID: d.Uint64(), Sequence: d.Uint64(), At: d.time()}}
		}
		text := string(appendOrder(nil, &want))
		if grows(want.State) && i%2 == 0 { // the script has appended what it made
			text += "12\n3" + "00000004"
		}
		want.Size = len(text)
		got, err := decodeOrder(engine.RecordKey{ID: want.State.ID}, text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("order %d, %v\n got %+v\nwant %+v", i, err, got, want)
		}
	}
}

func TestCutOrderIsCorrupt(t *testing.T) {
	o := seeded(t).order(3)
	o.Number, o.Status, o.Parts = 7, commerce.OrderPlaced, nil
	item := commerce.StockAsk{Item: uuid.UUID{1}, Quantity: 5, Granted: 5}
	for _, ahead := range [][]commerce.AheadTake{nil, {{Take: 1, Left: -7}, {Take: 0, Left: 8, From: 740_000}}} {
		o.Takes, o.Ahead = []commerce.StockAsk{item, item}, ahead
		whole := orderRecord(o, engine.Stamp{Counter: 1})
		for n := range whole {
			if got, err := decodeOrder(engine.RecordKey{ID: o.ID}, whole[:n]); err != redisdb.ErrCorrupt {
				t.Fatalf("the first %d of %d bytes decode to %+v, %v", n, len(whole), got, err)
			}
		}
		if got, err := decodeOrder(engine.RecordKey{ID: o.ID}, whole+"8\n"); err != redisdb.ErrCorrupt {
			t.Errorf("a record with more behind its end decodes to %+v, %v", got, err)
		}
	}
}

func FuzzDecodeOrder(f *testing.F) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	f.Add([]byte(nil))
	for lines := range 4 {
		f.Add([]byte(orderRecord(d.order(lines), d.stamp())))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := decodeOrder(engine.RecordKey{ID: uuid.UUID{1}}, string(b))
		if err != nil {
			return
		}
		once := orderRecord(first.State, first.Stamp)
		second, err := decodeOrder(engine.RecordKey{ID: uuid.UUID{1}}, once)
		if err != nil || orderRecord(second.State, second.Stamp) != once {
			t.Fatalf("%q decodes to %+v and then to %+v, %v", b, first, second, err)
		}
	})
}
