// Package field is the vocabulary in which every JSON object of cartd is told, row by row: the answers and the bodies of the API, and the
// store documents. A row says a member's name, its kind, a sentence about it for the descriptions, and its place in the Go value. A kind
// says how the values of a type are described, read and written.
//
// The package does not know what a face makes of faults: it reads through Source, which each face has one of. Open kind.go first, then
// row.go.
package field
