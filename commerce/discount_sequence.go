package commerce

import "slices"

// discountSequence has all kinds in the order in which they apply.
// docs/store-document.md#discounts: bogo, products, order, shipping.
var discountSequence = []DiscountKind{DiscountBogo, DiscountProducts, DiscountOrder, DiscountShipping}

// rank is the kind's position in the sequence. A lower one applies first.
func (k DiscountKind) rank() int { return slices.Index(discountSequence, k) }

// position is the place of the discount, the i-th of so many, in the order in which they apply. Those of
// one kind stay in the document's order. Exclusive ones, which are judged ahead of all others, are below
// zero, in the document's order.
func (d *Discount) position(i, all int) int {
	if d.Exclusive {
		return i - all
	}
	return d.Kind.rank()*all + i
}

// discountQueue has the discounts of a cart that have not been judged yet, in their order.
type discountQueue struct {
	automatic []readyDiscount
	codes     []codedDiscount
}

// next takes the next discount, nil if there is none with a position below a limit. coded is nil if it is
// automatic.
func (q *discountQueue) next(below int) (r *readyDiscount, coded *codedDiscount) {
	if len(q.codes) > 0 && (len(q.automatic) == 0 || q.codes[0].position < q.automatic[0].position) {
		if coded = &q.codes[0]; coded.position >= below {
			return nil, nil
		}
		q.codes = q.codes[1:]
		return coded.readyDiscount, coded
	}
	if len(q.automatic) == 0 || q.automatic[0].position >= below {
		return nil, nil
	}
	r = &q.automatic[0]
	q.automatic = q.automatic[1:]
	return r, nil
}
