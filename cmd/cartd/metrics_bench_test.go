package main

import (
	"testing"
	"time"

	"cartd/persistence/redisdb"
)

// What observing a round trip costs, which all its requests share.
func BenchmarkObserveTrip(b *testing.B) {
	m := newTripMetrics()
	trip := redisdb.Trip{Kind: redisdb.TripWrite, Commands: 12, Took: 300 * time.Microsecond}
	for b.Loop() {
		m.observe(trip)
	}
}
