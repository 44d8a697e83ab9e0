//go:build long

package records

import "testing"

func TestLongModel(t *testing.T) { playModel(t, 10_000) }
