package answers

import (
	"net/url"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/internal/field"
)

// Category is a category: docs/api/catalogue.md#categories-redirects-sitemap.
var Category = field.Object("Category",
	field.Member("id", UUID, "", func(c *catalogue.CategoryNode) *uuid.UUID { return &c.ID }),
	field.Member("slug", Text, "", func(c *catalogue.CategoryNode) *string { return &c.Slug }),
	field.Member("name", Text, "", func(c *catalogue.CategoryNode) *string { return &c.Name }),
	field.Member("parent_id", UUIDOrNull, "", func(c *catalogue.CategoryNode) *uuid.UUID { return &c.ParentID }),
	field.Member("products_count", Integer, "The number of active products in this category.", func(c *catalogue.CategoryNode) *int { return &c.ProductsCount }),
	field.Member("media", media, "", func(c *catalogue.CategoryNode) *[]commerce.Media { return &c.Media }),
	field.Member("description", TextOrNull, "", func(c *catalogue.CategoryNode) *string { return &c.Description }),
	field.Member("metadata", publicMetadata, "", func(c *catalogue.CategoryNode) *commerce.Metadata { return &c.Metadata }),
	field.Member("products_total", Integer, "The number of active products in this category and its descendants.",
		func(c *catalogue.CategoryNode) *int { return &c.ProductsTotal }),
)

// Redirect is a redirect of the store.
var Redirect = field.Object("Redirect",
	field.Member("from", Text, "", func(r *commerce.Redirect) *string { return &r.From }),
	field.Member("to", Text, "", func(r *commerce.Redirect) *string { return &r.To }),
	field.Member("status", Integer, "", func(r *commerce.Redirect) *int { return &r.Status }),
)

// SitemapView is a page of a storefront: the one of a product, or of a category.
type SitemapView struct {
	Type   string
	Folder string
	ID     uuid.UUID
	Slug   string
}

// SitemapEntry is a row of the sitemap.
var SitemapEntry = field.Object("SitemapEntry",
	field.Value("type", Names("product", "category"), "", func(v SitemapView) string { return v.Type }),
	field.Value("id", UUID, "", func(v SitemapView) uuid.UUID { return v.ID }),
	field.Value("slug", Text, "", func(v SitemapView) string { return v.Slug }),
	field.Value("path", Text, "Percent-encoded.", func(v SitemapView) string { return v.Folder + url.PathEscape(v.Slug) }),
)

// The lists of the catalogue beside its products.
var (
	CategoryList = PageOf("CategoryList", Category)
	RedirectList = PageOf("RedirectList", Redirect)
	Sitemap      = PageOf("Sitemap", SitemapEntry)
)
