package commerce

import (
	"strings"
	"time"
)

// From checks the start of a list of orders: a time of RFC 3339, or a date, which means its first
// moment in UTC. It returns zero if the text is empty or faulty. docs/api/checkout.md#orders.
func (f *Faults) From(field, text string) time.Time {
	from, _ := f.moment(field, text)
	return from
}

// To checks the end of a list of orders. A date or a whole second means its last millisecond, for
// an order's time is shown in whole seconds.
func (f *Faults) To(field, text string) time.Time {
	_, to := f.moment(field, text)
	return to
}

// moment reads a date or a time, and returns its first and its last millisecond.
func (f *Faults) moment(field, text string) (first, last time.Time) {
	if text == "" {
		return first, last
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, day.Add(24*time.Hour - time.Millisecond)
	}
	at, ok := ParseTime(text)
	switch {
	case !ok:
		f.Add(field, MsgDate(field))
	case !strings.Contains(text, "."):
		return at, at.Add(time.Second - time.Millisecond)
	}
	return at, at
}

// ParseTime reads a time of RFC 3339 strictly. Package time also accepts hours of one digit,
// fractions after a comma, and zones of 24 hours or 60 minutes.
func ParseTime(text string) (t time.Time, ok bool) {
	if t.UnmarshalText([]byte(text)) != nil || text[len("2006-01-02T1")] == ':' || strings.Contains(text, ",") {
		return time.Time{}, false
	}
	zone := text[len(text)-len("07:00"):]
	if text[len(text)-1] != 'Z' && (zone[:2] > "23" || zone[3:] > "59") {
		return time.Time{}, false
	}
	return t, true
}
