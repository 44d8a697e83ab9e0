package commerce

import "math/bits"

// Amount is money in minor units (cents). Amounts are never negative.
type Amount int64

// MaxAmount is the maximum integer that every JSON number type carries exactly (2^53 − 1). The API
// shows no greater amount.
const MaxAmount Amount = 9_007_199_254_740_991

// Times returns a unit price times a quantity, rounded half up to whole minor units. Above
// MaxAmount it returns MaxAmount and false. Spec: Quantity rules 5.
func (a Amount) Times(q Quantity) (Amount, bool) { return a.scale(uint64(q), uint64(One)) }

// Percent returns p percent of a, rounded half up.
func (a Amount) Percent(p Percent) Amount {
	part, _ := a.scale(uint64(p), uint64(Hundred)) // at most a
	return part
}

// ForArea returns a price for one square metre times an area in square millimetres, rounded half
// up. Above MaxAmount it returns MaxAmount and false.
func (a Amount) ForArea(area int64) (Amount, bool) { return a.scale(uint64(area), 1_000_000) }

// scale returns a × numerator ÷ denominator, rounded half up. The product has 128 bits, so it is
// exact. Above MaxAmount it returns MaxAmount and false.
func (a Amount) scale(numerator, denominator uint64) (Amount, bool) {
	high, low := bits.Mul64(uint64(a), numerator)
	if high >= denominator {
		return MaxAmount, false
	}
	quotient, rest := bits.Div64(high, low, denominator)
	if quotient > uint64(MaxAmount) {
		return MaxAmount, false
	}
	if rest >= denominator-rest {
		quotient++
	}
	if quotient > uint64(MaxAmount) {
		return MaxAmount, false
	}
	return Amount(quotient), true
}

// Amount checks a JSON number as an amount of money; it returns nil after a fault.
func (f *Faults) Amount(field, number string) *Amount {
	switch n, whole := ParseWhole(number); {
	case !whole:
		f.Add(field, MsgInteger(field))
	case n < 0:
		f.Add(field, MsgMin(field, 0))
	default:
		return (*Amount)(&n)
	}
	return nil
}
