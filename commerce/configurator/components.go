package configurator

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
)

// component is stock that one configured unit uses.
type component struct {
	product  uuid.UUID
	quantity commerce.Micros
	per      int // the place of a dimension, or one of the following
}

const (
	perUnit = -1 - iota
	perSquareMetre
)

func (e *Engine) components(list []commerce.Component) []component {
	var all []component
	for i := range list {
		one := component{product: list[i].ProductID, quantity: list[i].Quantity}
		switch list[i].Per {
		case "unit":
			one.per = perUnit
		case "m2":
			one.per = perSquareMetre
		default:
			one.per = e.dimension[list[i].Per]
		}
		all = append(all, one)
	}
	return all
}

// uses adds up what one unit uses: the product's own components, then those of the
// choices, each product in the place of its first entry.
func (e *Engine) uses(sizes []int64, picked []int) []commerce.ComponentUse {
	var all []use
	all = addUses(all, e.own, sizes)
	for _, at := range picked {
		all = addUses(all, e.choices[at].components, sizes)
	}
	shown := make([]commerce.ComponentUse, len(all))
	for i := range all {
		shown[i] = commerce.ComponentUse{ProductID: all[i].product, Quantity: all[i].sum.String()}
	}
	return shown
}

// use is how much of a product is used. A document lets a configuration use at most
// 50 different ones, so that they are searched one by one.
type use struct {
	product uuid.UUID
	sum     exact
}

func addUses(all []use, components []component, sizes []int64) []use {
	for i := range components {
		c := &components[i]
		at := 0
		for at < len(all) && all[at].product != c.product {
			at++
		}
		if at == len(all) {
			all = append(all, use{product: c.product})
		}
		all[at].sum.add(uint64(c.quantity), c.millionths(sizes))
	}
	return all
}

// millionths is how often the quantity is used, in millionths: once, as often as
// there are square metres, or metres of a dimension.
func (c *component) millionths(sizes []int64) uint64 {
	switch c.per {
	case perUnit:
		return 1_000_000
	case perSquareMetre:
		return uint64(area(sizes))
	}
	return uint64(sizes[c.per]) * 1000
}

// exact is a whole number of millionths of millionths, most significant word first:
// no sum of a document's components is rounded or overflows.
type exact [3]uint64

// add adds a product.
func (n *exact) add(a, b uint64) {
	high, low := bits.Mul64(a, b)
	var carry uint64
	n[2], carry = bits.Add64(n[2], low, 0)
	n[1], carry = bits.Add64(n[1], high, carry)
	n[0] += carry
}

// divide makes n the quotient and returns the rest.
func (n *exact) divide(by uint64) (rest uint64) {
	for i := range n {
		n[i], rest = bits.Div64(rest, n[i], by)
	}
	return rest
}

const exactPlaces = 12

// String returns the number as a decimal without zeros at its end.
func (n exact) String() string {
	fraction := n.divide(1e12)
	const wordPlaces = 18
	lowest, middle := n.divide(1e18), n.divide(1e18)
	whole := padded(n[2], 0) + padded(middle, wordPlaces) + padded(lowest, wordPlaces)
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction == 0 {
		return whole
	}
	return whole + "." + strings.TrimRight(padded(fraction, exactPlaces), "0")
}

// padded writes n with zeros in front of it, up to so many digits.
func padded(n uint64, digits int) string {
	text := strconv.FormatUint(n, 10)
	return strings.Repeat("0", max(0, digits-len(text))) + text
}
