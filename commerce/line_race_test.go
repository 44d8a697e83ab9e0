package commerce

import (
	"testing"
	"time"
)

// Spec: Line behaviour 2; docs/decisions.md#line-behaviour. The line belongs to commit 2, made at the
// scene's time.
func TestSimultaneousAdds(t *testing.T) {
	for _, c := range []struct {
		rule     string
		line     Quantity      // the winner's quantity
		late     time.Duration // from the making of the line to the second add's arrival
		carried  uint64        // by the second add's connection
		add      Quantity
		want     Quantity
		wantUnit Amount
		refusal  *Refusal
	}{
		{"the line is made while it is under way: it folds", 60 * One, -time.Hour, 0, 40 * One, 100 * One, 900, nil},
		{"and is clamped", 60 * One, -time.Hour, 0, 60 * One, 100 * One, 900, nil},
		{"at the maximum it adds nothing", 100 * One, -time.Millisecond, 0, One, 100 * One, 900, nil},
		{"a fraction is refused in a race too", 60 * One, 0, 0, 60*One + 500, 0, 0, QuantityNotWhole},
		{"it comes at the moment", 60 * One, 0, 0, 60 * One, 100 * One, 900, nil},
		{"10 ms later", 60 * One, 10 * time.Millisecond, 0, 60 * One, 100 * One, 900, nil},
		{"11 ms later", 60 * One, 11 * time.Millisecond, 0, 60 * One, 0, 0, QuantityAboveMaximum},
		{"11 ms later, within the maximum", 60 * One, 11 * time.Millisecond, 0, 40 * One, 100 * One, 900, nil},
		{"the connection has carried an earlier answer of the cart", 60 * One, 0, 1, 60 * One, 100 * One, 900, nil},
		{"the connection has carried the line's answer", 60 * One, 0, 2, 60 * One, 0, 0, QuantityAboveMaximum},
		{"the connection has carried a later answer", 60 * One, 0, 9, 60 * One, 0, 0, QuantityAboveMaximum},
		{"the connection has carried the answer, within the maximum", 60 * One, 0, 2, 40 * One, 100 * One, 900, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(s.add(tile, c.line))
			s.in.Came, s.in.Seen = s.in.Now.Add(c.late), c.carried
			if c.refusal != nil {
				s.refuse(s.add(tile, c.add), c.refusal)
				return
			}
			s.do(s.add(tile, c.add))
			s.wantLine(0, c.want, c.wantUnit)
		})
	}
}

// A line that a claim moved counts as made by the claim; one that was there stays as old as it was.
func TestAnAddAfterAClaimIsJudgedByTheClaimsTime(t *testing.T) {
	for _, c := range []struct {
		rule  string
		lines []Line // of the folded cart
		cart  bool   // the claimed cart has the line
		late  time.Duration
		want  *Refusal
	}{
		{"10 ms after the claim", []Line{line(0x81, tile, 60*One, 1000)}, false, 10 * time.Millisecond, nil},
		{"11 ms after the claim", []Line{line(0x81, tile, 60*One, 1000)}, false, 11 * time.Millisecond, QuantityAboveMaximum},
		{"an older line of the claimed cart", []Line{line(0x81, tile, 30*One, 1000)}, true, 0, QuantityAboveMaximum},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			if s.in.Visitor = ada; c.cart {
				s.do(s.add(tile, 30*One))
			}
			s.in.Others = []*Cart{other(0xa1, 0, c.lines...)}
			s.in.Now = s.in.Now.Add(time.Hour)
			s.do(ClaimCart{})
			s.in.Came, s.in.Seen = s.in.Now.Add(c.late), 0
			if c.want != nil {
				s.refuse(s.add(tile, 60*One), c.want)
				return
			}
			s.do(s.add(tile, 60*One))
			if got := s.cart.Lines[0].Quantity; got != 100*One {
				t.Errorf("the line has %v, want 100", got)
			}
		})
	}
}

// An add above the maximum by itself is refused whether it wins or loses.
func TestALoserAboveTheMaximumByItselfIsRefused(t *testing.T) {
	s := newScene(t)
	s.refuse(s.add(tile, 101*One), QuantityAboveMaximum)
	s.do(s.add(tile, One))
	s.in.Seen = 0
	s.refuse(s.add(tile, 101*One), QuantityAboveMaximum)
}

// A line keeps its commit, so later adds are not simultaneous.
func TestALineIsBornOnce(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, 50*One))
	s.do(s.add(tile, 10*One))
	if got := s.cart.Lines[0].Born; got != 2 {
		t.Errorf("after a merge the line is of commit %d; want 2", got)
	}
	s.refuse(s.add(tile, 41*One), QuantityAboveMaximum)
}
