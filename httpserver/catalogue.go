package httpserver

import (
	"net/url"

	"cartd/commerce"
)

// The catalogue routes answer from the node's memory. Only the stock of tracked products is read from
// Redis: docs/api/catalogue.md.

// listedVariants is the maximum number of variants that a product shows in a list.
const listedVariants = 50

// includeFacets is the value of ?include= that adds the facets of a list.
const includeFacets = "facets"

// handleProductList shows the active products that match the query's filters.
func handleProductList(s *Server, x *exchange) error {
	filter, sort, fault := decodeProductQuery(x)
	if fault != nil {
		return fault
	}
	view := x.facts.Store.PriceView(&x.facts.Visitor)
	found, err := x.findProducts(&filter, view)
	if err != nil {
		return err
	}
	catalogue, order := x.facts.Version.Catalogue, found.Order()
	if sort != commerce.SortDocument {
		order = catalogue.Order(sort, view)
	}
	p := x.page(catalogueRows, found.Len())
	from, to := p.bounds()
	products := catalogue.Page(&found.ProductSet, order, from, to)
	shown, err := x.showProducts(view, listedVariants, products...)
	if err != nil {
		return err
	}
	shown.listed = true
	x.out = append(x.out, `{"data":[`...)
	for i, product := range products {
		x.out = shown.appendProduct(appendComma(x.out, i), product)
		if err := x.grown(); err != nil {
			return err
		}
	}
	x.out = append(x.out, ']')
	if found.facets != nil {
		x.out = appendFacets(append(x.out, `,"facets":`...), found.facets)
	}
	x.out = x.appendPages(x.out, p)
	x.out = appendCorrected(x.out, found.Corrected)
	return x.answerTagged()
}

// handleProductRead shows one product, by id or slug.
func handleProductRead(s *Server, x *exchange) error {
	name := x.pathText("id")
	product := x.facts.Version.Catalogue.Product(name)
	if product == nil {
		return commerce.NotFound("Product", name)
	}
	shown, err := x.showProducts(x.facts.Store.PriceView(&x.facts.Visitor), len(product.Variants), product)
	if err != nil {
		return err
	}
	x.out = shown.appendProduct(x.out, product)
	return x.answerTagged()
}

// showProducts reads the stock of the products that show it. shown is the maximum number of variants
// that a product shows.
func (x *exchange) showProducts(view commerce.PriceView, shown int, products ...*commerce.Product) (*productPage, error) {
	inStock, err := x.readProductStock(products, shown)
	return &productPage{store: x.facts.Store, catalogue: x.facts.Version.Catalogue.Catalogue, view: view, inStock: inStock}, err
}

// handleCategoryList shows all categories.
func handleCategoryList(s *Server, x *exchange) error {
	all := x.facts.Version.Catalogue.Categories
	p := x.page(catalogueRows, len(all))
	from, to := p.bounds()
	x.out = append(x.out, `{"data":[`...)
	for i := range all[from:to] {
		x.out = appendCategory(appendComma(x.out, i), &all[from+i])
		if err := x.grown(); err != nil {
			return err
		}
	}
	return x.answerPage(s, p)
}

// handleCategoryRead shows one category, by id or slug.
func handleCategoryRead(_ *Server, x *exchange) error {
	name := x.pathText("id")
	category := x.facts.Version.Catalogue.Category(name)
	if category == nil {
		return commerce.NotFound("Category", name)
	}
	x.out = appendCategory(x.out, category)
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
	x.out = append(x.out, `{"data":[`...)
	for i := range rows[from:to] {
		x.out = appendRedirect(appendComma(x.out, i), &rows[from+i])
	}
	return x.answerPage(s, p)
}

// handleSitemap shows the pages of a storefront: active products, then all categories.
func handleSitemap(s *Server, x *exchange) error {
	catalogue := x.facts.Version.Catalogue
	products := catalogue.Products
	p := x.page(sitemapRows, len(products)+len(catalogue.Categories))
	from, to := p.bounds()
	x.out = append(x.out, `{"data":[`...)
	for i := from; i < to; i++ {
		x.out = appendComma(x.out, i-from)
		if i < len(products) {
			x.out = appendSitemapRow(x.out, "product", "/products/", products[i].ID, products[i].Slug)
		} else {
			category := &catalogue.Categories[i-len(products)]
			x.out = appendSitemapRow(x.out, "category", "/categories/", category.ID, category.Slug)
		}
	}
	return x.answerPage(s, p)
}

// answerPage ends a list after its rows are in x.out.
func (x *exchange) answerPage(s *Server, p page) error {
	x.out = x.appendPages(append(x.out, ']'), p)
	return x.answerTagged()
}

// pathText returns a value of the path, percent-decoded once.
func (x *exchange) pathText(name string) string {
	sent := x.param(name)
	if text, err := url.PathUnescape(sent); err == nil {
		return text
	}
	return sent
}
