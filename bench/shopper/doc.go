// Package shopper is the HTTP client of a shop that the load harness and all tests share.
// It sends what it is given, once, and imports no package of the server. What a shopper
// buys and what that costs is decided by its callers.
//
// Open first: client.go.
package shopper
