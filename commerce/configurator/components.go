package configurator

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
)

// component is a quantity of a product that one configured unit uses.
type component struct {
	product  uuid.UUID
	quantity commerce.Micros
	per      int // the index of a dimension, perUnit or perSquareMetre
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

// uses adds up the components of one unit: the product's own, then those of the choices. Products
// are in the order of their first entry.
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

// use is the used quantity of one product. A configuration uses at most 50 different products, so
// a linear search is enough.
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

// millionths is the factor of the quantity, in millionths: one, the area in square metres, or a
// dimension in metres.
func (c *component) millionths(sizes []int64) uint64 {
	switch c.per {
	case perUnit:
		return 1_000_000
	case perSquareMetre:
		return uint64(area(sizes))
	}
	return uint64(sizes[c.per]) * 1000
}

// exact is a whole number of millionths of millionths, in big-endian words. No sum of a document's
// components is rounded or overflows.
type exact [3]uint64

// add adds the product a × b.
func (n *exact) add(a, b uint64) {
	high, low := bits.Mul64(a, b)
	var carry uint64
	n[2], carry = bits.Add64(n[2], low, 0)
	n[1], carry = bits.Add64(n[1], high, carry)
	n[0] += carry
}

// divide sets n to the quotient and returns the remainder.
func (n *exact) divide(by uint64) (rest uint64) {
	for i := range n {
		n[i], rest = bits.Div64(rest, n[i], by)
	}
	return rest
}

const exactPlaces = 12

// String returns the number as a decimal without trailing zeros.
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

// padded writes n with leading zeros, up to this number of digits.
func padded(n uint64, digits int) string {
	text := strconv.FormatUint(n, 10)
	return strings.Repeat("0", max(0, digits-len(text))) + text
}
