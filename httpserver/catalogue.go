package httpserver

import (
	"iter"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/engine"
	"cartd/httpserver/front"
	"cartd/internal/answers"
	"cartd/internal/openapi"
	"cartd/internal/turns"
)

// The catalogue routes answer from the node's memory. Only the stock of tracked products is read from
// Redis: docs/api/catalogue.md.

// handleProductList shows the active products that match the query's filters.
func handleProductList(s *Server, x *exchange) error {
	filter, sort, country, fault := decodeProductQuery(x)
	if fault != nil {
		return fault
	}
	view := x.facts.Store.PriceView(&x.facts.Visitor, country, x.facts.Now)
	found, err := x.findProducts(&filter, view)
	if err != nil {
		return err
	}
	index, order := x.facts.Version.Catalogue, found.Order()
	if sort != catalogue.SortDocument {
		order = index.Order(sort, view)
	}
	p := x.page(catalogueRows, found.Len())
	from, to := p.bounds()
	products := index.Page(&found.ProductSet, order, from, to)
	shown, err := x.showProducts(view, answers.ListedVariants, products...)
	if err != nil {
		return err
	}
	shown.Listed = true
	if err = x.makesList(len(products) + x.linkRows() + facetRows(found.facets)); err != nil {
		return err
	}
	x.out = answers.ProductList.Append(x.out, answers.ProductListView{
		PageView: pageView(x, x.pages(p), shownProducts(shown, products), &err), Facets: found.facets, Corrected: found.Corrected, Partial: found.Partial,
	})
	if err != nil {
		return err
	}
	return x.answerTagged()
}

// shownProducts yields the products of a list as they are shown.
func shownProducts(shown *answers.ProductPage, products []*commerce.Product) iter.Seq[*answers.ProductView] {
	return func(yield func(*answers.ProductView) bool) {
		for _, p := range products {
			if !yield(shown.View(p)) {
				return
			}
		}
	}
}

// handleProductRead shows one product, by id or slug.
func handleProductRead(s *Server, x *exchange) error {
	name := x.decodedParam("id")
	product := x.facts.Store.ActiveProduct(name)
	if product == nil {
		return commerce.NotFound("Product", name)
	}
	country, fault := x.taxCountry()
	if fault != nil {
		return fault
	}
	shown, err := x.showProducts(x.facts.Store.PriceView(&x.facts.Visitor, country, x.facts.Now), len(product.Variants), product)
	if err != nil {
		return err
	}
	if err = x.makesList(len(product.Variants)); err != nil {
		return err
	}
	x.out = answers.Product.Append(x.out, shown.View(product))
	return x.answerTagged()
}

// showProducts reads the stock of the products that show it. shown is the maximum number of variants
// that a product shows.
func (x *exchange) showProducts(view commerce.PriceView, shown int, products ...*commerce.Product) (*answers.ProductPage, error) {
	states, err := x.readProductStock(products, shown)
	return &answers.ProductPage{Store: x.facts.Store, Catalogue: x.facts.Version.Catalogue.Catalogue, Prices: view, Stock: states}, err
}

// handleCategoryList shows all categories.
func handleCategoryList(s *Server, x *exchange) error {
	all := x.facts.Version.Catalogue.Categories
	p := x.page(catalogueRows, len(all))
	from, to := p.bounds()
	return answerPage(x, answers.CategoryList, p, pointers(all[from:to]))
}

// handleCategoryRead shows one category, by id or slug.
func handleCategoryRead(_ *Server, x *exchange) error {
	name := x.decodedParam("id")
	category := x.facts.Version.Catalogue.Category(name)
	if category == nil {
		return commerce.NotFound("Category", name)
	}
	x.out = answers.Category.Append(x.out, category)
	return x.answerTagged()
}

// handleRedirectList shows all redirects, or the redirect from the path in the query.
func handleRedirectList(s *Server, x *exchange) error {
	rows := x.facts.Store.Redirects
	if path := lastArg(x, "path"); !blankText(path) {
		rows = x.facts.Version.Catalogue.Redirect(path)
	}
	p := x.page(catalogueRows, len(rows))
	from, to := p.bounds()
	return answerPage(x, answers.RedirectList, p, pointers(rows[from:to]))
}

// handleSitemap shows the pages of a storefront: active products, then all categories.
func handleSitemap(s *Server, x *exchange) error {
	catalogue := x.facts.Version.Catalogue
	every := catalogue.Every()
	p := x.page(sitemapRows, every.Len()+len(catalogue.Categories))
	from, to := p.bounds()
	return answerPage(x, answers.Sitemap, p, func(yield func(answers.SitemapView) bool) {
		n := every.Len()
		for _, p := range catalogue.Page(&every, nil, min(from, n), min(to, n)) {
			if !yield(answers.SitemapView{Type: "product", Folder: "/products/", ID: p.ID, Slug: p.Slug}) {
				return
			}
		}
		for i := max(from, n); i < to; i++ {
			category := &catalogue.Categories[i-n]
			if !yield(answers.SitemapView{Type: "category", Folder: "/categories/", ID: category.ID, Slug: category.Slug}) {
				return
			}
		}
	})
}

