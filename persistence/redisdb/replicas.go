package redisdb

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// notAcknowledged is the error of a wait for replicas, such as while they synchronize.
type notAcknowledged struct{ have, want int }

func (e notAcknowledged) Error() string {
	return fmt.Sprintf("%d of %d replicas have acknowledged", e.have, e.want)
}

// AwaitReplicas waits until n replicas of each master have acknowledged all earlier writes, also of
// other clients. It gives up after two time-outs.
func (c *Client) AwaitReplicas(n int) error {
	until := time.Now().Add(2 * c.config.Timeout)
	cluster, is := c.Redis.(*redis.ClusterClient)
	if !is {
		return c.awaitReplicas(c.Redis, tryKey, n, until)
	}
	return cluster.ForEachMaster(background, func(ctx context.Context, master *redis.Client) error {
		for i := 0; ; i++ { // one of these keys is in a slot of the master
			key := tryKey + ":" + strconv.Itoa(i)
			if of, err := cluster.MasterForKey(ctx, key); err != nil || of == master {
				return c.awaitReplicas(master, key, n, until)
			}
		}
	})
}

// awaitReplicas writes a key, because WAIT goes by the last write of its own connection.
func (c *Client) awaitReplicas(master redis.UniversalClient, key string, n int, until time.Time) error {
	for {
		ctx, cancel := context.WithTimeout(background, c.config.Timeout)
		pipe := master.Pipeline()
		pipe.Set(ctx, key, "", tryEvery)
		wait := pipe.Do(ctx, "WAIT", n, (c.config.Timeout / 2).Milliseconds())
		_, err := pipe.Exec(ctx)
		cancel()
		acknowledged, _ := wait.Int()
		switch {
		case err == nil && acknowledged >= n:
			return nil
		case time.Now().Before(until):
		case err != nil:
			return err
		default:
			return notAcknowledged{acknowledged, n}
		}
	}
}
