package httpserver

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// discountedCart returns a cart of n lines in a store with ten discounts that all apply: two of
// kind bogo, four of kind products, three on the order, one on shipping.
func discountedCart(n int) (*commerce.Cart, *commerce.Store) {
	s := sampleStore()
	s.Discounts = nil
	cart := commerce.NewCart(uuid.New(), testNow)
	var some []uuid.UUID
	for i := range n {
		p := &commerce.Product{ID: uuid.New(), Name: fmt.Sprint("Roller blind ", i),
			Tax: &commerce.TaxRate{Rate: []commerce.Percent{21, 9}[i%2] * commerce.Hundred / 100}}
		s.Products = append(s.Products, p)
		cart.Lines = append(cart.Lines, commerce.Line{
			ID: uuid.New(), ProductID: p.ID, Name: p.Name, SKU: "RB-1", UnitPrice: commerce.Amount(1999 + i), Quantity: commerce.Quantity(i%7+1) * commerce.One,
		})
		if i%2 == 0 {
			some = append(some, p.ID)
		}
	}
	percent := commerce.DiscountValue{Percent: commerce.Hundred / 50}
	these := commerce.ProductRange{ProductIDs: some}
	buy, get := commerce.BogoBuy{ProductRange: these, MinQuantity: 3 * commerce.One}, commerce.BogoGet{ProductRange: these, Quantity: commerce.One,
		Percent: commerce.Hundred / 4}
	for i, kind := range []commerce.DiscountKind{
		commerce.DiscountBogo, commerce.DiscountBogo, commerce.DiscountProducts, commerce.DiscountProducts, commerce.DiscountProducts,
		commerce.DiscountProducts, commerce.DiscountOrder, commerce.DiscountOrder, commerce.DiscountOrder, commerce.DiscountShipping,
	} {
		s.Discounts = append(s.Discounts, commerce.Discount{ID: uuid.New(), Name: fmt.Sprint("Discount ", i), Kind: kind, Active: true, Value: percent,
			ProductRange: these, Buy: buy, Get: get})
	}
	code := "WELCOME10"
	s.Discounts[7].Code, cart.Codes = code, []commerce.AttachedCode{{Code: code}}
	s.Index()
	return cart, s
}

// BenchmarkEvaluate100Lines10Discounts evaluates and encodes; the other sizes show the cost of a
// line.
func BenchmarkEvaluate100Lines10Discounts(b *testing.B) { benchmarkDiscounts(b, 100) }

func BenchmarkEvaluate10Lines10Discounts(b *testing.B) { benchmarkDiscounts(b, 10) }

func BenchmarkEvaluate1000Lines10Discounts(b *testing.B) { benchmarkDiscounts(b, 1000) }

func benchmarkDiscounts(b *testing.B, n int) {
	c, s := discountedCart(n)
	var e commerce.Evaluation
	buffer := make([]byte, 0, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		e.Evaluate(c, s, commerce.Visitor{}, testNow)
		buffer = appendCart(buffer[:0], c, s, &e)
	}
	if len(e.Discounts) != 10 {
		b.Fatalf("%d discounts apply", len(e.Discounts))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/line")
}
