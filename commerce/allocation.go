package commerce

import "math/bits"

// allocate divides an amount over the lines in proportion to the rest of each, by largest
// remainder: the parts add up to the minor unit. sum is the rest of all lines, which is at least
// amount.
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

// spread divides an amount in proportion to weights by largest remainder, the earlier one first: the parts add up
// to the amount. An amount above 0 needs a weight above 0.
func spread(amount Amount, weights []Amount) []Amount {
	parts, sum := make([]Amount, len(weights)), sumOf(weights)
	if amount == 0 || sum == 0 {
		return parts
	}
	shares, missing := make([]lineDiscount, len(weights)), amount
	for i, weight := range weights {
		high, low := bits.Mul64(uint64(amount), uint64(weight))
		part, rest := bits.Div64(high, low, uint64(sum))
		missing -= Amount(part)
		shares[i] = lineDiscount{amount: Amount(part), rest: rest}
	}
	giveLargest(shares, int(missing))
	for i := range shares {
		parts[i] = shares[i].amount
	}
	return parts
}

// giveLargest gives one minor unit to each of the n shares with the largest remainders. Of equal
// remainders, the earlier line comes first. n is less than the number of shares.
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

// nthLargest returns the nth largest remainder, and how many of the n largest equal it. It is a
// radix selection, one byte at a time, so the work is linear in the number of lines.
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
