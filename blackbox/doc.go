// Package blackbox owns the tests of the built program. They start cartd as operators do, send
// requests over HTTP and compare the answers. Package internal/process starts the programs,
// bench/shopper sends the requests.
//
// It refuses to know the server's packages, with one exception: it reads the table of refusals
// (commerce), so that the tests miss no row.
//
// All tests are one package, because every further package would link and build cartd once more.
// The files deploy_* test the files that operators deploy.
//
// Open first: client_test.go (requests and answers), node_test.go (a running cartd), world_test.go
// and store_test.go (the stores of the tests).
package blackbox
