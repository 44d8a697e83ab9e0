package commerce

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// docs/store-document.md#discounts, Exclusive. The cart has a line of 60.00 and one of 40.00.
func TestExclusiveDiscounts(t *testing.T) {
	const (
		tenOff     = "order percent 10"
		five       = "order fixed 500 code FIVE"
		fifteen    = "order percent 15 exclusive"
		fifteenToo = "order fixed 1500 exclusive"
		half       = "products percent 50 exclusive code HALF"
		bogoFree   = "bogo percent 100 exclusive code FREE"
		ship       = "shipping percent 100"
		shipCode   = "shipping percent 50 code SHIP"
		dearer     = "order percent 90 exclusive code DEAR min 20000"
		nothing    = "order fixed 0 exclusive code NOTHING"
	)
	for _, c := range []struct {
		rule      string
		discounts []string
		codes     string
		empty     bool
		want      string // name and amount of each discount; errors of the codes
	}{
		{"the greatest wins", []string{tenOff, fifteen}, "", false, "1:1500"},
		{"all others together", []string{tenOff, fifteen, five}, "FIVE", false, "0:1000 2:500"},
		{"of equal ones all others", []string{fifteen, tenOff, five}, "FIVE", false, "1:1000 2:500"},
		{"of equal exclusive ones the document's order", []string{fifteenToo, fifteen}, "", false, "0:1500"},
		{"the other way round", []string{fifteen, fifteenToo}, "", false, "0:1500"},
		{"the document's order counts, not that of the kinds", []string{fifteenToo, "products percent 15 exclusive"}, "", false, "0:1500"},
		{"a code that loses against an exclusive one", []string{fifteen, five}, "FIVE", false, "0:1500 FIVE=not_eligible"},
		{"an exclusive code that loses", []string{tenOff, "order fixed 900 exclusive code NINE"}, "NINE", false, "0:1000 NINE=not_eligible"},
		{"a code and an exclusive one of the same amount", []string{five, "order fixed 500 exclusive code SAME"}, "SAME,FIVE", false, "0:500 SAME=not_eligible"},
		{"an exclusive code that wins", []string{tenOff, half, fifteen}, "HALF", false, "1:5000"},
		{"two exclusive codes", []string{bogoFree, half}, "FREE,HALF", false, "1:5000 FREE=not_eligible"},
		{"shipping discounts beside both", []string{ship, fifteen, shipCode}, "SHIP", false, "1:1500 0:0 2:0"},
		{"shipping discounts beside the others", []string{ship, "order fixed 100 exclusive", tenOff, shipCode}, "SHIP", false, "2:1000 0:0 3:0"},
		{"another reason stays", []string{dearer, tenOff}, "DEAR", false, "1:1000 DEAR=min_order"},
		{"another reason of the others stays", []string{fifteen, "order percent 1 code MIN min 20000"}, "MIN", false, "0:1500 MIN=min_order"},
		{"one that takes off nothing loses", []string{nothing, tenOff}, "NOTHING", false, "1:1000 NOTHING=not_eligible"},
		{"nobody takes anything off", []string{nothing}, "NOTHING", false, ""},
		{"an empty cart", []string{"order percent 10 exclusive code TEN", five, ship}, "TEN,FIVE", true, ""},
	} {
		s := &Store{Products: []*Product{{ID: testID(1)}, {ID: testID(2)}}, PricesIncludeTax: true}
		for i, text := range c.discounts {
			d := discountOf(text)
			d.ID, d.Name, d.Active = testID(0xd00+i), fmt.Sprint(i), true
			s.Discounts = append(s.Discounts, d)
		}
		s.Index()
		cart := NewCart(cartID, noon)
		if !c.empty {
			cart.Lines = []Line{
				{ID: testID(1), ProductID: testID(1), UnitPrice: 6000, Quantity: One}, {ID: testID(2), ProductID: testID(2), UnitPrice: 4000, Quantity: One},
			}
		}
		for _, code := range strings.FieldsFunc(c.codes, func(r rune) bool { return r == ',' }) {
			cart.Codes = append(cart.Codes, AttachedCode{Code: code})
		}
		var e Evaluation
		e.Evaluate(cart, s, guest, noon)
		var got []string
		var sum Amount
		for _, d := range e.Discounts {
			got = append(got, fmt.Sprintf("%s:%d", d.Discount.Name, d.Amount))
			if sum += d.Amount; (d.Code == nil) != (d.Discount.Code == "") {
				t.Errorf("%s: the discount %+v applies by the code %v", c.rule, d.Discount, d.Code)
			}
		}
		for i, err := range e.CodeErrors {
			if err != "" {
				got = append(got, cart.Codes[i].Code+"="+err)
			}
		}
		if text := strings.Join(got, " "); text != c.want || sum != e.DiscountTotal {
			t.Errorf("%s: %s, total %d; want %s", c.rule, text, e.DiscountTotal, c.want)
		}
		if broken, is := e.Broken(); is {
			t.Errorf("%s: %s does not hold", c.rule, broken)
		}
		chosen(t, Explain(cart, s, guest, noon, nil))
	}
}

