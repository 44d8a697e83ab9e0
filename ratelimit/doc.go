// Package ratelimit owns the request limit: an exact sliding window, in Redis
// for all nodes together and in memory for a node whose Redis is away.
//
// What is limited is a key (keys.go, clients.go). The arithmetic is one pure
// function (decision.go); the script, window.lua and grant.lua around it, does
// the same inside Redis and is held to it reply for reply. Refused requests are not recorded.
//
// It knows no store, no route and no header: limits and times come in as
// arguments, decisions go out.
//
// Open first: decision.go (the arithmetic), window.lua (the same in
// Redis), reply.go (what a batch and each of its requests is told).
//
// Spec: Limits.
package ratelimit
