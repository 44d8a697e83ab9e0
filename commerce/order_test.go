package commerce

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cartd/internal/dice"
)

// Orders match a model in decimals: both tax bases, several rates, all kinds of discounts up
// to 100 %, prices of 0, with and without a delivery.
func TestOrdersMatchTheModel(t *testing.T) { compareOrders(t, 4_000) }

func compareOrders(t *testing.T, n int) {
	t.Helper()
	r := dice.New(t)
	met := map[string]int{}
	for range n {
		s, c := someDiscounts(r)
		for i := range c.Lines {
			if r.IntN(5) == 0 {
				c.Lines[i].UnitPrice = 0
			}
		}
		for i := range s.Discounts {
			if r.IntN(5) == 0 {
				s.Discounts[i].Value = DiscountValue{Percent: Hundred}
			}
		}
		s.Index()
		method := someMethod(r)
		var e Evaluation
		e.Evaluate(c, s, guest, noon)
		goods := e.goods(s)
		var o Order
		var by *delivery
		if method != nil {
			by = &delivery{method, method.Price, method.Tax.Rate}
		}
		if !o.fill(&goods, by, e.Tax) {
			t.Fatalf("%+v overflows", o.Totals)
		}
		got, want := orderFigures(&o), modelOrder(&e, c, s, method)
		if got != want {
			t.Fatalf("lines %+v\ndiscounts %+v\nmethod %+v, included %v\n got %s\nwant %s", c.Lines, s.Discounts, method, s.PricesIncludeTax, got, want)
		}
		if sum := o.Totals.Subtotal + o.Totals.ShippingTotal + o.Totals.TaxTotal; sum != o.Totals.Total || o.Totals.ShippingTotal < 0 {
			t.Fatalf("%+v does not add up", o.Totals)
		}
		if o.Totals.Subtotal != e.Subtotal || o.Totals.DiscountTotal != e.DiscountTotal {
			t.Fatalf("%+v is not the cart's subtotal %d and discount %d", o.Totals, e.Subtotal, e.DiscountTotal)
		}
		met[fmt.Sprint("included ", s.PricesIncludeTax)]++
		met[fmt.Sprint("delivered ", method != nil)]++
		met[fmt.Sprint("several rates ", len(o.Totals.Breakdown) > 1)]++
		met[fmt.Sprint("less for delivery ", len(o.Discounts) > len(goods.Discounts))]++
		met[fmt.Sprint("for nothing ", o.Totals.Total == 0 && len(o.Lines) > 0)]++
	}
	for name, times := range met {
		if times < n/200 {
			t.Errorf("only %d orders with %s", times, name)
		}
	}
}

func someMethod(r *rand.Rand) *ShippingMethod {
	switch r.IntN(4) {
	case 0:
		return nil
	case 1:
		return &ShippingMethod{ID: testID(0x51), Name: "Free", Tax: taxed(someRate(r))}
	}
	return &ShippingMethod{ID: testID(0x52), Name: "Parcel", Price: Amount(upTo(r, 1e5)), Tax: taxed(someRate(r))}
}

// orderFigures are the amounts of an order as text.
func orderFigures(o *Order) string {
	text := fmt.Sprint(o.Totals.Subtotal, " + ", o.Totals.ShippingTotal, " + ", o.Totals.TaxTotal, " = ", o.Totals.Total, " off ", o.Totals.DiscountTotal)
	for _, d := range o.Discounts {
		text += fmt.Sprint("; ", d.Name, " ", d.Amount)
	}
	if o.Shipping != nil {
		text += fmt.Sprint("; delivery ", o.Shipping.Price)
	}
	for _, row := range o.Totals.Breakdown {
		text += fmt.Sprint("; ", row.Rate, " of ", row.Base, " is ", row.Tax)
	}
	return text
}

// modelOrder is an order by the rules of docs/api/checkout.md#orders, from the cart's line totals and
// discounts.
func modelOrder(e *Evaluation, c *Cart, s *Store, method *ShippingMethod) string {
	sums, goods := map[Percent]Amount{}, map[Percent]Amount{}
	for i := range c.Lines {
		sums[c.Lines[i].applied(s, &e.Tax)] += e.LineTotals[i]
		goods[c.Lines[i].applied(s, &e.Tax)] += e.LineTotals[i]
	}
	var off, left Amount
	listed, delivery := "", ""
	if method != nil {
		left = method.Price
	}
	for _, d := range e.Discounts {
		amount := d.Amount
		if value := d.Discount.Value; d.Discount.Kind != DiscountShipping {
			off += amount
		} else {
			if amount = value.Amount; !value.Fixed {
				amount = halfUp(left.decimal().Mul(value.Percent.decimal()).Shift(-2))
			}
			amount = min(amount, left)
			left -= amount
		}
		if amount > 0 {
			listed += fmt.Sprint("; ", d.Discount.Name, " ", amount)
		}
	}
	if method != nil {
		sums[method.Tax.Rate] += left
		delivery = fmt.Sprint("; delivery ", left)
	}
	_, goodsBase, _ := modelTaxes(goods, s.PricesIncludeTax)
	rows, base, tax := modelTaxes(sums, s.PricesIncludeTax)
	return fmt.Sprint(goodsBase, " + ", base-goodsBase, " + ", tax, " = ", base+tax, " off ", off) + listed + delivery + rows
}

