package commerce

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

var rewrite = flag.Bool("rewrite", false, "write the results into testdata/worked.txt")

const workedCarts = "testdata/worked.txt"

// TestWorkedCarts reads a page of carts. The lines after a cart that begin with "=" are its
// expected amounts.
func TestWorkedCarts(t *testing.T) {
	page, err := os.ReadFile(workedCarts)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	var cart *worked
	for line := range strings.Lines(string(page)) {
		switch {
		case strings.HasPrefix(line, "= "):
			continue
		case strings.HasPrefix(line, "cart: "):
			cart = &worked{t: t, shop: &Store{PricesIncludeTax: true}, cart: NewCart(cartID, noon), products: map[string]uuid.UUID{}}
		case strings.TrimSpace(line) == "" && cart != nil:
			got.WriteString(cart.result())
			cart = nil
		case cart != nil && !strings.HasPrefix(line, "#"):
			cart.read(strings.Fields(line))
		}
		got.WriteString(line)
	}
	if cart != nil {
		t.Fatal("the page must end with an empty line")
	}
	if *rewrite {
		if err := os.WriteFile(workedCarts, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != string(page) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), page)
	}
}

// worked is one cart of the page while it is read.
type worked struct {
	t        *testing.T
	shop     *Store
	cart     *Cart
	products map[string]uuid.UUID
}

// read reads one line of input, as words.
func (w *worked) read(words []string) {
	switch words[0] {
	case "prices": // prices exclude tax
		w.shop.PricesIncludeTax = words[1] == "include"
	case "line": // line NAME QUANTITY × PRICE at RATE %
		id := testID(len(w.products) + 1)
		w.products[words[1]] = id
		w.shop.Products = append(w.shop.Products, &Product{ID: id, Tax: taxed(w.percent(words[6]))})
		quantity, err := ParseQuantity(words[2])
		if err != nil {
			w.t.Fatal(err)
		}
		w.cart.Lines = append(w.cart.Lines, Line{ID: id, ProductID: id, Name: words[1], Quantity: quantity, UnitPrice: w.amount(words[4])})
	case "code": // code CODE
		w.cart.Codes = append(w.cart.Codes, AttachedCode{Code: words[1]})
	case "discount": // discount KIND …
		w.shop.Discounts = append(w.shop.Discounts, w.discount(words[1], words[2:]))
	default:
		w.t.Fatalf("the page says %q", words)
	}
}

// discount reads: fixed AMOUNT, percent P, of NAME…, code CODE, min AMOUNT, and for
// bogo: buy QUANTITY of NAME…, get QUANTITY of NAME….
func (w *worked) discount(kind string, words []string) Discount {
	kinds := []string{"order", "products", "shipping", "bogo"}
	d := Discount{ID: testID(0xd0 + len(w.shop.Discounts)), Kind: DiscountKind(slices.Index(kinds, kind)), Active: true}
	ids := &d.ProductIDs
	for i := 0; i+1 < len(words); i++ {
		switch value := words[i+1]; words[i] {
		case "fixed":
			d.Value = DiscountValue{Fixed: true, Amount: w.amount(value)}
		case "percent":
			d.Value.Percent, d.Get.Percent = w.percent(value), w.percent(value)
		case "code":
			d.Code = value
		case "min":
			d.MinOrder = price(w.amount(value))
		case "buy":
			d.Buy.MinQuantity, ids = Quantity(w.amount(value))*One, &d.Buy.ProductIDs
		case "get":
			d.Get.Quantity, ids = Quantity(w.amount(value))*One, &d.Get.ProductIDs
		case "of":
			for _, name := range strings.Split(value, ",") {
				*ids = append(*ids, w.products[name])
			}
		}
	}
	return d
}

func (w *worked) amount(text string) (a Amount) {
	if _, err := fmt.Sscan(text, &a); err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *worked) percent(text string) Percent {
	p, err := ParsePercent(text)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// result writes the cart's amounts.
func (w *worked) result() string {
	w.shop.Index()
	var e Evaluation
	e.Evaluate(w.cart, w.shop, guest, noon)
	if broken, is := e.Broken(); is {
		w.t.Errorf("%s does not hold: %+v", broken, e)
	}
	var out strings.Builder
	for i, l := range w.cart.Lines {
		before, _ := l.UnitPrice.Times(l.Quantity)
		fmt.Fprintf(&out, "= %s %d - %d = %d\n", l.Name, before, before-e.LineTotals[i], e.LineTotals[i])
	}
	for _, d := range e.Discounts {
		fmt.Fprintf(&out, "= discount %s %s %d\n", d.Discount.Kind, d.Discount.Code, d.Amount)
	}
	for _, err := range e.CodeErrors {
		fmt.Fprintf(&out, "= code error %q\n", err)
	}
	for _, row := range e.Breakdown {
		fmt.Fprintf(&out, "= %s %%: %d + %d\n", row.Rate, row.Base, row.Tax)
	}
	fmt.Fprintf(&out, "= total %d + %d = %d, discounts %d\n", e.Subtotal, e.TaxTotal, e.Total, e.DiscountTotal)
	return out.String()
}
