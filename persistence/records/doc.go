// Package records writes records: carts, contacts and whatever else is replaced as a whole, if
// everything that it was judged by still stands. It knows bytes, keys and the script that
// compares and writes them (write.lua), and nothing of what a record means.
package records
