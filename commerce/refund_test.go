package commerce

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// paidLine is a line of an order: its total after discounts, at a rate.
type paidLine struct {
	quantity Quantity
	total    Amount
	rate     Percent
}

// paidOrder is a paid order of lines with the ids 1, 2, 3 …, and a delivery at 21 %; 0 for none.
func paidOrder(t *testing.T, parcelPrice Amount, tax Taxation, lines ...paidLine) *Order {
	t.Helper()
	o := &Order{ID: orderID, PlacedAt: noon, Payment: Payment{PaidAt: noon}}
	var g Goods
	for i, l := range lines {
		line := Line{ID: testID(i + 1), ProductID: testID(0x81 + i), Quantity: l.quantity, Tax: l.rate, Unit: UnitMetre}
		g.Lines = append(g.Lines, OrderLine{Line: line, Total: l.total, TaxRate: tax.Charged(l.rate), Freight: Freight{RequiresShipping: true}})
	}
	var by *delivery
	if parcelPrice > 0 {
		by = &delivery{ShippingMethod: &ShippingMethod{ID: parcel}, price: parcelPrice, rate: 21e9}
	}
	if !o.fill(&g, by, tax) {
		t.Fatal("the order overflows")
	}
	return o
}

// refunds is a refund of "LINE×QUANTITY" and "shipping", with spaces, of an amount; 0 for the computed one.
func refunds(reference, what string, amount Amount) RefundPart {
	c := RefundPart{AskedPart: AskedPart{PartID: testID(0xf0), Reference: reference}}
	for _, word := range strings.Fields(what) {
		var line int
		var n string
		if word == "shipping" {
			yes := true
			c.Shipping = &yes
		} else if _, err := fmt.Sscanf(word, "%d×%s", &line, &n); err == nil {
			q, _ := ParseQuantity(n)
			c.Lines = append(c.Lines, SentLine{LineID: testID(line), Quantity: q})
		}
	}
	if amount > 0 {
		c.Amount = &amount
	}
	return c
}

// wantRefunds applies refunds one after another, each an amount with its rows: "3033 = 2507 + 526".
func wantRefunds(t *testing.T, o *Order, steps ...any) *Order {
	t.Helper()
	for i := 0; i < len(steps); i += 2 {
		want := steps[i+1].(string)
		next, effects, r := ChangeOrder(o, steps[i].(Command[*Order]), &Input{Store: &Store{}, Now: noon.Add(time.Hour)})
		if r != nil {
			t.Fatalf("step %d: %v", i/2+1, shortly(r))
		}
		p := next.Parts[len(next.Parts)-1]
		if got := shownRefund(&p); got != want {
			t.Errorf("step %d is\n %s, want\n %s", i/2+1, got, want)
		}
		if n := effects.OrderNews; n.Event != EventOrderRefunded || n.Part.Amount != p.Amount || effects.Return != nil {
			t.Errorf("step %d has the effects %+v", i/2+1, effects)
		}
		o = next
	}
	return o
}

func shownRefund(p *Part) string {
	var base, tax Amount
	var rows []string
	for _, row := range p.Taxes {
		base, tax = base+row.Base, tax+row.Tax
		rows = append(rows, fmt.Sprintf("%d: %d + %d", row.Rate/1e9, row.Base, row.Tax))
	}
	text := fmt.Sprintf("%d = %d + %d", p.Amount, base, tax)
	if len(rows) > 1 {
		text += " (" + strings.Join(rows, "; ") + ")"
	}
	return text
}

func orderR(t *testing.T) *Order {
	return paidOrder(t, 695, Taxation{Included: true}, paidLine{3 * One, 9099, 21e9}, paidLine{One, 1011, 9e9})
}

// Example 15 of the page: by pieces, the delivery, and the rest.
func TestRefundsOfPiecesAreTheBreakdown(t *testing.T) {
	o := orderR(t)
	if lines, shipping := o.Shares(); lines != nil || shipping != 695 || o.Totals.Total != 10805 {
		t.Fatalf("shares %v and %v of %v", lines, shipping, o.Totals)
	}
	o = wantRefunds(t, o,
		refunds("a", "1×1", 0), "3033 = 2507 + 526", refunds("b", "1×2", 0), "6066 = 5013 + 1053", refunds("c", "shipping", 0), "695 = 574 + 121")
	if o.PaymentStatus() != PaymentIsPartlyRefunded || !o.RefundedAt().IsZero() {
		t.Errorf("the payment is %v", o.PaymentStatus())
	}
	o = wantRefunds(t, o, RefundOrder{AskedPart{PartID: testID(9), Reference: "d"}}, "1011 = 928 + 83")
	if o.PaymentStatus() != PaymentIsRefunded || o.RefundedAt() != noon.Add(time.Hour) || o.Refunded() != 10805 {
		t.Errorf("the payment is %v at %v", o.PaymentStatus(), o.RefundedAt())
	}
}

