package faultsuite

import (
	"slices"
	"testing"
	"time"
)

func TestChargesIn(t *testing.T) {
	at := func(n int) time.Time { return time.Time{}.Add(time.Hour + time.Duration(n)*time.Second) }
	// Taken away between 10 and 12, given back from 20 on, without an end.
	changes := []charge{{false, span{at(10), at(12)}}, {true, span{began: at(20)}}}
	for _, c := range []struct {
		began, ended int
		want         []bool
	}{
		{5, 9, []bool{true}},
		{5, 11, []bool{true, false}},
		{11, 11, []bool{true, false}},
		{13, 19, []bool{false}},
		{13, 30, []bool{false, true}},
		{25, 30, []bool{false, true}},
	} {
		if got := chargesIn(changes, span{at(c.began), at(c.ended)}); !slices.Equal(got, c.want) {
			t.Errorf("%d to %d: %v, want %v", c.began, c.ended, got, c.want)
		}
	}
}
