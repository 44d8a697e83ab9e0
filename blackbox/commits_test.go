package blackbox_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// commits stands between the nodes and the miniredis they commit carts to.
type commits struct {
	redis  *redis.Client
	direct atomic.Bool // what redis sends passes
	mu     sync.Mutex
	meet   meeting // of the next commits; nil: nothing
	over   chan struct{}
}

// meeting is what a commit meets on its way to Redis. False: it, or the reply to
// it, is lost.
type meeting func(args []string) (arrives bool)

// interceptCommits watches the commits of carts that reach a miniredis.
func interceptCommits(t *testing.T, r *redistest.Server) *commits {
	t.Helper()
	c := &commits{redis: r.Client(), over: make(chan struct{})}
	t.Cleanup(func() { close(c.over) })
	r.Mini.Server().SetPreHook(func(peer *server.Peer, command string, args ...string) bool {
		if command != "EVALSHA" || len(args) < 5 || !strings.Contains(args[4], ":cart:") || c.direct.Load() {
			return false
		}
		c.mu.Lock()
		meet := c.meet
		c.mu.Unlock()
		if meet == nil || meet(args) {
			return false
		}
		peer.Close()
		return true
	})
	return c
}

// set decides what the next commits meet.
func (c *commits) set(meet meeting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.meet = meet
}

// run applies a commit for a node that will not learn of it.
func (c *commits) run(args []string) {
	c.direct.Store(true)
	defer c.direct.Store(false)
	all := []any{"EVALSHA"}
	for _, arg := range args {
		all = append(all, arg)
	}
	c.redis.Do(context.Background(), all...)
}

// heldCommit is a commit on its way to Redis that goes no further until let.
type heldCommit struct {
	arrived chan struct{}
	release chan bool // whether it arrives
}

// hold keeps the next commit back; those behind it wait in their node.
func (c *commits) hold(t *testing.T) *heldCommit {
	t.Helper()
	h := &heldCommit{arrived: make(chan struct{}), release: make(chan bool, 1)}
	c.set(func(args []string) bool {
		c.set(nil)
		close(h.arrived)
		select {
		case arrives := <-h.release:
			return arrives
		case <-c.over:
			return false
		}
	})
	return h
}
