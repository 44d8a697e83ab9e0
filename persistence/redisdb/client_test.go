package redisdb

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// Pipelines use the connections of the pool, so PoolSize bounds all connections.
func TestPipelinesUseThePool(t *testing.T) {
	c := open(t, redistest.Real(t))
	before := c.Redis.PoolStats()
	c.Redis.Pipelined(background, func(pipe redis.Pipeliner) error { return pipe.Ping(background).Err() })
	after := c.Redis.PoolStats()
	if after.Hits+after.Misses != before.Hits+before.Misses+1 {
		t.Errorf("the pool served %d requests for connections, want 1", after.Hits+after.Misses-before.Hits-before.Misses)
	}
}

// An idle connection that is closed leaves the pool without failing a request. A connection in
// use is not closed.
func TestIdleConnectionsAreClosed(t *testing.T) {
	c := open(t, redistest.Real(t))
	var wg sync.WaitGroup
	for range PoolSize {
		wg.Go(func() {
			for range 20 {
				c.Redis.Ping(background)
			}
		})
	}
	wg.Wait()
	connections := func() int {
		c.conns.mu.Lock()
		defer c.conns.mu.Unlock()
		return len(c.conns.open)
	}
	if connections() == 0 {
		t.Fatal("no connection is open")
	}
	before := connections()
	c.conns.closeIdle(time.Now().Add(-time.Minute))
	if got := connections(); got != before {
		t.Errorf("%d of %d connections are left, all were in use lately", got, before)
	}
	for range 20 {
		c.conns.closeIdle(time.Now())
		if got := connections(); got != 0 {
			t.Fatalf("%d connections are left, none was in use", got)
		}
		if err := c.Redis.Ping(background).Err(); err != nil {
			t.Fatalf("the next request: %v", err)
		}
	}
}

// A connection is either closed as idle, or put to use.
func TestConnectionIsNotClosedAsItIsUsed(t *testing.T) {
	conns := &idleConns{open: map[*conn]struct{}{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	made, err := conns.dial((&net.Dialer{}).DialContext)(background, "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	if _, err := made.(*conn).SyscallConn(); err != nil {
		t.Fatal(err)
	}
	conns.closeIdle(before)
	if _, err := made.Write([]byte("x")); err != nil {
		t.Errorf("closed, though it was in use: %v", err)
	}
	conns.closeIdle(time.Now().Add(time.Second))
	if _, err := made.(*conn).SyscallConn(); err == nil {
		t.Error("used, though it was closed")
	}
	if len(conns.open) != 0 {
		t.Errorf("%d are counted as open", len(conns.open))
	}
}
