package commerce

import "math/bits"

// lineDiscount is what one discount takes off one line.
type lineDiscount struct {
	line   int
	amount Amount
	// rest is the remainder of an allocated share.
	rest uint64
}

// amount is what the discount at hand takes off all lines.
func (e *Evaluation) amount() (sum Amount) {
	for i := range e.lineDiscounts {
		sum += e.lineDiscounts[i].amount
	}
	return sum
}

// take notes what the discount at hand takes off a line.
func (e *Evaluation) take(line int, amount Amount) {
	e.lineDiscounts = append(e.lineDiscounts, lineDiscount{line: line, amount: amount})
}

// left is what the earlier discounts left of all lines.
func (d *discounting) left() Amount { return d.before - d.DiscountTotal }

// off is what the value takes off an amount.
func (v *DiscountValue) off(a Amount) Amount {
	if v.Fixed {
		return min(v.Amount, a)
	}
	return a.Percent(v.Percent)
}

// allocate divides an amount over the lines in proportion to what is left of each, by
// largest remainder: the parts add up to the minor unit. sum is what is left of all
// lines, amount at most that.
func (d *discounting) allocate(amount, sum Amount) {
	if amount == 0 {
		return
	}
	missing := amount
	for i, left := range d.LineTotals {
		high, low := bits.Mul64(uint64(amount), uint64(left))
		share, rest := bits.Div64(high, low, uint64(sum))
		missing -= Amount(share)
		d.lineDiscounts = append(d.lineDiscounts, lineDiscount{line: i, amount: Amount(share), rest: rest})
	}
	giveLargest(d.lineDiscounts, int(missing))
}

// giveLargest gives one minor unit to each of the n shares with the largest remainder,
// of equal ones to the earlier. n is less than the number of shares.
func giveLargest(shares []lineDiscount, n int) {
	if n == 0 {
		return
	}
	smallest, equal := nthLargest(shares, n)
	for i := range shares {
		switch c := &shares[i]; {
		case c.rest > smallest:
			c.amount++
		case c.rest == smallest && equal > 0:
			c.amount++
			equal--
		}
	}
}

// nthLargest returns the nth largest remainder, and how many of the n largest are
// equal to it. It looks at one byte after the other, so that its work grows with the
// number of lines and not faster.
func nthLargest(shares []lineDiscount, n int) (nth uint64, equal int) {
	const digit = 8
	all := uint64(0)
	for i := range shares {
		all |= shares[i].rest
	}
	for shift := bits.Len64(all) / digit * digit; shift >= 0; shift -= digit {
		var counts [1 << digit]int32
		for i := range shares {
			if rest := shares[i].rest; rest>>shift>>digit == nth {
				counts[rest>>shift&(1<<digit-1)]++
			}
		}
		at := len(counts) - 1
		for n > int(counts[at]) {
			n -= int(counts[at])
			at--
		}
		nth = nth<<digit | uint64(at)
	}
	return nth, n
}
