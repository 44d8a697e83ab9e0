package redisdb

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Trip is one sending of a pipeline that requests share.
type Trip struct {
	Kind TripKind
	// Commands is how many went together, Took how long their answers took.
	Commands int
	Took     time.Duration
	// ReplicasUnmet: fewer replicas than configured have acknowledged its writes.
	ReplicasUnmet bool
}

// TripKind says why a pipeline was sent.
type TripKind string

const (
	// TripRead only reads and counts, TripWrite also has visits.
	TripRead  TripKind = "read"
	TripWrite TripKind = "write"
	// TripScript repeats commands whose script Redis had forgotten, TripRedirect those that a server
	// of a cluster has sent elsewhere.
	TripScript   TripKind = "script"
	TripRedirect TripKind = "redirect"
)

// TripKinds lists them all.
var TripKinds = []TripKind{TripRead, TripWrite, TripScript, TripRedirect}

// kind is that of the first sending.
func (p *Pipeline) kind() TripKind {
	if p.writes {
		return TripWrite
	}
	return TripRead
}

// ClusterServers counts the servers of a cluster that the client knows; 0 if it is no cluster.
func (c *Client) ClusterServers() (n int) {
	cluster, is := c.Redis.(*redis.ClusterClient)
	if !is {
		return 0
	}
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	var mu sync.Mutex
	_ = cluster.ForEachShard(ctx, func(context.Context, *redis.Client) error { // an unknown cluster has 0
		mu.Lock()
		defer mu.Unlock()
		n++
		return nil
	})
	return n
}

// Failovers counts the masters that have taken over since the start: another server behind a
// sentinel, or a server of a cluster that was no master then.
func (c *Client) Failovers() uint64 { return c.failovers.Load() }

// followMaster counts the masters that a sentinel names one after another.
func (c *Client) followMaster(addr string) {
	if before := c.master.Swap(&addr); before != nil && *before != addr {
		c.failovers.Add(1)
	}
}
