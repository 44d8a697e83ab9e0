package httpserver

import (
	"runtime"
	"sync"
	"time"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/internal/answers"
	"cartd/internal/turns"
)

// foundProducts are the products of a list, with their facets if the request asks for them.
type foundProducts struct {
	*catalogue.Found
	facets *catalogue.Facets
}

// facetRows is the estimate of facets, in rows of a list.
func facetRows(f *catalogue.Facets) int {
	if f == nil {
		return 0
	}
	return (catalogue.MaxFacetNames*catalogue.MaxFacetValues + catalogue.MaxFacetCategories) * facetValue / listRow
}

// facetValue is the estimate of a value of a facet, in bytes.
const facetValue = 128

// newSearches are the turns of searches: as many as processors, because more would only take memory.
func newSearches() *turns.Turns {
	n := runtime.GOMAXPROCS(0)
	return turns.New(n, n, turns.Unbounded)
}

// facetBuffers are shared by all stores.
var facetBuffers = sync.Pool{New: func() any { return new(catalogue.FacetBuffer) }}

// findProducts finds the products of a list. A search, a filter by attributes and facets wait for their
// turn, and their memory counts in the budget of answers.
func (x *exchange) findProducts(filter *catalogue.Filter, view commerce.PriceView) (found foundProducts, err error) {
	index, facets := x.facts.Version.Catalogue, x.includes(answers.IncludeFacets)
	if facets || filter.Query != "" || len(filter.Attributes) > 0 {
		store := x.facts.Store.ID
		if err := x.takes(x.server.searching); err != nil {
			return found, err
		}
		defer x.server.searching.End(store)
		bytes := index.SearchBytes(filter, facets)
		if err := x.room(bytes); err != nil {
			return found, err
		}
		defer func() { _ = x.room(-bytes) }()
	}
	var prices *catalogue.PriceIndex
	if facets || filter.ByPrice() {
		prices = index.Prices(view)
	}
	if found.Found, err = index.Find(filter, prices, x.proceed); err != nil || !facets {
		return found, err
	}
	buffer := facetBuffers.Get().(*catalogue.FacetBuffer)
	defer facetBuffers.Put(buffer)
	found.facets = index.Facets(found.Found, prices, buffer)
	return found, nil
}

// proceed ends long work at the deadline, and when the client has left.
func (x *exchange) proceed() error {
	if time.Now().After(x.request.Deadline) || front.ClientLeft(x.ctx) {
		return engine.ErrUnavailable
	}
	return nil
}
