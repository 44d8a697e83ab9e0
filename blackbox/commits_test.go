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

// commits stands between the nodes and the miniredis to which they commit records of one kind.
type commits struct {
	redis  *redis.Client
	direct atomic.Bool // the bytes of redis pass unchanged
	mu     sync.Mutex
	meet   meeting // of the next commits; nil if all pass
	over   chan struct{}
}

// meeting decides on a commit on its way to Redis. False: the commit or its reply is lost.
type meeting func(args []string) (arrives bool)

// interceptCommits intercepts the commits of carts to a miniredis, interceptCommitsOf those of a kind.
func interceptCommits(t *testing.T, r *redistest.Server) *commits {
	t.Helper()
	return interceptCommitsOf(t, r, "cart")
}

func interceptCommitsOf(t *testing.T, r *redistest.Server, kind string) *commits {
	t.Helper()
	c := &commits{redis: r.Client(), over: make(chan struct{})}
	t.Cleanup(func() { close(c.over) })
	r.Mini.Server().SetPreHook(func(peer *server.Peer, command string, args ...string) bool {
		if command != "EVALSHA" || len(args) < 5 || !strings.Contains(args[4], ":"+kind+":") || c.direct.Load() {
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

// set decides on the next commits.
func (c *commits) set(meet meeting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.meet = meet
}

// heldCommit is a commit that does not reach Redis until let.
type heldCommit struct {
	arrived chan struct{}
	release chan bool // whether it arrives
}

// hold keeps the next commit back. The later ones wait in their node.
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
