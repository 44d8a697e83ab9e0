package commerce

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFaultsBecomeOneRefusal(t *testing.T) {
	var f Faults
	if r := f.Refusal(); r != nil {
		t.Errorf("no fault gave %v", r)
	}
	f.Add("quantity", MsgDecimals("quantity"))
	f.Add("lines.0.unit_price", MsgNumber("lines.0.unit_price"))
	f.Add("quantity", MsgPositive("quantity"))
	f.Add("quantity", MsgDecimals("quantity")) // identical texts are not repeated
	want := &Refusal{Kind: Invalid, Message: "The quantity field must have 0-3 decimal places.", Fields: []FieldError{
		{"quantity", saying("The quantity field must have 0-3 decimal places.", "The quantity field must be greater than 0.")},
		{"lines.0.unit_price", saying("The lines.0.unit_price field must be a number.")},
	}}
	if got := f.Refusal(); inWords(got) != inWords(want) {
		t.Errorf("got %s; want %s", inWords(got), inWords(want))
	}
}

// The index of many fields changes nothing: whatever is added, taken back and sorted, the faults are those
// of a search.
func TestFaultsOfManyFields(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	order := []string{"c", "a", "b"}
	for range 50 {
		var got, want Faults
		for range dice.IntN(200) {
			top := order[dice.IntN(3)]
			field := fmt.Sprint(top, ".", dice.IntN(40))
			message := []Message{MsgString(field), MsgRequired(field)}[dice.IntN(2)]
			switch dice.IntN(12) {
			case 0:
				field = fmt.Sprint(top, dice.IntN(5))
				got.AddEmpty(field)
				want.search(field, MsgString(field))
			case 1:
				field = fmt.Sprint(top, dice.IntN(5))
				got.empty = append(got.empty, field)
				got.allowEmpty(field)
				want.fields = slices.DeleteFunc(want.fields, func(e FieldError) bool { return e.Field == field })
			case 2:
				got = got.clone()
			case 3:
				got.inOrder(order)
				want.inOrder(order)
			case 4:
				below := Faults{}
				below.Add("x", MsgString("x"))
				at := fmt.Sprint(top, ".", len(want.fields), ".below")
				got.AddBelow(at, &below)
				want.AddBelow(at, &below)
			default:
				got.Add(field, message)
				want.search(field, message)
			}
		}
		if g, w := fmt.Sprint(got.fields), fmt.Sprint(want.fields); g != w {
			t.Fatalf("got %s\nwant %s", g, w)
		}
	}
}

// search is Add by a search.
func (f *Faults) search(field string, message Message) {
	for i := range f.fields {
		if f.fields[i].Field == field {
			if !slices.Contains(f.fields[i].Messages, message) {
				f.fields[i].Messages = append(f.fields[i].Messages, message)
			}
			return
		}
	}
	f.fields = append(f.fields, FieldError{Field: field, Messages: []Message{message}})
}

// A list of faults ends after 100 fields with the number of all other faults.
func TestFirstFaults(t *testing.T) {
	fields := func(n int) (all []FieldError) {
		for i := range n {
			all = append(all, FieldError{fmt.Sprint("f", i), []Message{MsgRequired("f"), MsgString("f")}[:1+i%2]})
		}
		return all
	}
	for _, row := range []struct{ fields, leftOut, want, more int }{
		{0, 0, 0, 0}, {1, 0, 1, 0}, {100, 0, 100, 0}, {101, 0, 101, 1}, {102, 0, 101, 3}, {137, 0, 101, 55}, {100, 5, 101, 5}, {3, 1, 4, 1},
	} {
		got := FirstFaults(fields(row.fields), "request", row.leftOut)
		if len(got) != row.want || inWords(&Refusal{Fields: got[:min(len(got), row.fields, 100)]}) != inWords(&Refusal{Fields: fields(min(row.fields, 100))}) {
			t.Errorf("%+v: %d fields: %s", row, len(got), inWords(&Refusal{Fields: got}))
		}
		if row.more > 0 && (got[len(got)-1].Field != "request" || got[len(got)-1].Texts()[0] != fmt.Sprintf("The request field has %d more faults.", row.more)) {
			t.Errorf("%+v: the last is %v", row, got[len(got)-1].Texts())
		}
		if again := FirstFaults(got, "another", 0); len(again) != len(got) {
			t.Errorf("%+v: a list that ends so gets a further end: %d", row, len(again))
		}
	}
	own := fields(120)
	own[7].Field = "document"
	if got := FirstFaults(own, "document", 0); len(got) != 100 || len(got[7].Messages) != 3 || len(own[7].Messages) != 2 {
		t.Errorf("a field with the name: %d fields, %v", len(got), got[7].Texts())
	}
}
