package configurator

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"cartd/commerce"
)

// price is the amount of the matrix plus the surcharges of the choices. It returns false if no
// matrix matches, a dimension is beyond its last break, or the price is above commerce.MaxAmount.
func (e *Engine) price(sizes []int64, picked []int) (commerce.Configured, bool) {
	m, base, ok := e.lookUp(sizes, picked)
	if !ok {
		return commerce.Configured{}, false
	}
	total := base
	breakdown := append(make([]commerce.PricePart, 0, 1+len(picked)), commerce.PricePart{Label: m.Name, Amount: base})
	for _, at := range picked {
		one := &e.choices[at]
		amount, ok := surcharge(one.Price, base, sizes)
		if total += amount; !ok || total > commerce.MaxAmount {
			return commerce.Configured{}, false
		}
		breakdown = append(breakdown, commerce.PricePart{Label: one.Label, Amount: amount})
	}
	return commerce.Configured{UnitPrice: total, Snapshot: &commerce.Configuration{
		Hash:       e.hash(sizes, picked),
		Dimensions: e.dimensions(sizes),
		Choices:    e.ids(picked),
		Breakdown:  breakdown,
		Components: e.uses(sizes, picked),
		MatrixID:   m.ID,
		MatrixName: m.Name,
	}}, true
}

// lookUp finds the first matrix whose choices are all picked, and its amount at the
// smallest breaks that are not below the dimensions.
func (e *Engine) lookUp(sizes []int64, picked []int) (*commerce.Matrix, commerce.Amount, bool) {
	for i := range e.matrices {
		m := &e.matrices[i]
		if !containsAll(picked, m.when) {
			continue
		}
		x, _ := slices.BinarySearch(m.XBreaks, sizes[m.x])
		y, _ := slices.BinarySearch(m.YBreaks, sizes[m.y])
		if x == len(m.XBreaks) || y == len(m.YBreaks) {
			return nil, 0, false
		}
		return m.Matrix, m.Amounts[y][x], true
	}
	return nil, 0, false
}

// surcharge is the amount that a choice adds to a unit price, false if it is above
// commerce.MaxAmount.
func surcharge(p commerce.ChoicePrice, base commerce.Amount, sizes []int64) (commerce.Amount, bool) {
	switch p.Kind {
	case commerce.PricePercent:
		return base.Percent(p.Percent), true
	case commerce.PricePerM2:
		return p.Amount.ForArea(area(sizes))
	}
	return p.Amount, true
}

// area is the first dimension times the second, in square millimetres. A document uses square
// metres only in configurators with two dimensions.
func area(sizes []int64) int64 { return sizes[0] * sizes[1] }

func (e *Engine) dimensions(sizes []int64) []commerce.DimensionValue {
	values := make([]commerce.DimensionValue, len(sizes))
	for i, size := range sizes {
		values[i] = commerce.DimensionValue{Key: e.offered.Dimensions[i].Key, Value: size}
	}
	return values
}

func (e *Engine) ids(picked []int) []string {
	ids := make([]string, len(picked))
	for i, at := range picked {
		ids[i] = e.choices[at].ID
	}
	return ids
}

// hash is config_hash: the SHA-256 of the product's id, the dimensions sorted by key and the
// choices sorted by id. Every list and text follows its length, so different configurations have
// different inputs. Carts store the hash: its input format must never change.
func (e *Engine) hash(sizes []int64, picked []int) [sha256.Size]byte {
	text := append(make([]byte, 0, 256), e.product[:]...)
	text = binary.AppendUvarint(text, uint64(len(sizes)))
	for _, at := range e.sorted {
		text = appendText(text, e.offered.Dimensions[at].Key)
		text = binary.AppendVarint(text, sizes[at])
	}
	ranks := make([]int, len(picked))
	for i, at := range picked {
		ranks[i] = e.choices[at].rank
	}
	slices.Sort(ranks)
	text = binary.AppendUvarint(text, uint64(len(ranks)))
	for _, rank := range ranks {
		text = appendText(text, e.ranked[rank])
	}
	return sha256.Sum256(text)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}
