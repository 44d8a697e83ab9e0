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
	// Commands is the number of commands; Took is the time until their answers.
	Commands int
	Took     time.Duration
	// ReplicasUnmet means that fewer replicas than configured acknowledged its writes.
	ReplicasUnmet bool
}

// TripKind is the reason of a sending.
type TripKind string

const (
	// TripWrite has commands that the configured number of replicas must acknowledge, as visits;
	// TripRead has none.
	TripRead  TripKind = "read"
	TripWrite TripKind = "write"
	// TripScript repeats commands whose script Redis had forgotten. TripRedirect repeats those
	// that a server of a cluster redirected.
	TripScript   TripKind = "script"
	TripRedirect TripKind = "redirect"
)

// TripKinds lists them all.
var TripKinds = []TripKind{TripRead, TripWrite, TripScript, TripRedirect}

// kind is the kind of the first sending.
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
	_ = cluster.ForEachShard(ctx, func(context.Context, *redis.Client) error { // 0 if no server of the cluster answers
		mu.Lock()
		defer mu.Unlock()
		n++
		return nil
	})
	return n
}

// Failovers counts the masters that took over since the start: another server of a sentinel, or
// a server of a cluster that was no master then.
func (c *Client) Failovers() uint64 { return c.failovers.Load() }

// followMaster counts a failover if a sentinel names another master.
func (c *Client) followMaster(addr string) {
	if before := c.master.Swap(&addr); before != nil && *before != addr {
		c.failovers.Add(1)
	}
}
