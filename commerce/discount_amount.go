package commerce

// lineDiscount is one discount's amount off one line.
type lineDiscount struct {
	line   int
	amount Amount
	// rest is the remainder of an allocated share.
	rest uint64
}

// amount is the current discount's amount off all lines.
func (e *Evaluation) amount() (sum Amount) {
	for i := range e.lineDiscounts {
		sum += e.lineDiscounts[i].amount
	}
	return sum
}

// reduce adds an amount off a line to the current discount.
func (e *Evaluation) reduce(line int, amount Amount) {
	e.lineDiscounts = append(e.lineDiscounts, lineDiscount{line: line, amount: amount})
}

// left is the sum of all lines after the earlier discounts.
func (d *discounting) left() Amount { return d.undiscounted - d.DiscountTotal }

// off is the value's reduction of an amount.
func (v *DiscountValue) off(a Amount) Amount {
	if v.Fixed {
		return min(v.Amount, a)
	}
	return a.Percent(v.Percent)
}
