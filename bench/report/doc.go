// Package report owns the presentation of measurements: tables of text, a page of HTML that needs no
// network, and two documents side by side.
//
// It refuses to know the systems that were measured. Open first: table.go (text), page.go (HTML),
// compare.go (old and new).
package report
