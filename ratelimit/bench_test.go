package ratelimit

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// BenchmarkScript measures the decision of one batch, 64 decisions in each pipeline to a real
// Redis. redis-us/op is the time that Redis itself spent on one.
func BenchmarkScript(b *testing.B) {
	for _, c := range []struct {
		name   string
		limit  int
		window time.Duration
	}{
		{"granted", 2_000_000_000, time.Minute},
		{"granted, one expires", 2_000_000_000, 20 * time.Millisecond},
		{"refused", 120, time.Hour},
	} {
		b.Run(c.name, func(b *testing.B) {
			client := redistest.Real(b).Client()
			ctx := context.Background()
			client.Set(ctx, testHead, "1", 0)
			run(b, client, testHead, 120, Bound{Limit: c.limit}, c.window)
			client.ConfigResetStat(ctx)
			for n := 0; b.Loop(); n++ {
				if n%64 == 0 {
					pipelined(b, client, c.limit, c.window)
				}
			}
			b.ReportMetric(redisMicros(b, client), "redis-us/op")
		})
	}
}

// pipelined sends 64 decisions in one pipeline.
func pipelined(b *testing.B, client *redis.Client, limit int, window time.Duration) {
	pipe := client.Pipeline()
	for range 64 {
		Script.EvalSha(context.Background(), pipe, Keys(testLog, testHead), Args(16, Bound{Limit: limit}, window)...)
	}
	if _, err := pipe.Exec(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// redisMicros is the time of one call of the script, as Redis measured it.
func redisMicros(b *testing.B, client *redis.Client) float64 {
	_, rest, _ := strings.Cut(client.Info(context.Background(), "commandstats").Val(), "cmdstat_evalsha:")
	_, rest, _ = strings.Cut(rest, "usec_per_call=")
	number, _, _ := strings.Cut(rest, ",")
	micros, err := strconv.ParseFloat(number, 64)
	if err != nil {
		b.Fatal(err)
	}
	return micros
}