// answerPage writes a page of a list from the node's memory.
func answerPage[R any](x *exchange, list answers.Kind[answers.PageView[R]], p page, rows iter.Seq[R]) error {
	if err := writePage(x, list, p, rows); err != nil {
		return err
	}
	return x.answerTagged()
}

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

// productQueryParameters are the parameters that decodeProductQuery reads.
var productQueryParameters = []openapi.Parameter{
	queryOf("q", openapi.Text.MaxLength(catalogue.MaxQuery),
		"Words, or beginnings of words, in the name, in an SKU, in a variant's name, in the value of an attribute or in the name of a category, in any of "+
			"their forms. Letter case and accents do not matter. A word with a typing error is corrected: `meta.corrected`. If no product has all words, "+
			"those with most of them are listed: `meta.partial`."),
	queryOf("category_id", openapi.Text, "A category, without its subcategories."),
	queryOf("in_category", openapi.Text, "The id or slug of a category, with its subcategories."),
	queryOf("ids[]", openapi.List(openapi.Text).MaxItems(catalogue.MaxIDs), "Products, in this order; unknown ids are left out."),
	queryOf("sku", openapi.Text, "The exact SKU of the product or of an active variant."),
	queryOf("capability", openapi.Names(commerce.Standard.String(), commerce.MadeToMeasure.String()), ""),
	queryOf("price_min", openapi.Integer, "The lowest price, in minor units. A product counts with its price, else with price_from."),
	queryOf("price_max", openapi.Integer, "The highest price, in minor units."),
	{In: "query", Name: "attributes", Brackets: true, Schema: openapi.Map(openapi.AnyOf(openapi.Text, openapi.List(openapi.Text))),
		About: "`attributes[Colour]=White`, or `attributes[Colour][]=White` for several values. A product must have, in one variant, one of the values of each " +
			"name. Letter case and accents do not matter."},
	queryOf("sort", openapi.Names(catalogue.Sorts...), "Absent: the order of `ids[]`, else the store's."),
	taxCountryParameter,
}

// productQueryRefusals is an example of the refusals of decodeProductQuery.
var productQueryRefusals = []*commerce.Refusal{faultOf("sort", commerce.MsgIn("sort"))}

// decodeProductQuery reads the filters, the order and the tax country of a list of products. A blank value
// counts as absent.
func decodeProductQuery(x *exchange) (f catalogue.Filter, sort catalogue.Sort, country commerce.Country, _ *commerce.Refusal) {
	var faults commerce.Faults
	f.Query = lastArg(x, "q")
	commerce.AtMost(catalogue.MaxQuery)(&faults, "q", f.Query)
	if text := lastArg(x, "category_id"); !blankText(text) {
		id, _ := commerce.ParseID(text)
		f.Category = &id
	}
	if text := lastArg(x, "in_category"); !blankText(text) {
		f.InCategory = text
	}
	ids := decodeProductLists(x.ctx.QueryArgs(), &f)
	catalogue.CheckFilter(&faults, &f, ids)
	if text := lastArg(x, "sku"); !blankText(text) {
		f.SKU = text
	}
	if text := lastArg(x, "capability"); !blankText(text) {
		capability, ok := commerce.ParseCapability(text)
		if f.Capability = &capability; !ok {
			faults.Add("capability", commerce.MsgIn("capability"))
		}
	}
	f.PriceMin, f.PriceMax = amountArg(x, &faults, "price_min"), amountArg(x, &faults, "price_max")
	if text := lastArg(x, "sort"); !blankText(text) {
		var ok bool
		if sort, ok = catalogue.ParseSort(text); !ok {
			faults.Add("sort", commerce.MsgIn("sort"))
		}
	}
	country = decodeTaxCountry(x, &faults)
	return f, sort, country, faults.Refusal()
}

// decodeProductLists reads ids[]=… and attributes[Name]=…, attributes[Name][]=…, also with an index
// in the last brackets. It returns the number of the ids that were sent: a value that is no id is
// left out, like an unknown id, but counts for the limit.
func decodeProductLists(args *fasthttp.Args, f *catalogue.Filter) (ids int) {
	for key, value := range args.All() {
		name, text := listName(string(key)), string(value)
		if blankText(text) {
			continue
		}
		if name == "ids" {
			ids++
			if f.IDs == nil {
				f.IDs = []uuid.UUID{}
			}
			f.IDs = appendID(f.IDs, value)
		} else if attribute, ok := attributeName(string(key)); ok {
			f.Attributes = append(f.Attributes, catalogue.AttributeFilter{Name: attribute, Values: []string{text}})
		}
	}
	return ids
}

// attributeName returns the name in attributes[Name], attributes[Name][] or attributes[Name][0]. The
// name may have brackets itself.
func attributeName(key string) (string, bool) {
	name, ok := strings.CutPrefix(key, "attributes[")
	if !ok || !strings.HasSuffix(name, "]") {
		return "", false
	}
	name = strings.TrimSuffix(name, "]")
	if at := strings.LastIndex(name, "]["); at >= 0 && strings.Trim(name[at+2:], "0123456789") == "" {
		name = name[:at]
	}
	return name, !blankText(name)
}
