// Package embedded owns the Redis inside the process (miniredis), for trying cartd out without
// a server. Its data is lost when the process ends.
//
// It knows no key and no script. Open first: server.go.
package embedded