// discountOf reads: KIND percent P or fixed AMOUNT, exclusive, code CODE, min AMOUNT.
func discountOf(text string) Discount {
	words := strings.Fields(text)
	d := Discount{Kind: DiscountKind(slices.Index(DiscountKindNames(), words[0]))}
	d.Buy.MinQuantity, d.Get.Quantity = One, One
	var n Amount
	for i, word := range words {
		if i+1 < len(words) {
			fmt.Sscan(words[i+1], &n)
		}
		switch word {
		case "percent":
			d.Value.Percent, d.Get.Percent = Percent(n)*Hundred/100, Percent(n)*Hundred/100
		case "fixed":
			d.Value = DiscountValue{Fixed: true, Amount: n}
		case "exclusive":
			d.Exclusive = true
		case "code":
			d.Code = words[i+1]
		case "min":
			d.MinOrder = price(n)
		}
	}
	return d
}

// An explanation whose first discounts are dropped lists the shares of the exclusive one that takes their place.
func TestSharesOfTheExclusiveDiscountAreListed(t *testing.T) {
	s := newScene(t)
	for i := range 51 {
		s.shop.Discounts = append(s.shop.Discounts,
			Discount{ID: testID(0xd000 + i), Kind: DiscountProducts, Active: true, Value: DiscountValue{Percent: Hundred / 1000}})
	}
	s.shop.Discounts = append(s.shop.Discounts,
		Discount{ID: testID(0xe), Kind: DiscountOrder, Active: true, Exclusive: true, Value: DiscountValue{Percent: Hundred / 2}})
	s.shop.Index()
	for i := range maxShares / 50 {
		s.cart.Lines = append(s.cart.Lines, Line{ID: testID(0x1000 + i), ProductID: tile, Quantity: One, UnitPrice: 1_000_000})
	}
	x := Explain(s.cart, s.shop, guest, noon, nil)
	if len(x.Discounts) != 1 || len(x.Discounts[0].Shares) != len(s.cart.Lines) || x.Discounts[0].Before != x.Totals.Lines {
		t.Errorf("%d discounts, the first %+v", len(x.Discounts), x.Discounts)
	}
}

// exclusiveCart is a cart of 100 lines with ten codes, in a store with so many exclusive discounts.
func exclusiveCart(exclusives int) (*Cart, *Store) {
	s, c := &Store{PricesIncludeTax: true, Categories: []Category{{ID: testID(0xc)}}}, NewCart(cartID, noon)
	for i := range 100 {
		s.Products = append(s.Products, &Product{ID: testID(1 + i), Tax: taxed(21 * Hundred / 100), CategoryIDs: []uuid.UUID{testID(0xc)}})
		c.Lines = append(c.Lines, Line{ID: testID(1 + i), ProductID: testID(1 + i), UnitPrice: Amount(1999 + i), Quantity: Quantity(i%7+1) * One})
	}
	of := ProductRange{CategoryIDs: []uuid.UUID{testID(0xc)}, ExcludedIDs: []uuid.UUID{testID(3)}}
	kinds := []DiscountKind{DiscountOrder, DiscountProducts, DiscountBogo, DiscountOrder}
	for i := range 10 + exclusives {
		d := Discount{
			ID: testID(0xd00 + i), Kind: kinds[i%4], Active: true, Value: DiscountValue{Percent: Hundred / 50}, ProductRange: of,
			Buy: BogoBuy{of, 3 * One}, Get: BogoGet{of, One, Hundred / 2}, Exclusive: i >= 10,
		}
		if i < 10 {
			d.Code = fmt.Sprint("CODE-", i)
			c.Codes = append(c.Codes, AttachedCode{Code: d.Code})
		}
		s.Discounts = append(s.Discounts, d)
	}
	s.Discounts[len(s.Discounts)-1].Value.Percent = Hundred / 2 // the last one wins
	s.Index()
	return c, s
}

func BenchmarkTenCodesAndExclusives(b *testing.B) {
	for _, exclusives := range []int{0, 10} {
		b.Run(fmt.Sprint(exclusives), func(b *testing.B) {
			c, s := exclusiveCart(exclusives)
			var e Evaluation
			b.ReportAllocs()
			for b.Loop() {
				e.Evaluate(c, s, guest, noon)
			}
		})
	}
}

func TestExclusiveDiscountsDoNotAllocateWhenWarm(t *testing.T) {
	c, s := exclusiveCart(10)
	var e Evaluation
	e.Evaluate(c, s, guest, noon)
	if n := testing.AllocsPerRun(100, func() { e.Evaluate(c, s, guest, noon) }); n != 0 || len(e.Discounts) != 1 || !e.Discounts[0].Discount.Exclusive {
		t.Errorf("%v allocations; discounts %+v; want none, and an exclusive one", n, e.Discounts)
	}
}
