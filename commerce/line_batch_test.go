package commerce

import (
	"testing"

	"github.com/google/uuid"
)

func batch(adds ...AddLine) (b AddLines) {
	for i, a := range adds {
		a.LineID = testID(0x3000 + i)
		b = append(b, BatchedAdd{AddLine: a})
	}
	return b
}

// All entries in one commit, merged like separate adds.
func TestABatchIsItsAddsInTheirOrder(t *testing.T) {
	s, one := newScene(t), newScene(t)
	adds := []AddLine{s.add(tile, 6*One), s.add(cord, 1500), s.add(tile, 4*One), s.add(cord, 1000)}
	s.do(batch(adds...))
	for _, a := range adds {
		one.do(a)
	}
	s.wantLine(0, 10*One, 900)
	s.wantLine(1, 2500, 199)
	for i, l := range s.cart.Lines {
		if l.Born != 2 || l.Name != one.cart.Lines[i].Name || l.Quantity != one.cart.Lines[i].Quantity || l.UnitPrice != one.cart.Lines[i].UnitPrice {
			t.Errorf("line %+v; one by one %+v", l, one.cart.Lines[i])
		}
	}
}

// docs/api/lines.md#batch: after any refusal nothing is added, and every refused entry is reported.
func TestABatchIsRefusedAsAWhole(t *testing.T) {
	required := func(field string) *Refusal {
		var f Faults
		f.Add(field, MsgRequired(field))
		return f.Refusal()
	}
	s := newScene(t)
	b := batch(s.add(tile, One), s.add(nowhere, One), s.add(tile, 100*One), s.add(drill, One), s.add(cord, One), s.add(gift, One),
		s.add(special, One), s.add(dear, One))
	b[4].Fault = required("product_id")
	b[0].Fault = nil
	s.refuse(b, &Refusal{Kind: Invalid, Message: "Product is not available.", Code: "cart_constraint", Fields: []FieldError{
		{"lines.1.product_id", saying("Product is not available.")},
		{"lines.2", saying("Quantity exceeds the per-line maximum.")},
		{"lines.3.variant_id", saying("Choose a variant for this product.")},
		{"lines.4.product_id", saying("The lines.4.product_id field is required.")},
	}})
	var noObject Faults
	noObject.Add("", MsgArray(""))
	b[4].Fault = noObject.Refusal()
	if _, _, r := s.try(b); r.Fields[3].Field != "lines.4" || r.Fields[3].Texts()[0] != "The lines.4 field must be an array." {
		t.Errorf("an entry that is no object: %v", r.Fields[3])
	}
	b[4].Fault = nil // a fifth line
	_, _, r := s.try(b)
	if last := r.Fields[len(r.Fields)-1]; last.Field != "lines.7" || last.Messages[0].Text() != "Cart line limit reached." ||
		last.Messages[0].Row().Code != "line_limit_reached" {
		t.Errorf("the last fault is %v", last)
	}
}

// A refused entry does not count for later ones.
func TestARefusedEntryLeavesNoTrace(t *testing.T) {
	s := newScene(t)
	unlimited(s.shop)
	s.refuse(batch(s.add(dear, 99*One), s.add(dear, One), s.add(tile, One)), &Refusal{
		Kind: Invalid, Message: "Cart total limit reached.", Code: "cart_constraint",
		Fields: []FieldError{{"lines.1", saying("Cart total limit reached.")}},
	})
}

// An entry that meets a line of its own batch lost no race. One that meets another request's new
// line did.
func TestABatchRacesOnlyAgainstOthers(t *testing.T) {
	s := newScene(t)
	s.refuse(batch(s.add(tile, 60*One), s.add(tile, 41*One)), &Refusal{
		Kind: Invalid, Message: QuantityAboveMaximum.Message, Code: "cart_constraint",
		Fields: []FieldError{{"lines.1", saying(QuantityAboveMaximum.Message)}},
	})
	s.do(s.add(tile, 60*One))
	s.in.Seen = 1
	s.do(batch(s.add(tile, 60*One), s.add(cord, One), s.add(tile, One)))
	s.wantLine(0, 100*One, 900)
	for _, l := range s.cart.Lines {
		if l.ProductID == cord && l.Born != s.in.Seen {
			t.Errorf("a line of the batch is of commit %d; want %d", l.Born, s.in.Seen)
		}
	}
	s.in.Seen = 1 // another visitor's add against the batch's line
	s.do(AddLine{LineID: uuid.New(), ProductID: cord, Quantity: 100 * One})
	s.wantLine(1, 100*One, 199)
}
