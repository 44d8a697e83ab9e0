//go:build long

package storefile

import "testing"

// More than 10,000 change sets.
func TestLongBesideIsTheImportOfTheWholeDocument(t *testing.T) { besideIsTheImport(t, 3000) }
