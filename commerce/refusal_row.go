package commerce

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// table has every fixed row, for the test that produces each one.
var table []*Refusal

// Refusals lists every fixed row of the table, in order.
func Refusals() []*Refusal { return table }

func row(kind Kind, message string) *Refusal {
	r := &Refusal{Kind: kind, Message: message}
	table = append(table, r)
	return r
}

func (r *Refusal) bare() *Refusal { r.BareError = true; return r }

func (r *Refusal) when(when, then string) *Refusal { r.When, r.Then = when, then; return r }

func (r *Refusal) code(code string) *Refusal { r.Code = code; return r }

// Plain is the refusal without its code, for routes that only validate.
func (r *Refusal) Plain() *Refusal {
	validation := *r
	validation.Code = ""
	return &validation
}

// because, atTotal, leaving, withCodes, Of and asOrder return a row with further members of the body.
func (r Refusal) because(reasons []string) *Refusal {
	r.Reasons = slices.Clone(reasons)
	return &r
}

// Saying is the refusal with a text of the operator's own; an empty one changes nothing.
func (r Refusal) Saying(text string) *Refusal {
	r.Message = cmp.Or(text, r.Message)
	return &r
}

func (r Refusal) atTotal(total Amount) *Refusal {
	r.CurrentTotal = &total
	return &r
}

func (r Refusal) atVersion(version int) *Refusal {
	r.CurrentVersion = version
	return &r
}

func (r Refusal) leaving(left Amount) *Refusal {
	r.LeftAmount = &left
	return &r
}

func (r Refusal) withCodes(codes []CodeResult) *Refusal {
	r.DiscountCodes = codes
	return &r
}

// Of is the refusal with the items that are short, if there are any.
func (r Refusal) Of(short []StockShort) *Refusal {
	r.OutOfStock = short
	return &r
}

func (r Refusal) asOrder(id uuid.UUID) *Refusal {
	r.OrderID = id
	return &r
}

// field makes the refusal one of a field, with the message's code.
func (r *Refusal) field(name, code string) *Refusal {
	r.entry(code)
	r.Fields = []FieldError{{Field: name, Messages: []Message{r.About.of(name)}}}
	return r
}

// limit makes the refusal one of a limit, under a field of error_codes.
func (r *Refusal) limit(name, code string) *Refusal {
	r.entry(code)
	r.About.Params = []MessageParam{{Name: "max"}}
	r.Limit = []FieldError{{Field: name}}
	return r
}

// atMost is the refusal of a limit with its maximum.
func (r Refusal) atMost(max any) *Refusal {
	name := r.Limit[0].Field
	r.Limit = []FieldError{{Field: name, Messages: []Message{r.About.of(name, max)}}}
	return &r
}

// under is the refusal with its limit under the path of an entry. r may be nil.
func (r *Refusal) under(path string) *Refusal {
	if r == nil || r.Limit == nil {
		return r
	}
	moved := *r
	moved.Limit = []FieldError{{Field: path, Messages: []Message{r.alone(path)}}}
	return &moved
}

// alone is the message of a refusal without fields, about a path.
func (r *Refusal) alone(path string) Message {
	if r.Limit != nil {
		return r.Limit[0].Messages[0].about(path)
	}
	return r.About.of(path)
}

// entry gives the message a code, for a refusal that is listed in errors for the entry of a batch.
func (r *Refusal) entry(code string) *Refusal {
	r.About = rowOf(r.Message)
	if r.About == nil {
		r.About = addMessage(code, r.Message, "")
	}
	return r
}
