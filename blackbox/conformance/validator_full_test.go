//go:build conformance

package conformance

import (
	"strings"
	"testing"
)

func TestNewRefusesInvalidDescriptions(t *testing.T) {
	for _, text := range []string{`{"openapi":"3.1.0"}`, strings.Replace(shop, `"description": "OK",`, "", 1)} {
		if _, err := New([]byte(text)); err == nil {
			t.Errorf("New(%.60s): no error", text)
		}
	}
}
