package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// matching is a command under an If-Match with these versions.
func (s *scene) matching(cmd cartCommand, versions ...engine.Version) *engine.Request {
	s.Helper()
	req := s.request(cmd)
	req.Match = &engine.Match{Versions: versions}
	return req
}

// version is the stored cart's version.
func (s *scene) version() engine.Version { return s.storage.record(s.key).Stamp.Version(0) }

func TestAMatchIsComparedWithTheStateTheCommandIsAppliedTo(t *testing.T) {
	s := newScene(t)
	old := s.version()
	s.do(add(1))
	now := s.version()
	for _, c := range []struct {
		rule  string
		match *engine.Match
		want  error
	}{
		{"none sent", nil, nil},
		{"an earlier version", &engine.Match{Versions: []engine.Version{old}}, commerce.CartChanged},
		{"no version at all", &engine.Match{}, commerce.CartChanged},
		{"the zero version", &engine.Match{Versions: []engine.Version{0}}, commerce.CartChanged},
		{"any", &engine.Match{Any: true}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			req := s.request(setQuantity(1, 5))
			req.Match = c.match
			if _, err := s.node.change(req); !sameError(err, c.want) {
				t.Errorf("answered %v; want %v", err, c.want)
			}
		})
	}
	if _, err := s.node.change(s.matching(add(2), now)); !sameError(err, commerce.CartChanged) {
		t.Errorf("the version of an earlier state: %v; want %v", err, commerce.CartChanged)
	}
	if _, err := s.node.change(s.matching(add(2), old, s.version())); err != nil {
		t.Errorf("one of two versions: %v", err)
	}
	s.want(2, 1)
}

// The answer has the current cart, and nothing has changed.
func TestAMismatchIsAnsweredWithTheCurrentCart(t *testing.T) {
	s := newScene(t)
	old := s.version()
	s.do(add(1))
	before := s.storage.record(s.key)
	reply, err := s.node.change(s.matching(add(1), old))
	if !sameError(err, commerce.CartChanged) || reply.Stamp != before.Stamp || reply.CommitIndex != 0 || quantity(reply.Cart, 1) != 1 {
		t.Errorf("answered %+v, %v; want %v with the cart of %v", reply, err, commerce.CartChanged, before.Stamp)
	}
	if after := s.storage.record(s.key); after.Stamp != before.Stamp {
		t.Errorf("the cart went from %v to %v", before.Stamp, after.Stamp)
	}
}

// Both commands have the current version. The commands collected ahead of one count.
func TestOneOfTwoCommandsWithTheSameMatchSucceeds(t *testing.T) {
	for _, keyed := range []bool{false, true} {
		for _, f := range []fate{{}, {fault: requestLost}, {fault: replyLost}} {
			s := newScene(t)
			s.storage.slack = patience
			first, h := s.halting(s.request(add(15)))
			version := h.visit.Next.Stamp.Version(0)
			one, two := s.matching(add(1), version), s.matching(add(1), version)
			if keyed {
				one.Idempotency, two.Idempotency = idempotencyKey(1, 1), idempotencyKey(2, 1)
			}
			calls := []*call{s.start(one), s.start(two)}
			h.let(f)
			s.wantError(first, nil)
			s.wantError(calls[0], nil)
			if reply := s.wantError(calls[1], commerce.CartChanged); reply.Cart == nil || reply.Stamp.Version(reply.CommitIndex) != s.version() {
				t.Errorf("keyed %v, %v: answered %+v; want the cart as it stands", keyed, f.fault, reply)
			}
			s.want(1, 1)
		}
	}
}

// A client may get a state between two commits. Its version must not match the record.
func TestTheVersionOfAnEarlierCommandMatchesNoRecord(t *testing.T) {
	s := newScene(t)
	var versions []engine.Version
	for _, c := range s.together(fate{}, adds(20)...) {
		reply := s.wantError(c, nil)
		versions = append(versions, reply.Stamp.Version(reply.CommitIndex))
	}
	seen := map[engine.Version]bool{}
	for _, a := range s.storage.history {
		seen[a.after.Stamp.Version(0)] = true
	}
	for i, v := range versions {
		if last := i == len(versions)-1; seen[v] != last {
			t.Errorf("command %d has the version %x; a record has it: %v, want %v", i+1, v, seen[v], last)
		}
		if _, err := s.node.change(s.matching(remove(9), v)); i < len(versions)-1 && !sameError(err, missing(9)) {
			t.Errorf("the path is judged ahead of the version: %v", err)
		}
		if _, err := s.node.change(s.matching(commerce.PatchCart{}, v)); i < len(versions)-1 && !sameError(err, commerce.CartChanged) {
			t.Errorf("command %d's version matches: %v", i+1, err)
		}
	}
}

// Answers of one visit that show different states have different versions: a repetition or a
// refusal that precedes the visit's first change shows the record as it was.
func TestAnAnswerAheadOfTheFirstChangeHasTheEarlierVersion(t *testing.T) {
	s := newScene(t)
	calls, h := s.whileHalted(s.matching(add(4), 7), s.request(add(2)), s.request(add(3)))
	earlier := s.version()
	h.let(fate{})
	for i, want := range []struct {
		err      error
		quantity int // of products 2 and 3 together
		version  bool
	}{{commerce.CartChanged, 0, true}, {nil, 1, false}, {nil, 2, false}} {
		reply := s.wantError(calls[i], want.err)
		if got := quantity(reply.Cart, 2) + quantity(reply.Cart, 3); got != want.quantity || (reply.Version() == earlier) != want.version {
			t.Errorf("answer %d shows %d and the earlier version: %v; want %d, %v", i, got, reply.Version() == earlier, want.quantity, want.version)
		}
	}
	if last, err := s.wait(calls[2]); err != nil || last.Version() != s.version() {
		t.Errorf("the last answer has version %x, the record %x", last.Version(), s.version())
	}
}
