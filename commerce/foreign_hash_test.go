package commerce

import (
	"math"
	"testing"
)

func TestParseArgonCost(t *testing.T) {
	for text, want := range map[string]ArgonCost{
		"m=19456,t=2,p=1":                           {19456, 2, 1},
		"m=065536,t=4,p=4":                          {65536, 4, 4},
		"m=99999999999999999999,t=4294967296,p=256": {math.MaxUint32, math.MaxUint32, 256},
	} {
		if got, ok := ParseArgonCost(text); !ok || got != want {
			t.Errorf("ParseArgonCost(%q) = %+v, %t; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "m=1,t=1", "m=1,t=1,p=1,keyid=x", "t=1,m=1,p=1", "m=1,t=1,p=", "m=1,t=1,p=1x", "m=+1,t=1,p=1", "m=-1,t=1,p=1",
		"m= 1,t=1,p=1", "1,1,1"} {
		if got, ok := ParseArgonCost(text); ok {
			t.Errorf("ParseArgonCost(%q) = %+v, want none", text, got)
		}
	}
}

func TestWithinLimits(t *testing.T) {
	for c, want := range map[ArgonCost]bool{
		{64 * 1024, 4, 4}: true, {64*1024 + 1, 4, 4}: false, {64 * 1024, 5, 4}: false, {64 * 1024, 4, 5}: false,
	} {
		if got := c.WithinLimits(); got != want {
			t.Errorf("%+v is within the limits: %t, want %t", c, got, want)
		}
	}
}