// Example 16: an amount off the whole leaves less of each group, so that pieces are cut.
func TestRefundOffTheWhole(t *testing.T) {
	o := wantRefunds(t, orderR(t),
		refunds("a", "", 2000), "2000 = 1670 + 330 (21: 1498 + 315; 9: 172 + 15)",
		refunds("b", "1×1", 0), "3033 = 2507 + 526", refunds("c", "1×2", 0), "4948 = 4089 + 859",
		refunds("d", "2×1 shipping", 0), "824 = 756 + 68")
	if o.Refunded() != 10805 || o.PaymentStatus() != PaymentIsRefunded {
		t.Errorf("refunded %v, %v", o.Refunded(), o.PaymentStatus())
	}
}

// Example 17: a smaller amount takes the place of the computed one; a greater one is refused.
func TestRefundOfASmallerAmount(t *testing.T) {
	o := orderR(t)
	_, _, r := ChangeOrder(o, refunds("a", "1×1 2×1", 4045), &Input{Store: &Store{}, Now: noon})
	if r == nil || r.Code != "REFUND_TOO_LARGE" || *r.LeftAmount != 4044 {
		t.Errorf("a greater amount: %v", r)
	}
	o = wantRefunds(t, o, refunds("a", "1×1 2×1", 3500), "3500 = 2972 + 528 (21: 2169 + 456; 9: 803 + 72)")
	wantRefunds(t, o, RefundOrder{}, "7305 = 6050 + 1255 (21: 5925 + 1244; 9: 125 + 11)")
	if c := o.Counts(); c[0].Refunded != One || c[1].Refunded != One {
		t.Errorf("counted %+v", c)
	}
}

// Example 18: the tax of equal pieces differs by a cent; prices without tax have shares with tax.
func TestRefundsDivideTheTaxOfAGroup(t *testing.T) {
	wantRefunds(t, paidOrder(t, 0, Taxation{Included: true}, paidLine{2 * One, 2000, 21e9}), refunds("a", "1×1", 0), "1000 = 826 + 174",
		refunds("b", "1×1", 0), "1000 = 827 + 173")
	net := paidOrder(t, 695, Taxation{}, paidLine{3 * One, 9999, 21e9}, paidLine{One, 1111, 9e9})
	if lines, shipping := net.Shares(); !slices.Equal(lines, []Amount{12099, 1211}) || shipping != 841 || net.Totals.Total != 14151 {
		t.Fatalf("shares %v and %v of %v", lines, shipping, net.Totals)
	}
	wantRefunds(t, net, refunds("a", "1×1", 0), "4033 = 3333 + 700", refunds("b", "1×1", 0), "4033 = 3333 + 700", refunds("c", "1×1", 0), "4033 = 3333 + 700")
}

// Example 18 for a country of export: by home rates, in one row without tax.
func TestRefundsOfAnExemptOrder(t *testing.T) {
	o := paidOrder(t, 695, Taxation{Country: Country{'C', 'H'}, Exemption: Export, Included: true}, paidLine{3 * One, 9999, 21e9}, paidLine{One, 1111, 9e9})
	if lines, shipping := o.Shares(); !slices.Equal(lines, []Amount{8264, 1019}) || shipping != 574 || o.Totals.Total != 9857 {
		t.Fatalf("shares %v and %v of %v", lines, shipping, o.Totals)
	}
	o = wantRefunds(t, o, refunds("a", "1×2", 0), "5509 = 5509 + 0", RefundOrder{}, "4348 = 4348 + 0 (21: 3329 + 0; 9: 1019 + 0)")
	if got, want := o.Parts[1].ShownTaxes(&o.Tax), []TaxRow{{Base: 4348}}; !slices.Equal(got, want) || o.PaymentStatus() != PaymentIsRefunded {
		t.Errorf("the rest is shown as %+v, want %+v", got, want)
	}
}

