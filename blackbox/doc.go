// Package blackbox holds the tests of the built program: they start cartd as operators do,
// send requests over HTTP and compare the answers. Programs are started by bench/process and
// requests sent by bench/shopper. It knows no package of the server; the table of refusals
// (commerce) is read only so that a test misses no row.
//
// All tests are one package, for each further one would be linked and would build cartd anew.
// Files whose names begin with deploy_ test what operators deploy.
//
// Open first: client_test.go (requests and answers), node_test.go (a running cartd),
// world_test.go and store_test.go (the stores that the tests use).
package blackbox
