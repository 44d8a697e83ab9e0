//go:build long

package commerce

import "testing"

func TestLongBasketsCostWhatCartsCost(t *testing.T) { compareBaskets(t, 50_000) }
