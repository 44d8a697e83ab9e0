// Package shop owns the tests of the demo's shop in a browser: every view and step, with faults of the
// network, in two tabs, and the pictures of docs/images. They have the build tag long.
//
// It refuses to know how the shop is built: it sees what a visitor sees, and finds buttons and fields
// by their names. Open first: visitor.go, then a test.
package shop
