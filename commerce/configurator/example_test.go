package configurator_test

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/configurator"
)

// A shelf is priced by the table for its width and height, in which a measure counts as the next break
// above it, and by its choices.
func ExampleEngine_Price() {
	shelf := &commerce.Configurator{
		Dimensions: []commerce.Dimension{{Key: "width", Label: "Width", Min: 300, Max: 1200, Step: 1},
			{Key: "height", Label: "Height", Min: 300, Max: 2000, Step: 1}},
		Groups: []commerce.ChoiceGroup{{ID: "wood", Label: "Wood", Required: true, Choices: []commerce.Choice{
			{ID: "pine", Label: "Pine"},
			{ID: "oak", Label: "Oak", Price: commerce.ChoicePrice{Kind: commerce.PriceFixed, Amount: 4500}},
		}}},
		Matrices: []commerce.Matrix{{
			ID: "sizes", Name: "Sizes", X: "width", Y: "height", XBreaks: []int64{600, 1200}, YBreaks: []int64{1000, 2000},
			Amounts: [][]commerce.Amount{{9900, 14900}, {16900, 24900}},
		}},
	}
	engine := configurator.New(uuid.New(), shelf)
	width := commerce.Measure{Key: "width", Value: 800, Whole: true}

	_, faults := engine.Price(&commerce.Selection{Dimensions: []commerce.Measure{width}, Choices: []string{"oak"}})
	for _, f := range faults {
		fmt.Println(f.Field, f.Texts())
	}
	height := commerce.Measure{Key: "height", Value: 1800, Whole: true}
	made, _ := engine.Price(&commerce.Selection{Dimensions: []commerce.Measure{width, height}, Choices: []string{"oak"}})
	for _, part := range made.Snapshot.Breakdown {
		fmt.Println(part.Label, part.Amount)
	}
	fmt.Println("in total", made.UnitPrice)
	// Output:
	// dimensions.height [Height is required.]
	// Sizes 24900
	// Oak 4500
	// in total 29400
}
