//go:build long

package faultsuite

import "testing"

func TestLongTheSuiteNoticesEveryMissingSafeguard(t *testing.T) { notices(t, controls) }
