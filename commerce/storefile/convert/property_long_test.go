//go:build long

package convert

import "testing"

func TestLongAnyTableMakesADocument(t *testing.T) { makeDocuments(t, 600) }
