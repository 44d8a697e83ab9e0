//go:build long

package blackbox_test

import (
	"strings"
	"testing"
	"time"
)

// While a node waits it logs a line every 10 s.
func TestLongWaitLogsEvery10Seconds(t *testing.T) {
	t.Parallel()
	n := waits(t, "--redis", "redis://"+closedAddr(t)+"/0")
	began := time.Now()
	lines := func() int { return strings.Count(n.Log.String(), `"msg":"waiting for redis"`) }
	for lines() < 2 && time.Since(began) < 30*time.Second {
		time.Sleep(50 * time.Millisecond)
	}
	if took := time.Since(began); lines() != 2 || took < 9*time.Second {
		t.Errorf("%d lines after %v, want the second after 10 s:\n%s", lines(), took, n.Log)
	}
}
