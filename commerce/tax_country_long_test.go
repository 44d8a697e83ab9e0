//go:build long

package commerce

import "testing"

func TestLongTaxesMatchTheModel(t *testing.T) { compareTaxes(t, 1_000_000) }
