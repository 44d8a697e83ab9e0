package engine

import (
	"slices"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// A node uses Applied after a commit with an unknown outcome.
func TestApplied(t *testing.T) {
	record := CartRecord{
		Stamp:   Stamp{Counter: 9, Writer: 1, Sequence: 5},
		Writers: []Writer{{ID: 2, Sequence: 7}, {ID: 3, Sequence: 4}},
	}
	for _, c := range []struct {
		rule string
		mine Stamp
		want bool
	}{
		{"it is the record's own stamp", Stamp{9, 1, 5}, true},
		{"this writer has committed again since", Stamp{8, 1, 4}, true},
		{"this writer's next one is not there yet", Stamp{10, 1, 6}, false},
		{"overtaken by another writer", Stamp{8, 2, 7}, true},
		{"overtaken long ago", Stamp{3, 2, 6}, true},
		{"another writer came first", Stamp{9, 3, 5}, false},
		{"a writer the record does not know", Stamp{9, 4, 1}, false},
		{"an equal counter proves nothing", Stamp{9, 4, 5}, false},
	} {
		if got := record.Applied(c.mine); got != c.want {
			t.Errorf("%s: %+v applied %v; want %v", c.rule, c.mine, got, c.want)
		}
	}
}

func TestRemember(t *testing.T) {
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	for _, c := range []struct {
		rule   string
		record CartRecord
		writer uint64
		want   []Writer
	}{
		{"a new record", CartRecord{}, 1, nil},
		{"the same writer again", CartRecord{Stamp: Stamp{1, 1, 5}}, 1, nil},
		{"another writer", CartRecord{Stamp: Stamp{1, 1, 5}}, 2, []Writer{{1, 5, noon}}},
		{"the new writer leaves the table", CartRecord{Stamp: Stamp{2, 1, 5}, Writers: []Writer{{2, 3, ago(time.Minute)}}}, 2, []Writer{{1, 5, noon}}},
		{"others stay", CartRecord{Stamp: Stamp{3, 1, 5}, Writers: []Writer{{2, 3, ago(time.Minute)}}}, 3, []Writer{{2, 3, ago(time.Minute)}, {1, 5, noon}}},
		{"the same writer keeps the others", CartRecord{Stamp: Stamp{3, 1, 5}, Writers: []Writer{{2, 3, ago(time.Minute)}}}, 1, []Writer{{2, 3, ago(time.Minute)}}},
		{"after ten minutes they leave", CartRecord{Stamp: Stamp{3, 1, 5}, Writers: []Writer{{2, 3, ago(WriterMemory)}, {4, 1, ago(WriterMemory - 1)}}}, 1,
			[]Writer{{4, 1, ago(WriterMemory - 1)}}},
		{"a writer stands there once", CartRecord{Stamp: Stamp{3, 1, 5}, Writers: []Writer{{1, 2, ago(time.Minute)}}}, 3, []Writer{{1, 5, noon}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			before := slices.Clone(c.record.Writers)
			if got := c.record.Remember(c.writer, noon); !slices.Equal(got, c.want) {
				t.Errorf("got %v; want %v", got, c.want)
			}
			if !slices.Equal(c.record.Writers, before) {
				t.Errorf("the old record's table became %v; want %v", c.record.Writers, before)
			}
		})
	}
}

// Two writers in turn: each always finds its last commit, and no other.
func TestRememberKeepsTheLastCommitOfEachWriter(t *testing.T) {
	var record CartRecord
	for n := uint64(1); n <= 20; n++ {
		mine := Stamp{Counter: n, Writer: n%2 + 1, Sequence: n}
		if record.Applied(mine) {
			t.Fatalf("%+v is applied without its commit", mine)
		}
		last := record.Stamp
		record = CartRecord{Stamp: mine, Writers: record.Remember(mine.Writer, noon)}
		if !record.Applied(mine) || !last.Zero() && !record.Applied(last) {
			t.Fatalf("commit %d: the record forgot %+v or %+v: %+v", n, mine, last, record)
		}
	}
}

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
