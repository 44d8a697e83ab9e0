// Package persistence keeps all data in Redis. Its sub-packages own keys, codecs and scripts:
// redisdb (the way to Redis), records (records, their visits and write.lua), accounts, stock,
// stores, outbox and unpaid; embedded is a Redis inside the process. This package joins them: the
// admission of requests, the visits of carts, contacts, quotes, orders and stores with their effects, claims,
// sales, registrations and adjustments, and the pages of orders and quotes. Above it operator has what
// the commands of cartd do to records.
//
// It knows no HTTP and no rule of commerce. It writes states and judges only stamps.
//
// Open first: kind.go (the kinds of record), request_facts.go (the round trip of a read, and the recalled facts of
// a write), visit_encode.go and commit.go (a write), record_storage.go (a write that no request asked for).
// docs/operations.md lists every key.
package persistence
