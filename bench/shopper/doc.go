// Package shopper owns the HTTP client that the load harness and all tests share. It sends each
// request once.
//
// It refuses to know the server's packages, the goods that a shopper buys and their prices.
//
// Open first: client.go.
package shopper
