//go:build long

package redisdb

import (
	"testing"
	"time"

	"cartd/internal/redistest"
)

// A write that too few replicas acknowledge has an unknown outcome. A read is answered.
func TestLongTooFewReplicas(t *testing.T) {
	c := open(t, redistest.Real(t), func(c *Config) { c.Replicas, c.Timeout = 1, 2*time.Second })
	replies := c.RunAll(time.Now().Add(patience), []*Call{
		{Keys: []string{"n"}, Args: []any{"INCR", "n"}, Writes: true}, {Keys: []string{"n"}, Args: []any{"GET", "n"}},
	})
	if replies[0].Err != ErrTooFewReplicas || replies[1].Value != "1" || replies[1].Err != nil {
		t.Errorf("got %v", replies)
	}
}
