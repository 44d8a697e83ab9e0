package engine

import (
	"testing"
	"time"

	"cartd/commerce"
)

// docs/decisions.md#discounts: 20 unknown codes in ten minutes. A try whose answer shows nothing about the
// code is taken back.
func TestAttachCode(t *testing.T) {
	granted, spent := Budget{Granted: true, Limit: 20, Remaining: 7}, Budget{Limit: 20, RetryAfter: time.Minute}
	after := granted
	after.Remaining--
	judged := func(r *Request) (Reply, error) { // refused if the budget is spent
		reply, err := done(r)
		if r.Command.(commerce.AttachCode).Spent {
			err = commerce.TooManyAttempts
		}
		return reply, err
	}
	answer := func(replayed bool, err error) func(*Request) (Reply, error) {
		return func(r *Request) (Reply, error) {
			reply, _ := done(r)
			reply.Replayed = replayed
			return reply, err
		}
	}
	overLimit := func(r *Request) (Reply, error) {
		r.Budget = Budget{Limit: 120}
		return Reply{Facts: &r.Facts}, commerce.TooManyAttempts
	}
	for _, c := range []struct {
		rule, code string
		budget     Budget
		visit      func(*Request) (Reply, error)
		want       error
		nested     Budget
		began      int
		back       int // tries taken back
	}{
		{"known", "KNOWN", granted, judged, nil, Budget{}, 0, 0},
		{"known, spent", "KNOWN", spent, judged, commerce.TooManyAttempts, spent, 0, 0},
		{"unknown", "x", granted, judged, nil, after, 1, 0},
		{"unknown, the last one", "x", Budget{Granted: true, Limit: 20}, judged, nil, Budget{Granted: true, Limit: 20}, 1, 0},
		{"unknown, spent", "x", spent, judged, commerce.TooManyAttempts, spent, 1, 1},
		{"a replay", "x", granted, answer(true, nil), nil, Budget{}, 1, 1},
		{"a replay while spent", "x", spent, answer(true, nil), nil, Budget{}, 1, 1},
		{"a refusal", "x", granted, answer(false, commerce.CartOwned), commerce.CartOwned, Budget{}, 1, 1},
		{"a refusal while spent", "x", spent, answer(false, commerce.CartOwned), commerce.CartOwned, Budget{}, 1, 1},
		{"over the store's limit while spent", "x", spent, overLimit, commerce.TooManyAttempts, Budget{}, 1, 1},
		{"no outcome", "x", granted, func(*Request) (Reply, error) { return Reply{}, ErrUnknownOutcome }, ErrUnknownOutcome, Budget{}, 1, 1},
		{"no outcome while spent", "x", spent, func(*Request) (Reply, error) { return Reply{}, ErrUnavailable }, ErrUnavailable, Budget{}, 1, 1},
	} {
		e, s, _, r := newWrite(outdated(false), c.visit)
		r.Store.Discounts = []commerce.Discount{{Code: "Known", Active: true}}
		r.Store.Index()
		r.Command, s.codes = commerce.AttachCode{Code: c.code}, c.budget
		reply, err := e.AttachCode(r)
		if err != c.want || reply.Nested != c.nested || s.began != c.began || s.back != c.back {
			t.Errorf("%s: %v, %+v, %d tries, %d taken back; want %v, %+v, %d, %d", c.rule, err, reply.Nested, s.began, s.back, c.want, c.nested, c.began, c.back)
		}
	}
	e, s, _, r := newWrite(done)
	r.Command, s.err = commerce.AttachCode{Code: "x"}, ErrUnavailable
	if reply, err := e.AttachCode(r); err != ErrUnavailable || reply.Facts != nil {
		t.Errorf("Redis is away: %+v, %v; want %v without facts", reply, err, ErrUnavailable)
	}
	r.Fault = badBody // is judged by the visit
	if _, err := e.AttachCode(r); err != nil || s.began != 1 {
		t.Errorf("with a fault of the body: %v after %d tries; want only the earlier one", err, s.began)
	}
}
