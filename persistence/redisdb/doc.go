// Package redisdb owns the way to Redis: connections (one server, a sentinel's master, a
// cluster), scripts, and the one flusher a master through which requests reach it.
//
// Unreachable servers, forgotten scripts, replicas that have to acknowledge and slots that have
// moved are handled here and nowhere else. It knows no key and no rule of cartd.
//
// Open first: operation.go (what waits for Redis), flusher.go (how it is sent), client.go.
package redisdb
