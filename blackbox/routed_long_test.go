//go:build long

package blackbox_test

import (
	"testing"

	"cartd/blackbox"
)

// routeTo starts HAProxy, with the file that operators deploy, in front of these nodes.
func routeTo(t testing.TB, nodes ...string) *node {
	t.Helper()
	return route(t, blackbox.Sticky, nodes...)
}
