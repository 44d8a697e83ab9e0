package bench

import (
	"slices"
	"strings"
)

// slot is a variable of a template. It is filled for each request.
type slot uint8

const (
	slotCart slot = iota
	slotLine
	slotProduct
	slotQuantity
	slotConfiguration
	slotKey
	slotToken
	slotOnce
	slotText
	slotMark
	slotPage
	slotOrder
	slotAmount  // of an order, in minor units
	slotAdmin   // the key of the shop's own programs
	slotSession // a text that the server gave this shopper
	slotPayment
	slots
)

// slotNames are the names of the slots in braces.
var slotNames = [slots]string{
	"cart", "line", "product", "quantity", "configuration", "key", "token", "once", "text", "mark", "page",
	"order", "amount", "admin", "session", "payment",
}

// values fill the slots of one request.
type values [slots][]byte

func (v *values) set(s slot, text string) { v[s] = append(v[s][:0], text...) }

// template is text with slots: literal[0] slot[0] literal[1] … literal[n].
type template struct {
	literals []string
	slots    []slot
}

// parseTemplate reads {name} as a slot if name is the name of one. Other braces are text.
func parseTemplate(text string) template {
	var t template
	literal := ""
	for {
		before, rest, found := strings.Cut(text, "{")
		literal += before
		if !found {
			t.literals = append(t.literals, literal)
			return t
		}
		name, after, _ := strings.Cut(rest, "}")
		if s, ok := slotNamed(name); ok {
			t.literals, t.slots = append(t.literals, literal), append(t.slots, s)
			literal, text = "", after
		} else {
			literal, text = literal+"{", rest
		}
	}
}

func slotNamed(name string) (slot, bool) {
	at := slices.Index(slotNames[:], name)
	return slot(max(0, at)), at >= 0
}

// append writes the template with its slots filled.
func (t *template) append(dst []byte, v *values) []byte {
	for i, s := range t.slots {
		dst = append(append(dst, t.literals[i]...), v[s]...)
	}
	return append(dst, t.literals[len(t.slots)]...)
}

// fixed reports whether the template has no slots.
func (t *template) fixed() bool { return len(t.slots) == 0 }

// unknown returns an unknown {name} in the text, "" if there is none.
func (t *template) unknown() string {
	for _, literal := range t.literals {
		if i := strings.IndexByte(literal, '{'); i >= 0 {
			return literal[i:]
		}
	}
	return ""
}
