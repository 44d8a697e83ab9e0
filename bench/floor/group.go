package floor

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// maxBatch bounds the commands of one pipeline.
const maxBatch = 256

// group is a group commit: one goroutine sends all queued commands as one pipeline, without delay.
// Commands that arrive meanwhile are the next batch.
type group struct {
	client *redis.Client
	queue  chan *command
	ended  sync.WaitGroup
}

// command is one SET or GET that a request waits for.
type command struct {
	key   string
	value string // empty for a GET
	done  chan error
}

func newGroup(client *redis.Client) *group {
	g := &group{client: client, queue: make(chan *command, 1<<16)}
	g.ended.Go(g.run)
	return g
}

func (g *group) run() {
	batch := make([]*command, 0, maxBatch)
	for first := range g.queue {
		batch = append(batch[:0], first)
		for waiting := min(len(g.queue), maxBatch-1); waiting > 0; waiting-- {
			batch = append(batch, <-g.queue)
		}
		g.flush(batch)
	}
}

func (g *group) flush(batch []*command) {
	ctx := context.Background()
	pipe := g.client.Pipeline()
	for _, c := range batch {
		if c.value == "" {
			pipe.Get(ctx, c.key)
		} else {
			pipe.Set(ctx, c.key, c.value, 0)
		}
	}
	replies, _ := pipe.Exec(ctx) // each command has its own error
	for i, c := range batch {
		c.done <- replies[i].Err()
	}
}

// close ends the goroutine when the queue is empty. No command may be queued after it.
func (g *group) close() {
	close(g.queue)
	g.ended.Wait()
}