// Example 19: metres.
func TestRefundOfAFraction(t *testing.T) {
	o := paidOrder(t, 0, Taxation{Included: true}, paidLine{2500, 3088, 21e9})
	wantRefunds(t, o, refunds("a", "1×1", 0), "1235 = 1021 + 214", refunds("b", "1×1.5", 0), "1853 = 1531 + 322")
}

// Every refusal of a refund, in the order of judgement; each row raises one fault more.
func TestRefundsAreJudgedInOrder(t *testing.T) {
	yes, no := true, false
	unpaid := orderR(t)
	unpaid.Payment = Payment{}
	some := wantRefunds(t, orderR(t), refunds("r", "1×2 shipping", 5000), "5000 = 4132 + 868")
	full := orderR(t)
	full.Parts = make([]Part, MaxParts)
	stub := orderR(t)
	stub.Status = OrderCompleted
	stub = stub.Archived(noon)
	bare := orderR(t)
	bare.Shipping = nil
	with := func(c RefundPart, edit func(*RefundPart)) RefundPart { edit(&c); return c }
	for _, c := range []struct {
		name  string
		order *Order
		sent  RefundPart
		want  string
	}{
		{"nothing", some, refunds("x", "", 0), "amount: The amount field is required."},
		{"an unknown line", some, refunds("r", "7×1", 0), "lines.0.line_id: The selected lines.0.line_id is invalid."},
		{"a line twice", some, refunds("r", "1×1 1×1", 0), "lines.1.line_id: The selected lines.1.line_id is invalid."},
		{"the same again", some, refunds("r", "1×2 shipping", 5000), "sold"},
		{"the same with less said", some, refunds("r", "1×2", 0), "sold"},
		{"another amount", some, refunds("r", "1×2 shipping", 5001), "REFERENCE_USED"},
		{"other lines", some, refunds("r", "1×1 shipping", 0), "REFERENCE_USED"},
		{"without the delivery", some, with(refunds("r", "1×2", 0), func(c *RefundPart) { c.Shipping = &no }), "REFERENCE_USED"},
		{"not paid", unpaid, refunds("x", "1×9", 99999), "NOT_PAID"},
		{"above what is left", some, refunds("x", "1×9", 5806), "REFUND_TOO_LARGE"},
		{"off the whole above what is left", some, refunds("x", "", 5806), "REFUND_TOO_LARGE"},
		{"above the computed amount", some, refunds("x", "1×1", 3034), "REFUND_TOO_LARGE"},
		{"too many parts", full, refunds("x", "1×9", 0), "PARTS_LIMIT"},
		{"pieces that are not left", some, refunds("x", "2×1 1×2", 0), "lines.1.quantity: The lines.1.quantity field must not be greater than 1."},
		{"the delivery twice", some, refunds("x", "shipping", 0), "shipping: The selected shipping is invalid."},
		{"no delivery", bare, with(refunds("x", "1×9", 0), func(c *RefundPart) { c.Shipping = &yes }),
			"lines.0.quantity: The lines.0.quantity field must not be greater than 3.; shipping: The selected shipping is invalid."},
		{"lines of an archived order", stub, refunds("x", "1×1", 0), "ORDER_ARCHIVED"},
		{"the delivery of an archived order", stub, refunds("x", "shipping", 0), "ORDER_ARCHIVED"},
		{"an amount of an archived order", stub, refunds("x", "", 10805), "sold"},
		{"more than an archived order", stub, refunds("x", "", 10806), "REFUND_TOO_LARGE"},
	} {
		before := fmt.Sprint(*c.order)
		next, _, r := ChangeOrder(c.order, c.sent, &Input{Store: &Store{}, Now: noon})
		if got := shortly(r); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if r == nil && len(next.Parts) != len(c.order.Parts) && c.order.ArchivedAt.IsZero() {
			t.Errorf("%s: a part is added", c.name)
		}
		if fmt.Sprint(*c.order) != before {
			t.Errorf("%s changes the order", c.name)
		}
	}
}

// After an erasure the reference is a hash, and the same refund again changes nothing.
func TestErasedRefundCanBeRepeated(t *testing.T) {
	o := wantRefunds(t, orderR(t), refunds("re_1", "1×1", 0), "3033 = 2507 + 526")
	o.Parts[0].Reference = ErasedReference("re_1")
	if next, effects, r := ChangeOrder(o, refunds("re_1", "1×1", 0), &Input{}); r != nil || len(next.Parts) != 1 || effects != (Effects{}) {
		t.Errorf("again: %v, %+v", r, next)
	}
}
