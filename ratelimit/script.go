package ratelimit

import (
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed limit_count.lua
	windowSource string
	//go:embed limit_record.lua
	grantSource string
	//go:embed limit_admit.lua
	source string
)

// Script decides a batch of requests inside Redis. Its header states the contract.
var Script = NewScript(source)

// NewScript makes a script that counts requests. It runs limit_count.lua, which counts, then the
// source, which sets granted and reply, then limit_record.lua, which records the grant.
func NewScript(source string) *redis.Script {
	return redis.NewScript(windowSource + source + grantSource)
}

// Keys are the script's keys: the log, and the key of the string that becomes Reply.Head, empty
// for no string. In a Redis Cluster both must share a slot.
func Keys(log, head string) []string {
	if head == "" {
		return []string{log}
	}
	return []string{log, head}
}

// Args are the script's arguments for a batch of n requests, at least one.
func Args(n int, bound Bound, window time.Duration) []any {
	return []any{n, window.Microseconds(), bound.Limit, bound.Beyond}
}

var errReply = errors.New("not a reply of the limiter's script")

// ParseReply reads the script's answer.
func ParseReply(v any) (Reply, error) {
	fields, ok := v.([]any)
	if !ok || len(fields) != 6 {
		return Reply{}, fmt.Errorf("%w: %v", errReply, v)
	}
	var numbers [5]int64
	for i := range numbers {
		if numbers[i], ok = fields[i].(int64); !ok {
			return Reply{}, fmt.Errorf("%w: field %d is %v", errReply, i, fields[i])
		}
	}
	head, ok := fields[5].(string)
	if !ok {
		return Reply{}, fmt.Errorf("%w: the head is %v", errReply, fields[5])
	}
	granted, count, oldest, at, now := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
	r := verdict{granted: granted, count: count, oldest: oldest, at: at}.reply(now)
	r.Head = head
	return r, nil
}
