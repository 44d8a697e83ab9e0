// Package redisdb owns the way to Redis: connections (one server, a sentinel's master, a
// cluster), scripts, and one flusher for each master, through which all requests reach it.
//
// Only this package handles unreachable servers, forgotten scripts, replicas that must
// acknowledge, and slots that moved. It knows no key and no rule of cartd.
//
// Open first: operation.go (the operations that wait for Redis), flusher.go (how they are
// sent), client.go.
package redisdb
