//go:build long

package persistence

import "testing"

func TestLongAnImportThatSeemedDeadEndsWhileItsKeyIsTakenOver(t *testing.T) { takenOver(t, 1) }

func TestLongAKilledImportLeavesNobodyWithoutTheirAddress(t *testing.T) { killedWhileMoving(t, 1) }
