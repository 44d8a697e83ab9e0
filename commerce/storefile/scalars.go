package storefile

import (
	"slices"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// str reads a text, of a kind that the caller judges. False: there is none, or it
// is no text.
func (f field) str() (string, bool) {
	if f.absent() {
		return "", false
	}
	if f.raw.Kind() != strictjson.String {
		f.fault("must be a string")
		return "", false
	}
	return f.raw.Text(), true
}

// remark reads a text that may be empty; absent is "".
func (f field) remark() string {
	text, _ := f.str()
	return text
}

// text reads a text that is not empty: a name, slug, SKU, key or token.
func (f field) text() string {
	text, ok := f.str()
	if ok && text == "" {
		f.fault("must not be empty")
	}
	return text
}

// boolean reads true or false.
func (f field) boolean(absent bool) bool {
	if f.absent() {
		return absent
	}
	if f.raw.Kind() != strictjson.Bool {
		f.fault("must be true or false")
	}
	return f.raw.Bool()
}

// percent reads a percentage, an exact decimal string.
func (f field) percent(absent commerce.Percent) commerce.Percent {
	if f.absent() {
		return absent
	}
	p, err := commerce.ParsePercent(f.raw.Text())
	if err != nil {
		f.mustBe(aPercent)
	}
	return p
}

// quantity reads a quantity as the specification writes it in a string.
// Spec: Quantity rules 1 and 2.
func (f field) quantity(absent commerce.Quantity) commerce.Quantity {
	if f.absent() {
		return absent
	}
	q, err := commerce.ParseQuantity(f.raw.Text())
	if err != nil || q <= 0 {
		f.mustBe(aQuantity)
	}
	return q
}

// stock reads what is on hand; absent is 0.
func (f field) stock() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m > commerce.MaxStock {
		f.mustBe(aStock)
	}
	return m
}

// usage reads how much of a component one unit uses.
func (f field) usage() commerce.Micros {
	if f.absent() {
		return 0
	}
	m, err := commerce.ParseMicros(f.raw.Text())
	if err != nil || m <= 0 {
		f.mustBe(aUsage)
	}
	return m
}

// time reads a time of RFC 3339; absent is the zero time.
func (f field) time() time.Time {
	text, ok := f.str()
	if !ok {
		return time.Time{}
	}
	t, ok := parseTime(text)
	if !ok {
		f.mustBe(aTime)
	}
	return t.UTC()
}

// parseTime reads a time strictly: package time also takes hours of one digit,
// fractions behind a comma and zones of 24 hours or 60 minutes.
func parseTime(text string) (t time.Time, ok bool) {
	if t.UnmarshalText([]byte(text)) != nil || text[len("2006-01-02T1")] == ':' || strings.Contains(text, ",") {
		return time.Time{}, false
	}
	zone := text[len(text)-len("07:00"):]
	if text[len(text)-1] != 'Z' && (zone[:2] > "23" || zone[3:] > "59") {
		return time.Time{}, false
	}
	return t, true
}

// pick reads one of several names and returns its place among them; absent is the
// first. False: it was refused.
func (f field) pick(names []string) (int, bool) {
	if f.absent() {
		return 0, true
	}
	if i := slices.IndexFunc(names, f.raw.Is); i >= 0 {
		return i, true
	}
	f.fault("must be " + among(names))
	return 0, false
}

// word is pick for what commerce keeps as a text.
func (f field) word(names ...string) string {
	i, _ := f.pick(names)
	return names[i]
}

// among says in a fault which names there are.
func among(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}
