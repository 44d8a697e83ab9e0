// Package strictjson owns a strict JSON reader for a server. A text that is not valid by the
// letter of RFC 8259 is refused, names are case-sensitive, numbers keep their digits, and
// nesting is bounded.
//
// Parse validates a whole text once. It returns a Value, which is a window into that text. Reading
// from a Value needs no checks and no copies.
//
// The package refuses to know Go structs: a caller asks for the members that it knows.
//
// AppendString writes a text as the reader reads it.
//
// Open first: value.go (reading), parse.go (refusals).
package strictjson
