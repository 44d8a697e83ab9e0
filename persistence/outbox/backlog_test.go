package outbox

import (
	"testing"
	"time"
)

// The age of a delivery is read from its text; a damaged one has none.
func TestAgeOfADelivery(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  int64
	}{
		{"a delivery", []string{`3 1700000000123 {"id":"1"}`}, 1700000000123},
		{"none", nil, 0},
		{"a damaged one", []string{"3 soon {}"}, 0},
		{"a short one", []string{"3"}, 0},
	} {
		since, ok := waitsSince(c.texts)
		if ok != (c.want > 0) || ok && !since.Equal(time.UnixMilli(c.want)) {
			t.Errorf("%s: waitsSince(%q): got %v, %v; want %d", c.name, c.texts, since, ok, c.want)
		}
	}
}
