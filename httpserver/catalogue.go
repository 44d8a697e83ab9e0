package httpserver

import (
	"iter"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/internal/answers"
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
