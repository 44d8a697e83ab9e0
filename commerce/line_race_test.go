package commerce

import (
	"testing"
	"time"
)

// Spec: Line behaviour 2; conventions, simultaneous adds. The line belongs to commit 2, made at the
// scene's time.
func TestSimultaneousAdds(t *testing.T) {
	for _, c := range []struct {
		rule     string
		line     Quantity // the winner's quantity
		sight    Sight    // of the second add, which comes after the line was made
		late     time.Duration
		next     uint64 // the commit of the second add
		add      Quantity
		want     Quantity
		wantUnit Amount
		refusal  *Refusal
	}{
		{"the loser folds", 60 * One, Sight{First: 1}, 0, 3, 40 * One, 100 * One, 900, nil},
		{"the loser is clamped", 60 * One, Sight{First: 1}, 0, 3, 60 * One, 100 * One, 900, nil},
		{"a loser that found no record is clamped", 60 * One, Sight{}, 0, 3, 60 * One, 100 * One, 900, nil},
		{"the loser at the maximum adds nothing", 100 * One, Sight{First: 1}, 0, 3, One, 100 * One, 900, nil},
		{"a fraction is refused in a race too", 60 * One, Sight{First: 1}, 0, 3, 60*One + 500, 0, 0, QuantityNotWhole},
		{"an add that saw the line folds", 60 * One, Sight{First: 2}, 0, 3, 40 * One, 100 * One, 900, nil},
		{"an add that saw the line is refused", 60 * One, Sight{First: 2}, 0, 3, 41 * One, 0, 0, QuantityAboveMaximum},
		{"an add that saw a later state is refused", 60 * One, Sight{First: 9}, 0, 10, 41 * One, 0, 0, QuantityAboveMaximum},
		{"began while the line's commit was not answered", 60 * One, Sight{Unanswered: []uint64{5, 2}, First: 2}, time.Hour, 6, 60 * One, 100 * One, 900, nil},
		{"began while another commit was not answered", 60 * One, Sight{Unanswered: []uint64{3}, First: 2}, 0, 4, 60 * One, 0, 0, QuantityAboveMaximum},
		{"in the same visit", 60 * One, Sight{First: 2}, time.Hour, 2, 60 * One, 100 * One, 900, nil},
		{"250 ms after another node's line", 60 * One, Sight{First: 1}, 250 * time.Millisecond, 3, 60 * One, 100 * One, 900, nil},
		{"251 ms after another node's line", 60 * One, Sight{First: 1}, 251 * time.Millisecond, 3, 60 * One, 0, 0, QuantityAboveMaximum},
		{"250 ms after a line that it saw", 60 * One, Sight{First: 2}, 250 * time.Millisecond, 3, 60 * One, 0, 0, QuantityAboveMaximum},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(s.add(tile, c.line))
			s.in.Sight, s.in.Next = c.sight, c.next
			s.in.Sight.Came = s.in.Now.Add(c.late)
			if c.refusal != nil {
				s.refuse(s.add(tile, c.add), c.refusal)
				return
			}
			s.do(s.add(tile, c.add))
			s.wantLine(0, c.want, c.wantUnit)
		})
	}
}

// An add above the maximum by itself is refused whether it wins or loses.
func TestALoserAboveTheMaximumByItselfIsRefused(t *testing.T) {
	s := newScene(t)
	s.refuse(s.add(tile, 101*One), QuantityAboveMaximum)
	s.do(s.add(tile, One))
	s.in.Sight.First = 1
	s.refuse(s.add(tile, 101*One), QuantityAboveMaximum)
}

func TestManySimultaneousAddsEndAsOneLine(t *testing.T) {
	for _, c := range []struct {
		rule    string
		maximum Quantity
		want    Quantity
	}{
		{"with the exact sum", 1000 * One, 400 * One},
		{"clamped at the maximum", 100 * One, 100 * One},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.shop.Policy.MaxQuantityPerLine = c.maximum
			for range 200 {
				s.in.Sight.First = 1 // none has seen the first commit
				s.do(s.add(tile, 2*One))
			}
			if s.wantLine(0, c.want, 900); len(s.cart.Lines) != 1 {
				t.Errorf("%d lines; want 1", len(s.cart.Lines))
			}
		})
	}
}

// A line keeps its commit, so later adds are no losers.
func TestALineIsBornOnce(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, 50*One))
	s.do(s.add(tile, 10*One))
	if got := s.cart.Lines[0].Born; got != 2 {
		t.Errorf("after a merge the line is of commit %d; want 2", got)
	}
	s.refuse(s.add(tile, 41*One), QuantityAboveMaximum)
}
