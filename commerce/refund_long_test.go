//go:build long

package commerce

import "testing"

func TestLongOrdersAreCutAtRandom(t *testing.T) { cutOrders(t, 20_000) }
