// Package report shows what was measured: tables of text, a page of HTML that needs
// no network, and two documents side by side.
//
// It knows results and no system. Open first: table.go (text), page.go (HTML),
// compare.go (old and new).
package report
