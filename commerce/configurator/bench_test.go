package configurator_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/configurator"
)

// vast is a product of a thousand choices in groups of ten. Each choice requires one of the
// previous group and uses two components. It has 100 matrices of 100 × 100 breaks; only the last
// matches.
func vast() *commerce.Configurator {
	c := &commerce.Configurator{Dimensions: []commerce.Dimension{
		{Key: "width", Label: "Width", Max: 10_000, Step: 1}, {Key: "height", Label: "Height", Max: 10_000, Step: 1},
	}}
	for g := range 100 {
		group := commerce.ChoiceGroup{Label: fmt.Sprint("Group ", g), Required: g < 10}
		for i := range 10 {
			one := commerce.Choice{ID: fmt.Sprintf("choice-%d-%d", g, i), Label: "Choice", Components: []commerce.Component{
				{ProductID: uuid.UUID{byte(i)}, Quantity: 1_250_000, Per: "m2"}, {ProductID: uuid.UUID{9, byte(g % 5)}, Quantity: 1_000_000, Per: "width"},
			}}
			one.Price = commerce.ChoicePrice{Kind: commerce.ChoicePriceKind(i % 3), Amount: 1250, Percent: commerce.Hundred / 8}
			if g > 0 {
				one.Requires = []string{fmt.Sprintf("choice-%d-%d", g-1, i)}
			}
			group.Choices = append(group.Choices, one)
		}
		c.Groups = append(c.Groups, group)
	}
	for m := range 100 {
		table := commerce.Matrix{ID: fmt.Sprint(m), Name: "Matrix", When: []string{fmt.Sprintf("choice-99-%d", m%9)}, X: "width", Y: "height"}
		if m == 99 {
			table.When = nil
		}
		for i := range 100 {
			table.XBreaks, table.YBreaks = append(table.XBreaks, int64(i+1)*100), append(table.YBreaks, int64(i+1)*100)
			table.Amounts = append(table.Amounts, make([]commerce.Amount, 100))
			table.Amounts[i][50] = commerce.Amount(i + 1)
		}
		c.Matrices = append(c.Matrices, table)
	}
	return c
}

// BenchmarkPrice prices the product of a thousand choices with ten and with a hundred of them
// chosen.
func BenchmarkPrice(b *testing.B) {
	engine := configurator.New(uuid.UUID{1}, vast())
	for _, chosen := range []int{10, 100} {
		b.Run(fmt.Sprint(chosen), func(b *testing.B) {
			s := &commerce.Selection{Dimensions: []commerce.Measure{{Key: "height", Value: 9_950, Whole: true}, {Key: "width", Value: 5_050, Whole: true}}}
			for g := range chosen {
				s.Choices = append(s.Choices, fmt.Sprintf("choice-%d-9", chosen-1-g))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, faults := engine.Price(s); faults != nil {
					b.Fatal(faults)
				}
			}
		})
	}
}

// BenchmarkNew prepares that product, as the load of a store does.
func BenchmarkNew(b *testing.B) {
	c := vast()
	for b.Loop() {
		configurator.New(uuid.UUID{1}, c)
	}
}
