package main

import (
	"fmt"
	"time"

	"cartd/persistence/redisdb"
)

// patienceFlag is how long a start waits for Redis. The zero value is for ever.
type patienceFlag struct {
	bounded bool
	limit   time.Duration
}

const forever = "forever"

func (p *patienceFlag) String() string {
	if p.bounded {
		return p.limit.String()
	}
	return forever
}

func (p *patienceFlag) Set(value string) error {
	if value == forever {
		*p = patienceFlag{}
		return nil
	}
	limit, err := time.ParseDuration(value)
	if err != nil || limit < 0 {
		return fmt.Errorf("write a duration such as 30s, or %s", forever)
	}
	*p = patienceFlag{bounded: true, limit: limit}
	return nil
}

const (
	// redisRetry is the pause between two tries to start on Redis.
	redisRetry = 250 * time.Millisecond
	// waitingEvery is the pause between two log lines of a waiting start.
	waitingEvery = 10 * time.Second
)

// awaitRedis opens Redis. While it is away the node waits, for --redis-patience, and answers probes;
// all else is 503. begin is called once, at the beginning of a wait.
func (n *node) awaitRedis(open func() error, begin func()) error {
	began, logged := time.Now(), time.Time{}
	for {
		err := open()
		if err == nil || !redisdb.MayPass(err) {
			return err
		}
		patience := &n.config.redisPatience
		if waited := time.Since(began); patience.bounded && waited >= patience.limit {
			if logged.IsZero() {
				return err
			}
			return fmt.Errorf("%w: --redis-patience %v is over", err, patience)
		}
		if logged.IsZero() {
			begin()
		}
		if time.Since(logged) >= waitingEvery {
			n.log.Warn("waiting for redis", "addr", n.listener.Addr().String(), "seconds", int(time.Since(began).Seconds()), "error", err.Error())
			logged = time.Now()
		}
		time.Sleep(redisRetry)
	}
}
