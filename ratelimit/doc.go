// Package ratelimit owns the request limit: an exact sliding window. All nodes together count
// in Redis. A node that cannot reach Redis counts in its memory.
//
// Requests count under a key (decision.go, clients.go). The rule is one pure function (admit in
// decision.go). The scripts apply the same rule inside Redis, and tests compare their replies
// with the function's. A refused request is not recorded.
//
// The package refuses to know stores, routes and headers: limits and times are arguments,
// decisions are results.
//
// Open first: decision.go (the rule), limit_count.lua (the rule in Redis).
//
// Spec: Limits.
package ratelimit