// modelTaxes rounds once a rate, highest rate first.
func modelTaxes(sums map[Percent]Amount, included bool) (rows string, base, tax Amount) {
	rates := slices.Sorted(maps.Keys(sums))
	for _, rate := range slices.Backward(rates) {
		rowBase, rowTax := modelTax(sums[rate], rate, included)
		base, tax = base+rowBase, tax+rowTax
		rows += fmt.Sprint("; ", rate, " of ", rowBase, " is ", rowTax)
	}
	return rows, base, tax
}

// An order keeps what its lines were on that day: the variant's name, the unit, and what their
// delivery depends on.
func TestOrderLinesFreezeTheProduct(t *testing.T) {
	s := newScene(t)
	s.shop.Product(tile).Unit, s.shop.Product(tile).RequiresShipping, s.shop.Product(tile).Weight = UnitHour, true, grams(2500)
	s.shop.Product(drill).Weight, s.shop.Product(drill).Variant(white).Name = grams(1800), "White"
	s.shop.Product(drill).Variant(grey).Weight = grams(0)
	s.cart.Lines = []Line{
		{ProductID: tile, Quantity: One, Unit: UnitMetre}, {ProductID: drill, VariantID: white, Quantity: One},
		{ProductID: drill, VariantID: grey, Quantity: One}, {ProductID: drill, VariantID: nowhere, Quantity: One},
		{ProductID: nowhere, Quantity: One, Unit: UnitLitre},
	}
	var e Evaluation
	e.Evaluate(s.cart, s.shop, guest, noon)
	for i, want := range []struct {
		variant string
		unit    Unit
		freight Freight
	}{
		{"", UnitHour, Freight{RequiresShipping: true, UnitWeight: 2500}},
		{"White", UnitPiece, Freight{UnitWeight: 1800}},
		{"", UnitPiece, Freight{}},
		{"", UnitPiece, Freight{UnitWeight: 1800}},
		{"", UnitLitre, Freight{RequiresShipping: true}}, // gone
	} {
		if l := e.goods(s.shop).Lines[i]; l.VariantName != want.variant || l.Unit != want.unit || l.Freight != want.freight {
			t.Errorf("line %d: %q, %s, %+v; want %+v", i, l.VariantName, l.Unit, l.Freight, want)
		}
	}
}

// An order knows the basis of its prices, also one whose tax is 0: a free one, and one of a few cents.
func TestOrderKnowsTheBasisOfItsPrices(t *testing.T) {
	for _, total := range []Amount{0, 1, 1000} {
		for _, included := range []bool{true, false} {
			o := &Order{}
			o.fill(&Goods{Lines: []OrderLine{{Total: total, TaxRate: 21e9}}}, nil, Taxation{Included: included})
			if o.Tax.Included != included {
				t.Errorf("prices include tax: %v, want %v, of a total of %d", o.Tax.Included, included, total)
			}
		}
	}
}

// An archived order keeps its ids, status, payment and totals, and loses every text, list and address; under
// which customers its uses count stays for their erasure.
func TestArchivedOrder(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000).UTC()
	whole := &Order{
		Number: 7, Email: "ada@example.com", CustomerNote: "Ring twice.", Reference: "PO 1", PlacedAt: now.Add(-time.Hour),
		Metadata: Metadata{{Key: "channel"}}, Lines: []OrderLine{{Total: 100}}, Discounts: []OrderDiscount{{Name: "Welcome"}},
		Shipping: &OrderShipping{Name: "Parcel"}, ShippingAddress: &Address{City: "Amsterdam"}, BillingAddress: &Address{City: "Utrecht"},
		Totals: OrderTotals{Subtotal: 83, TaxTotal: 17, Total: 100, DiscountTotal: 5, Breakdown: []TaxRow{{Base: 83, Tax: 17}}},
		Takes:  []StockAsk{{Quantity: 1}}, Uses: []Use{{Counter: CountCode, Field: "CODE"}, {Counter: CountCustomer, Field: "x"}}, Status: OrderCompleted,
		Payment: Payment{PaidAt: now.Add(-time.Minute), Reference: "pi_1"}, DeliveredAt: now, Parts: []Part{
			{ID: tile, Kind: PartShipment, At: now, Lines: []PartLine{{0, One}}, ShipmentDetails: ShipmentDetails{Carrier: "Post"}, Reference: "S1"},
			{ID: parcel, Kind: PartReturn, At: now, Lines: []PartLine{{0, One}}, Restocked: true, Reason: "Scratched", Reference: "RMA 1"},
			{ID: orderID, Kind: PartRefund, At: now, Lines: []PartLine{{0, One}}, Shipping: true, Amount: 30, Taxes: []TaxRow{{Base: 25, Tax: 5}},
				Reason: "Scratched", Reference: "re_1"},
		},
	}
	want := &Order{
		Number: 7, PlacedAt: whole.PlacedAt, Status: OrderCompleted, Payment: whole.Payment, ArchivedAt: now,
		Totals: OrderTotals{Subtotal: 83, TaxTotal: 17, Total: 100, DiscountTotal: 5}, Uses: []Use{{Counter: CountCustomer, Field: "x"}},
		Parts: []Part{{ID: tile, Kind: PartShipment, At: now}, {ID: parcel, Kind: PartReturn, At: now},
			{ID: orderID, Kind: PartRefund, At: now, Shipping: true, Amount: 30, Reference: "re_1"}},
	}
	if got := whole.Archived(now); !reflect.DeepEqual(got, want) {
		t.Errorf("Archived:\n got %+v\nwant %+v", got, want)
	}
	for reason, want := range map[string]string{UnpaidReason: UnpaidReason, ShopperReason: ShopperReason, "bad address of Ada": ""} {
		ended := &Order{Status: OrderCancelled, CancelReason: reason}
		if got := ended.Archived(now).CancelReason; got != want {
			t.Errorf("of the reason %q stays %q, want %q", reason, got, want)
		}
	}
}

