//go:build long

package storefile

import "testing"

func TestLongParserAndSchemaAgreeOnEveryAlteration(t *testing.T) { agreeOnAlterations(t, 1) }
