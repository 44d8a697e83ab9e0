//go:build long

package storefile

import "testing"

func TestLongAssembledStoreIsTheWholeDocument(t *testing.T) { assembledIsWhole(t, 1000) }

func TestLongRecutIsTheCutOfTheWhole(t *testing.T) { recutIsTheCut(t, 2000) }

func TestLongPagesOfChangedStores(t *testing.T) { pagesOfChanged(t, 1000) }
