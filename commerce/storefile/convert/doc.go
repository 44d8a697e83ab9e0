// Package convert makes a store document from the product tables of other systems: a table with the
// columns of Template, or Shopify's product export. It lists what it cannot take over, line by line.
//
// It refuses to know files, and judges no document: storefile.Parse does.
//
// Open first: document.go (the document being made), csv.go and shopify.go (one table each).
package convert
