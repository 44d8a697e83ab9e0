package commerce

import (
	"errors"
	"testing"
)

func TestRefusalTableIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Refusals() {
		field := ""
		for _, f := range r.Fields {
			field += f.Field
			if len(f.Messages) != 1 || f.Messages[0].Text() != r.Message {
				t.Errorf("%s: field %s says %v", r.Message, f.Field, f.Messages)
			}
		}
		if key := r.Message + r.Code + field; r.Message == "" || seen[key] {
			t.Errorf("%q stands in the table twice, or says nothing", key)
		} else {
			seen[key] = true
		}
		if r.Code != "" && r.Kind != Invalid && r.Kind != Forbidden && r.Kind != Stale && r.Kind != Conflict && r.Kind != Gone && r.Kind != Closed {
			t.Errorf("%s: a code with a refusal of kind %d", r.Message, r.Kind)
		}
	}
	if len(seen) == 0 {
		t.Error("the table is empty")
	}
}

// Handlers return refusals as errors and find them again.
func TestRefusalIsAnError(t *testing.T) {
	wrapped := errors.Join(CartOwned)
	var r *Refusal
	if !errors.As(wrapped, &r) || r != CartOwned || !errors.Is(wrapped, CartOwned) || r.Error() != CartOwned.Message {
		t.Errorf("got %v; want %v", r, CartOwned)
	}
}
