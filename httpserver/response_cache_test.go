package httpserver

import (
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// A cached answer equals a newly made one: it depends on nothing but the state, the store, the
// pricing context and the time.
func TestACachedReadEqualsANewOne(t *testing.T) {
	h := start(t)
	c, s, _ := threeLines()
	c.DiscountCode = new(string)
	*c.DiscountCode = "NIGHT"
	night := commerce.Discount{
		Name: "Night", Code: "NIGHT", Active: true, StartsAt: testNow.Add(time.Hour), EndsAt: testNow.Add(2 * time.Hour),
		Value: commerce.DiscountValue{Percent: commerce.Hundred / 10},
	}
	s.Discounts = []commerce.Discount{night}
	s.Index()
	renamed := *s
	renamed.Policy.MaxLines = 7
	other := *c
	other.Email = "other@example.com"
	first, second := engine.Stamp{Counter: 1, Writer: 2, Sequence: 3}, engine.Stamp{Counter: 1, Writer: 2, Sequence: 4}
	guest, trade := commerce.Visitor{}, commerce.Visitor{Known: true, B2B: true}
	for _, step := range []struct {
		name    string
		stamp   engine.Stamp
		cart    *commerce.Cart
		store   *commerce.Store
		visitor commerce.Visitor
		after   time.Duration
	}{
		{"first", first, c, s, guest, 0},
		{"again", first, c, s, guest, 0},
		{"kept", first, c, s, guest, time.Minute},
		{"a customer's context", first, c, s, trade, time.Minute},
		{"kept still", first, c, s, guest, time.Minute},
		{"the discount begins", first, c, s, guest, time.Hour},
		{"and runs", first, c, s, guest, time.Hour + time.Minute},
		{"and is over", first, c, s, guest, 2 * time.Hour},
		{"the clock steps back", first, c, s, guest, 0},
		{"another store", first, c, &renamed, guest, 0},
		{"another store, kept", first, c, &renamed, guest, time.Minute},
		{"another state", second, &other, s, guest, 0},
		{"another state, again", second, &other, s, guest, 0},
		{"another state, kept", second, &other, s, guest, 0},
	} {
		now := testNow.Add(step.after)
		h.engine.reply = engine.Reply{Cart: step.cart, Stamp: step.stamp}
		h.engine.admission.Store, h.engine.admission.Visitor, h.engine.admission.Now = step.store, step.visitor, now
		var e commerce.Evaluation
		e.Evaluate(step.cart, step.store, step.visitor, now)
		for range 3 {
			h.expect(call{method: "GET", path: cartsPath + "/" + testCart}, 200, string(appendCart(nil, step.cart, step.store, &e)))
		}
		if !step.visitor.Known && h.server.responses.find(step.stamp, &h.engine.admission) == nil {
			t.Errorf("%s: read three times and not kept", step.name)
		}
	}
}

// An answer is cached at its second read, unless it is long.
func TestTheSecondReadIsCached(t *testing.T) {
	var r responseCache
	a := &engine.Facts{Store: sampleStore(), Now: testNow}
	stamp := engine.Stamp{Counter: 1, Writer: 2, Sequence: 3}
	if r.keep(stamp, a, []byte("body")); r.find(stamp, a) != nil {
		t.Error("kept the first time")
	}
	r.keep(stamp, a, []byte("body"))
	if kept := r.find(stamp, a); kept == nil || string(kept.body) != "body" {
		t.Errorf("the second time: %v", kept)
	}
	for range 2 {
		r.keep(engine.Stamp{Writer: 1}, a, []byte(strings.Repeat("x", maxCachedResponse+1)))
	}
	if r.find(engine.Stamp{Writer: 1}, a) != nil {
		t.Error("a long answer is kept")
	}
}
