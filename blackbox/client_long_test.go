//go:build long

package blackbox_test

import "testing"

func (c client) in(t *testing.T) client { c.t = t; return c }

// begin sends a call without waiting for its answer, and returns after writing it.
func (c client) begin(method, path, body string) <-chan outcome {
	f, result := c.open(method, path, body), make(chan outcome, 1)
	go func() {
		a, err := f.answer()
		result <- outcome{a, err}
	}()
	return result
}
