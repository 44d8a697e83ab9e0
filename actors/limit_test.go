package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// Requests of a merchant's key go beyond the limit by a quarter of it, also those that stand behind
// refused requests of other keys on the same cart. Each is counted once, in the order of arrival.
func TestMerchantsRequestsBeyondTheLimit(t *testing.T) {
	s := newScene(t)
	s.storage.set(func() { s.storage.limit, s.storage.counted, s.storage.head = 12, 9, "head 1" }) // one is for the visit that collects the others
	s.node.learn(nil)
	merchant := &commerce.APIKey{Scopes: commerce.AnyOf(commerce.CommerceWrite, commerce.OrdersWrite)}
	rows := []struct {
		key  *commerce.APIKey
		left int // -1: refused
	}{
		{nil, 1}, {merchant, 3}, {nil, -1}, {nil, -1}, {merchant, 2}, {merchant, 1}, {nil, -1}, {merchant, 0}, {merchant, -1}, {nil, -1}, {merchant, -1},
	}
	var requests []*engine.Request
	for _, row := range rows {
		r := s.request(add(1))
		if row.key != nil {
			r.Key = row.key
		}
		requests = append(requests, r)
	}
	calls, h := s.whileHalted(requests...)
	h.let(fate{})
	granted := 0
	for i, row := range rows {
		if row.left < 0 {
			s.wantError(calls[i], commerce.TooManyAttempts)
			continue
		}
		granted++
		if got := s.wantError(calls[i], nil).Facts.Budget; got.Limit != 12 || got.Remaining != row.left {
			t.Errorf("request %d has the budget %+v, want %d left", i, got, row.left)
		}
	}
	s.want(1, granted)
	if s.storage.counted != 15 {
		t.Errorf("%d requests are counted, want 15", s.storage.counted)
	}
}
