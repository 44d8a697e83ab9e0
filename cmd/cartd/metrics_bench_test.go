package main

import (
	"testing"
	"time"

	"cartd/persistence/redisdb"
)

// BenchmarkObserveTrip measures the metrics of a round trip, which its requests share.
func BenchmarkObserveTrip(b *testing.B) {
	m := newTripMetrics()
	trip := redisdb.Trip{Kind: redisdb.TripWrite, Commands: 12, Took: 300 * time.Microsecond}
	for b.Loop() {
		m.observe(trip)
	}
}