func TestArchivable(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000)
	for _, c := range []struct {
		name  string
		order Order
		want  bool
	}{
		{"completed before", Order{Status: OrderCompleted, PlacedAt: now.Add(-time.Millisecond)}, true},
		{"cancelled before", Order{Status: OrderCancelled, PlacedAt: now.Add(-time.Hour)}, true},
		{"placed", Order{Status: OrderPlaced, PlacedAt: now.Add(-time.Hour)}, false},
		{"completed at the time", Order{Status: OrderCompleted, PlacedAt: now}, false},
		{"archived already", Order{Status: OrderCompleted, PlacedAt: now.Add(-time.Hour), ArchivedAt: now}, false},
	} {
		if got := c.order.Archivable(now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The merchant's commands go by the stub's status and payment; a shipment is refused.
func TestCommandsOnAnArchivedOrder(t *testing.T) {
	now := time.UnixMilli(1_795_000_000_000)
	completed := (&Order{Status: OrderCompleted, Totals: OrderTotals{Total: 100}, Payment: Payment{PaidAt: now, Reference: "pi_1"}}).Archived(now)
	cancelled := (&Order{Status: OrderCancelled, Totals: OrderTotals{Total: 100}}).Archived(now)
	for _, c := range []struct {
		name  string
		order *Order
		cmd   Command[*Order]
		want  *Refusal
	}{
		{"a payment that comes again", completed, PayOrder{Reference: "pi_1", Amount: 100}, nil},
		{"another payment", completed, PayOrder{Reference: "pi_2", Amount: 100}, AlreadyPaid},
		{"a refund", completed, RefundOrder{}, nil},
		{"a cancel", completed, CancelOrder{}, OrderIsCompleted},
		{"a delivery", completed, DeliverOrder{}, nil},
		{"a shipment", completed, ShipOrder{}, OrderIsArchived},
		{"a cancel again", cancelled, CancelOrder{}, nil},
		{"a payment too late", cancelled, PayOrder{Reference: "pi_1", Amount: 100}, OrderIsCancelled},
	} {
		if _, _, got := ChangeOrder(c.order, c.cmd, &Input{Store: &Store{}, Now: now}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A token has the order's id and its HMAC. No other text of its length is a token of the store.
func TestOrderTokens(t *testing.T) {
	shop, other := testShop(), testShop()
	other.Secret[0]++
	token := shop.OrderToken(orderID)
	if id, ok := shop.OrderOfToken(token); !ok || id != orderID || len(token) != 64 || token != shop.OrderToken(orderID) {
		t.Fatalf("%q is the token of %v, %v", token, id, ok)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(token)
	if [16]byte(raw) != orderID {
		t.Errorf("%x does not begin with the order's id", raw)
	}
	for i := range raw {
		changed := append([]byte(nil), raw...)
		changed[i] ^= 1
		if id, ok := shop.OrderOfToken(base64.RawURLEncoding.EncodeToString(changed)); ok {
			t.Errorf("with byte %d changed it is the token of %v", i, id)
		}
	}
	for _, text := range []string{
		"", token[1:], token + "A", token[:63], token[:63] + "=", token[:62] + "\r\n", token[:63] +
			"+", other.OrderToken(orderID), shop.QuoteToken(orderID), orderID.String(),
	} {
		if id, ok := shop.OrderOfToken(text); ok {
			t.Errorf("%q is taken for the token of %v", text, id)
		}
	}
}
