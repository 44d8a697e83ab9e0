// Package persistence keeps everything in Redis. Its rooms own keys, codecs and scripts: redisdb (the
// way to Redis), records (records, their visits and write.lua), accounts, stock, stores and outbox;
// embedded is a Redis inside the process. What is here joins them: the admission of a request, the
// visits of carts, contacts and quotes with all that is written beside a record, claims, sales,
// registrations and adjustments, and the operator's look-ups and erasures.
//
// It knows no HTTP and no rule of commerce: it moves states and judges nothing but stamps.
//
// Open first: admit.go (a read's round trip, and what a write recalls), encoded_visit.go and visit.go
// (a write's). docs/operations.md lists every key.
package persistence
