package actors

import (
	"testing"

	"cartd/commerce"
)

// Spec: Line behaviour 2. All are admitted before the line exists, on two nodes.
func TestSimultaneousAddsEndAsOneLine(t *testing.T) {
	const adds = 200
	for _, c := range []struct {
		rule    string
		maximum int
		want    int
	}{
		{"with the exact sum", 1000, adds},
		{"clamped at the maximum", 150, 150},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			s.shop.Policy.MaxQuantityPerLine = commerce.Quantity(c.maximum) * commerce.One
			other := NewCarts(s.store, config(2))
			t.Cleanup(other.Close)
			admitted := make([]func() error, adds)
			for i := range admitted {
				node := []*Carts{s.node, other}[i%2]
				req, err := admit(node, s.store, s.key, add(1), patience)
				if err != nil {
					t.Fatal(err)
				}
				admitted[i] = func() error { _, err := node.Change(req); return err }
			}
			for _, err := range atOnce(s, admitted) {
				if err != nil {
					t.Errorf("an add was answered %v; want success", err)
				}
			}
			if lines := s.store.record(s.key).State.Lines; len(lines) != 1 {
				t.Errorf("%d lines; want 1", len(lines))
			}
			s.want(1, c.want)
		})
	}
}

// Whoever saw the line is refused above the maximum, whoever did not is clamped.
func TestAnAddAboveTheMaximumIsClampedOnlyIfAdmittedBeforeTheLine(t *testing.T) {
	s := newScene(t)
	s.shop.Policy.MaxQuantityPerLine = 10 * commerce.One
	early := s.admit(addMany(1, 8))
	s.do(addMany(1, 8))
	late := s.admit(addMany(1, 8))
	if _, err := s.node.Change(late); !sameError(err, commerce.QuantityAboveMaximum) {
		t.Errorf("an add that saw the line: %v; want %v", err, commerce.QuantityAboveMaximum)
	}
	s.want(1, 8)
	if reply, err := s.node.Change(early); err != nil || quantity(reply.Cart, 1) != 10 {
		t.Errorf("an add that did not: %d, %v; want 10", quantity(reply.Cart, 1), err)
	}
	s.want(1, 10)
}

// atOnce runs functions side by side and returns their errors.
func atOnce(s *scene, all []func() error) []error {
	results := make(chan error, len(all))
	for _, f := range all {
		go func() { results <- f() }()
	}
	errs := make([]error, len(all))
	for i := range errs {
		errs[i] = await(s, "an answer", results)
	}
	return errs
}
