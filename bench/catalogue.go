package bench

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Amount is money in minor units.
type Amount int64

// Quantity is a quantity in thousandths.
type Quantity int64

// One is the quantity 1.
const One Quantity = 1000

// append writes the quantity as a plain decimal without trailing zeros.
func (q Quantity) append(dst []byte) []byte {
	dst = strconv.AppendInt(dst, int64(q/One), 10)
	rest := q % One
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := One / 10; rest > 0; unit /= 10 {
		dst = append(dst, byte('0'+rest/unit))
		rest %= unit
	}
	return dst
}

// Article is a product, or a product in one configuration.
type Article struct {
	Product string `json:"product"`
	// Configuration is the configuration of a made-to-measure product, as JSON.
	Configuration string `json:"configuration,omitempty"`
	// Unit is the unit price. Tiers lower it from a quantity on.
	Unit  Amount `json:"unit_price"`
	Tiers []Tier `json:"tiers,omitempty"`
	// Whole articles are sold in whole units.
	Whole bool `json:"whole,omitempty"`
}

// Tier is a price from a quantity on.
type Tier struct {
	From Quantity `json:"from_thousandths"`
	Unit Amount   `json:"unit_price"`
}

// price is the unit price at a quantity: the lowest price that applies.
func (a *Article) price(q Quantity) Amount {
	lowest := a.Unit
	for _, t := range a.Tiers {
		if t.From <= q && t.Unit < lowest {
			lowest = t.Unit
		}
	}
	return lowest
}

// total is unit price times quantity, rounded half up to whole minor units.
func (a *Article) total(q Quantity) Amount {
	high, low := bits.Mul64(uint64(a.price(q)), uint64(q))
	low, carry := bits.Add64(low, uint64(One/2), 0)
	quotient, _ := bits.Div64(high+carry, low, uint64(One))
	return Amount(quotient)
}

// The catalogue of every store of the harness.
const (
	standardArticles = 200
	tierFrom         = 10 * One
	madeProduct      = "be000000-0000-4000-8000-00000000c0de"
)

func productID(i int) string { return fmt.Sprintf("be000000-0000-4000-8000-%012d", i+1) }

// Standard are the articles without a configuration. Every second one is sold by the metre, every
// third has a tier.
func Standard() []Article {
	articles := make([]Article, standardArticles)
	for i := range articles {
		unit := Amount(199 + 137*i)
		articles[i] = Article{Product: productID(i), Unit: unit, Whole: i%2 == 0}
		if i%3 == 0 {
			articles[i].Tiers = []Tier{{From: tierFrom, Unit: unit - unit/10}}
		}
	}
	return articles
}

// The made-to-measure product has a price by width and height, and a choice with a surcharge.
var (
	widths      = []int{600, 1200, 3000}
	heights     = []int{1000, 2000}
	matrix      = [][]Amount{{4900, 6900, 9900}, {6900, 8900, 12900}}
	linen       = Amount(1500)
	fabricNames = []string{"cotton", "linen"}
)

// Made are the configurations of the made-to-measure product. Each is a line of its own. The
// quantity does not change their prices.
func Made() []Article {
	var articles []Article
	for y, height := range heights {
		for x, width := range widths {
			for choice, fabric := range fabricNames {
				articles = append(articles, Article{
					Product:       madeProduct,
					Configuration: fmt.Sprintf(`{"dimensions":{"width":%d,"height":%d},"choices":[%q]}`, width-100, height-150, fabric),
					Unit:          matrix[y][x] + Amount(choice)*linen,
					Whole:         true,
				})
			}
		}
	}
	return articles
}
