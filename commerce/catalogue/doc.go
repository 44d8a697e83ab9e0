// Package catalogue is the part of a store that a storefront can browse, with its indexes: the tree of categories,
// the search by words, filters, facets and sorts.
//
// It owns which products a list has, in which order, and what its facets count. A Catalogue is made from a store, or
// follows the one of the store before, and is never changed. It knows no request and shows nothing: prices come in a
// commerce.PriceView.
//
// Open first: catalogue.go (what is indexed, and the catalogue of the next store), find.go (the path of a list),
// search.go (the words of a query).
package catalogue
