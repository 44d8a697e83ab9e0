// Package convert makes a store document from the product tables of other systems: a table with the
// columns of Template, or an export of Shopify, WooCommerce, Medusa or Wix (platform.go). It goes in
// steps: the bytes of a file become text, the text rows (table.go), whose cells have names (columns.go).
// The rows become products (csv.go and shopify.go), laid over those of an earlier document (base.go), and
// the products a document within the limits of the format (document.go). A Note names every cell that is
// changed or left out.
//
// It refuses to know files, and judges no document: storefile.Parse does.
//
// Open first: document.go (the document being made), then csv.go.
package convert
