// Package strictjson reads JSON the way a server has to: a text is either valid
// to the letter of RFC 8259 or refused, names are case-sensitive, numbers keep
// their digits, and depth is bounded.
//
// Parse validates a whole text once; the Value it returns is a window into that
// text, and every step from there on is unchecked, quick and without copies.
//
// It knows nothing of Go structs: who reads a document asks for the members it
// knows. Open first: value.go (what can be asked), parse.go (what is refused).
package strictjson
