//go:build long

package blackbox_test

import (
	"context"
)

// run applies a commit whose node does not get the reply.
func (c *commits) run(args []string) {
	c.direct.Store(true)
	defer c.direct.Store(false)
	all := []any{"EVALSHA"}
	for _, arg := range args {
		all = append(all, arg)
	}
	c.redis.Do(context.Background(), all...)
}
