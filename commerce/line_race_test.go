package commerce

import "testing"

// Spec: Line behaviour 2. An add admitted before its line existed is the loser.
func TestSimultaneousAdds(t *testing.T) {
	for _, c := range []struct {
		rule     string
		line     Quantity // what the winner put there
		seen     uint64   // what the second add's admission saw; the line is of commit 2
		add      Quantity
		want     Quantity
		wantUnit Amount
		refusal  *Refusal
	}{
		{"the loser folds", 60 * One, 1, 40 * One, 100 * One, 900, nil},
		{"the loser is clamped", 60 * One, 1, 60 * One, 100 * One, 900, nil},
		{"a loser that saw no record is clamped", 60 * One, 0, 60 * One, 100 * One, 900, nil},
		{"the loser at the maximum adds nothing", 100 * One, 1, One, 100 * One, 900, nil},
		{"whoever saw the line folds", 60 * One, 2, 40 * One, 100 * One, 900, nil},
		{"whoever saw the line is refused", 60 * One, 2, 41 * One, 0, 0, QuantityAboveMaximum},
		{"whoever saw a later state is refused", 60 * One, 9, 41 * One, 0, 0, QuantityAboveMaximum},
		{"a fraction is no matter of racing", 60 * One, 1, 60*One + 500, 0, 0, QuantityNotWhole},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.do(s.add(tile, c.line))
			s.in.Seen = c.seen
			if c.refusal != nil {
				s.refuse(s.add(tile, c.add), c.refusal)
				return
			}
			s.do(s.add(tile, c.add))
			s.wantLine(0, c.want, c.wantUnit)
		})
	}
}

// An add that no cart could take is refused whether it wins or loses.
func TestALoserAboveTheMaximumByItselfIsRefused(t *testing.T) {
	s := newScene(t)
	s.refuse(s.add(tile, 101*One), QuantityAboveMaximum)
	s.do(s.add(tile, One))
	s.in.Seen = 1
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
				s.in.Seen = 1 // all were admitted before the first commit
				s.do(s.add(tile, 2*One))
			}
			if s.wantLine(0, c.want, 900); len(s.cart.Lines) != 1 {
				t.Errorf("%d lines; want 1", len(s.cart.Lines))
			}
		})
	}
}

// The line that a new one replaced does not make later adds losers for ever.
func TestALineIsBornOnce(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, 50*One))
	s.do(s.add(tile, 10*One))
	if got := s.cart.Lines[0].Born; got != 2 {
		t.Errorf("after a merge the line is of commit %d; want 2", got)
	}
	s.refuse(s.add(tile, 41*One), QuantityAboveMaximum)
}
