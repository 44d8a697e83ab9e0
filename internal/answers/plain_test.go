package answers

import (
	"math"
	"strconv"
	"testing"
)

func TestWholeNumbersOfEachLength(t *testing.T) {
	for _, power := range []int{0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, math.MaxInt - 3} {
		for n := power - 2; n <= power+2; n++ {
			for _, n := range []int{n, -n, 123_456_789 % max(power, 1)} {
				if got := string(Integer.Append(nil, n)); got != strconv.Itoa(n) {
					t.Errorf("got %s, want %d", got, n)
				}
			}
		}
	}
}
