// Package embedded owns the Redis inside the process (miniredis), for trying cartd out without a
// server. Its data does not survive the process.
//
// It knows no key and no script. Open first: server.go.
package embedded
