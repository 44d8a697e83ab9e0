package persistence

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// BenchmarkCartRecord packs and unpacks the record of a cart of three lines.
func BenchmarkCartRecord(b *testing.B) {
	cart := commerce.NewCart(uuid.New(), noon)
	for range 3 {
		cart.Lines = append(cart.Lines, commerce.Line{
			ID: uuid.New(), ProductID: uuid.New(), Name: "Roller blind", SKU: "RB-1", Quantity: commerce.One, UnitPrice: 1999, Born: 2,
		})
	}
	record := engine.CartRecord{Stamp: engine.Stamp{Counter: 7, Writer: 8, Sequence: 9}, State: cart}
	packed := appendCart(nil, &record, nil)
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		buffer := make([]byte, 0, 1<<10)
		for b.Loop() {
			buffer = appendCart(buffer[:0], &record, nil)
		}
		b.ReportMetric(float64(len(packed)), "bytes/record")
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		text := string(packed)
		for b.Loop() {
			if _, err := decodeCart(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
