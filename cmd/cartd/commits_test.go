package main_test

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
	meet   func(args []string) // what the next commits meet; nil: nothing
	broken bool                // the reply is lost
}

// interceptCommits watches the commits of carts that reach a miniredis.
func interceptCommits(t *testing.T, r *redistest.Server) *commits {
	t.Helper()
	c := &commits{redis: r.Client()}
	r.Mini.Server().SetPreHook(func(peer *server.Peer, command string, args ...string) bool {
		if command != "EVALSHA" || len(args) < 3 || !strings.Contains(args[2], ":cart:") || c.direct.Load() {
			return false
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.meet == nil {
			return false
		}
		c.meet(args)
		if c.broken {
			peer.Close()
		}
		return c.broken
	})
	t.Cleanup(func() { r.Mini.Server().SetPreHook(nil) })
	return c
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

// set decides what the next commits meet.
func (c *commits) set(broken bool, meet func(args []string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken, c.meet = broken, meet
}

// heldCommit is a commit on its way to Redis that does not arrive until released.
type heldCommit struct {
	arrived, release chan struct{}
	once             sync.Once
}

// hold keeps the next commit, and all behind it, back; before: what happens to it first.
func (c *commits) hold(t *testing.T, before func(args []string)) *heldCommit {
	t.Helper()
	h := &heldCommit{arrived: make(chan struct{}), release: make(chan struct{})}
	first := true
	c.set(false, func(args []string) {
		if !first {
			return
		}
		first = false
		if before != nil {
			before(args)
		}
		close(h.arrived)
		<-h.release
	})
	t.Cleanup(h.let)
	return h
}

// let releases the commit.
func (h *heldCommit) let() { h.once.Do(func() { close(h.release) }) }
