// Package persistence keeps all data in Redis. Its sub-packages own keys, codecs and scripts:
// redisdb (the way to Redis), records (records, their visits and write.lua), accounts, stock,
// stores and outbox; embedded is a Redis inside the process. This package joins them: the
// admission of requests, the visits of carts, contacts and quotes with their effects, claims,
// sales, registrations and adjustments, and the operator's searches and erasures.
//
// It knows no HTTP and no rule of commerce. It writes states and judges only stamps.
//
// Open first: admit.go (the round trip of a read, and the recalled facts of a write),
// visit_encode.go and sending.go (a write). docs/operations.md lists every key.
package persistence
