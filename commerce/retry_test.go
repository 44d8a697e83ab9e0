package commerce

import (
	"slices"
	"testing"
)

// The request of these tests, as it was remembered, and another one under its key.
var (
	sent       = &IdempotencyKey{Name: [16]byte{1}, Request: [16]byte{2}, Status: 201}
	other      = &IdempotencyKey{Name: [16]byte{1}, Request: [16]byte{3}, Status: 201}
	remembered = &IdempotencyEntry{Request: sent.Request, Status: 201, Stamp: Stamp{Counter: 1, Writer: 2, Sequence: 3}}
)

// A replay comes before everything but the cart and its owner; the version is
// judged after the path and before the body.
func TestRepeatedAndConditionalRequestsAreJudgedInTheirOrder(t *testing.T) {
	fault := &Refusal{Kind: Invalid, Message: "The quantity field is required."}
	missing, line := NotFound("Cart", cartID.String()), NotFound("CartLine", anID)
	stale, fresh := &Match{Versions: []Version{7}}, &Match{Versions: []Version{7, 8}}
	converted := func(s *scene) { s.cart.Status = CartConverted }
	owned := func(s *scene) { s.cart.Customer = Binding{ID: ada.CustomerID} }
	for _, c := range []struct {
		rule    string
		prepare func(*scene)
		key     *IdempotencyKey
		entry   *IdempotencyEntry
		match   *Match
		cmd     Command
		want    *Refusal // nil: replayed
	}{
		{"a replay", nil, sent, remembered, nil, PatchCart{}, nil},
		{"a replay before the version, the line and the body", nil, sent, remembered, stale, RemoveLine{anID}, nil},
		{"a replay on a converted cart", converted, sent, remembered, nil, PatchCart{}, nil},
		{"ownership before a replay", owned, sent, remembered, nil, PatchCart{}, CartOwned},
		{"an expired cart before a replay", func(s *scene) { s.in.Now = s.cart.ExpiresAt }, sent, remembered, nil, PatchCart{}, missing},
		{"no record before a replay", func(s *scene) { s.cart = nil }, sent, remembered, nil, PatchCart{}, missing},
		{"another request", nil, other, remembered, stale, PatchCart{}, IdempotencyKeyReused},
		{"another request on a converted cart", converted, other, remembered, nil, PatchCart{}, IdempotencyKeyReused},
		{"ownership before another request", owned, other, remembered, nil, PatchCart{}, CartOwned},
		{"a converted cart without an entry", converted, sent, nil, nil, PatchCart{}, missing},
		{"the line before the version", nil, sent, nil, stale, RemoveLine{anID}, line},
		{"the version before the body", nil, sent, nil, stale, PatchCart{}, CartChanged},
		{"the body of a cart that has its version", nil, sent, nil, fresh, PatchCart{}, fault},
		{"the body of any cart", nil, sent, nil, &Match{Any: true}, PatchCart{}, fault},
		{"a version that nobody has seen", func(s *scene) { s.in.Version = 0 }, nil, nil, &Match{Versions: []Version{0, 7, 8}}, PatchCart{}, CartChanged},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.in.Fault, s.in.Version = fault, 8
			s.in.Key, s.in.Entry, s.in.Match = c.key, c.entry, c.match
			if c.prepare != nil {
				c.prepare(s)
			}
			if c.want != nil {
				s.refuse(c.cmd, c.want)
				return
			}
			changed, refusal := Change(s.cart, cartID, c.cmd, &s.in)
			if refusal != nil || !changed.Replayed || changed.Cart != s.cart || changed.Effects != (Effects{}) {
				t.Errorf("got %+v, %v; want the cart as it stands, and no effect", changed, refusal)
			}
		})
	}
}

// Every write takes its key along, and a refused one nothing.
func TestAChangeRemembersItsKey(t *testing.T) {
	s := newScene(t)
	s.in.Key = sent
	s.do(s.add(tile, One))
	line := s.cart.Lines[0].ID.String()
	email := "ada@example.com"
	for _, cmd := range []Command{PatchCart{}, PatchCart{Email: &email}, ChangeLine{line, One}, RemoveLine{line}} {
		if s.do(cmd); s.effects.Key != sent {
			t.Errorf("%#v: remembered %v; want %v", cmd, s.effects.Key, sent)
		}
	}
	s.refuse(RemoveLine{line}, NotFound("CartLine", line))
}

// Every part of the stamp and the place make another version, and none is 0, which
// stands for a state that is not committed yet.
func TestAVersionBelongsToOneState(t *testing.T) {
	var seen []Version
	for _, s := range []Stamp{{}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1 << 63, 0, 0}, {0, 1 << 63, 0}, {0, 0, 1 << 63}} {
		for _, place := range []int{0, 1, 2, 255, 256} {
			v := s.Version(place)
			if v == 0 || slices.Contains(seen, v) {
				t.Errorf("%v, place %d: the version %x is 0 or not its own", s, place, v)
			}
			if again := s.Version(place); again != v {
				t.Errorf("%v, place %d: %x and %x", s, place, v, again)
			}
			seen = append(seen, v)
		}
	}
}
