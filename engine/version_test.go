package engine

import (
	"slices"
	"testing"
)

// Every part of the stamp, and the commit index, give another version. None is 0, which stands for
// an uncommitted state.
func TestAVersionBelongsToOneState(t *testing.T) {
	var seen []Version
	for _, s := range []Stamp{{}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1 << 63, 0, 0}, {0, 1 << 63, 0}, {0, 0, 1 << 63}} {
		for _, index := range []int{0, 1, 2, 255, 256} {
			v := s.Version(index)
			if v == 0 || slices.Contains(seen, v) {
				t.Errorf("%v, index %d: the version %x is 0 or not its own", s, index, v)
			}
			if again := s.Version(index); again != v {
				t.Errorf("%v, index %d: %x and %x", s, index, v, again)
			}
			seen = append(seen, v)
		}
	}
}
