package redisdb

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// memory is the used part of the memory of each master, as last read.
type memory struct {
	mu sync.Mutex
	// full is by the masters' addresses; "" is the one of a Redis that is no cluster. A master without
	// maxmemory has 0.
	full    map[string]float64
	fullest float64
}

// ReadMasters reads of each master how full its memory is, and its clock. Masters that do not answer keep
// their last figure.
func (c *Client) ReadMasters() {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	full := map[string]float64{}
	var mu sync.Mutex
	read := func(ctx context.Context, address string, master redis.UniversalClient) {
		pipe, sent := master.Pipeline(), time.Now()
		info, clock := pipe.Info(ctx, "memory"), pipe.Time(ctx)
		_, _ = pipe.Exec(ctx) // each command has its error
		if now, err := clock.Result(); err == nil {
			c.clock.hear(now, sent, time.Now())
		}
		mu.Lock()
		defer mu.Unlock()
		if info.Err() == nil {
			full[address] = fullOf(infoField(info, "used_memory"), infoField(info, "maxmemory"))
		} else {
			full[address] = c.memory.of(address)
		}
	}
	if cluster, is := c.Redis.(*redis.ClusterClient); is {
		// The error is that of a master that does not answer.
		_ = cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
			read(ctx, master.Options().Addr, master)
			return nil
		})
	} else {
		read(ctx, "", c.Redis)
	}
	c.memory.set(full)
}

// fullOf returns the used part of a memory; 0 if it has no maximum, or the figures cannot be read.
func fullOf(used, maximum string) float64 {
	u, err := strconv.ParseFloat(used, 64)
	m, err2 := strconv.ParseFloat(maximum, 64)
	if err != nil || err2 != nil || m <= 0 {
		return 0
	}
	return u / m
}

// Memory returns the address of a key's master and the used part of its memory; 0 if it is not known.
func (c *Client) Memory(key string) (master string, full float64) {
	if c.FullestMemory() == 0 {
		return "", 0
	}
	if cluster, is := c.Redis.(*redis.ClusterClient); is {
		ctx, cancel := context.WithTimeout(background, c.config.Timeout)
		defer cancel()
		found, err := cluster.MasterForKey(ctx, key)
		if err != nil {
			return "", 0
		}
		master = found.Options().Addr
	}
	return master, c.memory.of(master)
}

// FullestMemory is the used part of the memory of the fullest master.
func (c *Client) FullestMemory() float64 {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	return c.memory.fullest
}

func (m *memory) of(master string) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full[master]
}

func (m *memory) set(full map[string]float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.full, m.fullest = full, 0
	for _, part := range full {
		m.fullest = max(m.fullest, part)
	}
}
