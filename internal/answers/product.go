package answers

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// ListedVariants is the maximum number of variants that a product shows in a list.
const ListedVariants = 50

// ProductPage shows products to one visitor.
type ProductPage struct {
	Store     *commerce.Store
	Catalogue *catalogue.Catalogue
	Prices    commerce.PriceView
	// Listed is true for rows of a list: they have the first variants and the first pictures.
	Listed bool
	// Stock are the states of the products that are not shown yet and have stock, in order; each is followed by those of its variants
	// that are shown.
	Stock []commerce.StockState
	// These are the product, the variant and the tiers that are being written.
	product ProductView
	variant VariantView
	tiers   []commerce.Tier
	shown   []TierView
}

// ProductView is a product of a page.
type ProductView struct {
	*commerce.Product
	page  *ProductPage
	price field.Maybe[commerce.Amount]
	// priced is the variant whose price is shown; nil if it is the product's own.
	priced *commerce.Variant
	// active and shown count the active variants, and those of them that are shown.
	active, shown int
	// stock is empty if the product shows no stock.
	stock []commerce.StockState
}

// View shows the page's next product. The view is valid until the next call.
func (g *ProductPage) View(p *commerce.Product) *ProductView {
	v := &g.product
	*v = ProductView{Product: p, page: g}
	v.price.Value, v.priced, v.price.There = g.Prices.Price(p)
	for i := range p.Variants {
		if p.Variants[i].Active {
			v.active++
		}
	}
	v.shown = v.active
	if g.Listed {
		v.shown = min(v.shown, ListedVariants)
	}
	if g.Store.ShowsStock(p) {
		v.stock, g.Stock = g.Stock[:1+v.shown], g.Stock[1+v.shown:]
	}
	return v
}

// Product is a product with its active variants: docs/api/catalogue.md#products.
var Product = field.Object("Product",
	field.Member("id", UUID, "", func(v *ProductView) *uuid.UUID { return &v.ID }),
	field.Member("slug", Text, "", func(v *ProductView) *string { return &v.Slug }),
	field.Member("name", Text, "", func(v *ProductView) *string { return &v.Name }),
	field.Member("sku", TextOrNull, "", func(v *ProductView) *string { return &v.SKU }),
	field.Member("description", TextOrNull, "", func(v *ProductView) *string { return &v.Description }),
	field.Value("capability", Names(commerce.Standard.String(), commerce.MadeToMeasure.String()), "",
		func(v *ProductView) string { return v.Capability.String() }),
	field.Value("capability_active", Boolean, "If false, the product cannot be added to a cart.",
		func(v *ProductView) bool { return v.page.Store.Modules.Has(v.Capability.Module()) }),
	field.Value("unit", unit, "The unit of quantities.", func(v *ProductView) string { return v.Unit.String() }),
	field.Member("requires_shipping", Boolean, "", func(v *ProductView) *bool { return &v.RequiresShipping }),
	field.Member("returnable", Boolean, "If false, it cannot be sent back.", func(v *ProductView) *bool { return &v.Returnable }),
	field.Member("lead_time_days", field.Pointer(Integer), "The days until it is ready to be sent; null if the document does not say.",
		func(v *ProductView) **int { return &v.LeadTimeDays }),
	field.Member("track_stock", Boolean, "", func(v *ProductView) *bool { return &v.TrackStock }),
	field.Value("stock_status", stockStatus, "", func(v *ProductView) string { return v.stockState(0).Status.String() }),
	field.Value("purchasability", Names("direct", "quote"), "quote: a cart with this product requires a quote.",
		func(v *ProductView) string { return v.Purchasability.String() }),
	field.NullUnless(func(v *ProductView) bool { return v.price.There },
		field.Member("price", Money, "At quantity 1, for this visitor, in the store's price basis. null if there is no price, the product is made to measure, "+
			"or prices are hidden from guests.", func(v *ProductView) *commerce.Amount { return &v.price.Value }),
		field.Value("price_without_tax", field.IfThere(Money), "The price without its tax, rounded half up by itself, for display.",
			func(v *ProductView) field.Maybe[commerce.Amount] { return v.withoutTax(v.price) }),
		field.Value("price_until", TimeOrNull, "The end of the dated price that is shown; null if the price has no end.",
			func(v *ProductView) time.Time { return v.priceUntil(v.priced) }),
		field.Value("original_price", field.IfThere(Money),
			"The price without dated ones, of the variant whose price is shown, if the store shows it and it is higher; "+
				"else null. It is not the lowest price of the last 30 days.", func(v *ProductView) field.Maybe[commerce.Amount] { return v.original(v.priced) }),
		field.Value("original_price_without_tax", field.IfThere(Money), "For display; rounded by itself.",
			func(v *ProductView) field.Maybe[commerce.Amount] { return v.withoutTax(v.original(v.priced)) })),
	field.Member("price_includes_tax", Boolean, "", func(v *ProductView) *bool { return &v.page.Store.PricesIncludeTax }),
	field.Value("tax_rate", Percent, "In per cent.", func(v *ProductView) commerce.Percent { return v.page.Prices.Tax.Rate(v.Tax) }),
	field.Value("tier_prices", tierPrices, "In ascending order of min_quantity.", func(v *ProductView) []TierView { return v.tiers(nil) }),
	field.Member("category_ids", field.Values(UUID), "", func(v *ProductView) *[]uuid.UUID { return &v.CategoryIDs }),
	field.Self("variants", Kind[*ProductView]{Schema: openapi.List(Variant.Schema), Append: appendVariants},
		"The active variants; in a list the first 50 of them."),
	field.Member("variants_count", Integer, "The number of active variants.", func(v *ProductView) *int { return &v.active }),
	field.Of(display("Pictures; in a list the first one.", "Names with a text or a list of texts, in the store's order."),
		func(v *ProductView) DisplayView { return DisplayView{&v.Display, v.page.Listed} }),
	field.Value("options", field.List(field.Object("ProductOption",
		field.Member("name", Text, "", func(o *catalogue.Option) *string { return &o.Name }),
		field.Member("values", Texts, "", func(o *catalogue.Option) *[]string { return &o.Values }),
	)), "The attributes in which the active variants differ, with their values.",
		func(v *ProductView) []catalogue.Option { return v.page.Catalogue.Options(v.Product) }),
	field.Member("weight_grams", weight, "Of one unit of quantity.", func(v *ProductView) **commerce.Milligrams { return &v.Weight }),
	field.Value("price_from", field.IfThere(Money),
		"The price that a made-to-measure product begins from. null if there is none, or prices are hidden from guests.",
		func(v *ProductView) field.Maybe[commerce.Amount] { return v.priceFrom() }),
	field.Value("price_from_without_tax", field.IfThere(Money), "For display; rounded by itself.",
		func(v *ProductView) field.Maybe[commerce.Amount] { return v.withoutTax(v.priceFrom()) }),
	field.Value("media_count", Integer, "The number of pictures.", func(v *ProductView) int { return len(v.Media) }),
	field.Member("text_fields", field.List(TextField), "The texts that a shopper gives with a line of the product, as the line's properties.",
		func(v *ProductView) *[]commerce.TextField { return &v.TextFields }),
	field.Of(pack, func(v *ProductView) commerce.Pack { return v.Pack.Of() }),
	field.Value("available_from", DateOrNull, aboutAvailableFrom+" Of a product with variants the earliest of theirs.",
		func(v *ProductView) commerce.Date { return v.stockState(0).From }),
)

// VariantView is a variant of a product. At is its index among the shown ones.
type VariantView struct {
	*commerce.Variant
	of    *ProductView
	at    int
	price field.Maybe[commerce.Amount]
}

// Variant is an active variant.
var Variant = field.Object("Variant",
	field.Member("id", UUID, "", func(v *VariantView) *uuid.UUID { return &v.ID }),
	field.Member("name", Text, "", func(v *VariantView) *string { return &v.Name }),
	field.Member("sku", TextOrNull, "", func(v *VariantView) *string { return &v.SKU }),
	field.Member("price", field.IfThere(Money), "", func(v *VariantView) *field.Maybe[commerce.Amount] { return &v.price }),
	field.Value("price_without_tax", field.IfThere(Money), "", func(v *VariantView) field.Maybe[commerce.Amount] { return v.of.withoutTax(v.price) }),
	field.Value("price_until", TimeOrNull, "", func(v *VariantView) time.Time { return v.of.priceUntil(v.Variant) }),
	field.Value("original_price", field.IfThere(Money), "", func(v *VariantView) field.Maybe[commerce.Amount] { return v.of.original(v.Variant) }),
	field.Value("original_price_without_tax", field.IfThere(Money), "", func(v *VariantView) field.Maybe[commerce.Amount] {
		return v.of.withoutTax(v.of.original(v.Variant))
	}),
	field.Value("stock_status", stockStatus, "", func(v *VariantView) string { return v.state().Status.String() }),
	field.Value("tier_prices", tierPrices, "", func(v *VariantView) []TierView { return v.of.tiers(v.Variant) }),
	field.Of(display("The variant's own pictures; in a list the first one.", "The variant's own; the product's hold under them."),
		func(v *VariantView) DisplayView { return DisplayView{&v.Display, v.of.page.Listed} }),
	field.Member("weight_grams", weight, "Of one unit; null: the product's.", func(v *VariantView) **commerce.Milligrams { return &v.Weight }),
	field.Value("available_from", DateOrNull, aboutAvailableFrom, func(v *VariantView) commerce.Date { return v.state().From }),
)

func appendVariants(dst []byte, v *ProductView) []byte {
	dst = append(dst, '[')
	view := &v.page.variant
	for i, at := 0, 0; at < v.shown; i++ {
		if variant := &v.Variants[i]; variant.Active {
			*view = VariantView{Variant: variant, of: v, at: at}
			view.price.Value, view.price.There = v.page.Prices.VariantPrice(v.Product, variant)
			dst = Variant.Append(field.Comma(dst, at), view)
			at++
		}
	}
	return append(dst, ']')
}

// stockState is the state of the product (0) or of a shown variant (from 1).
func (v *ProductView) stockState(at int) commerce.StockState {
	if len(v.stock) == 0 {
		return commerce.StockState{Status: commerce.StockNotTracked}
	}
	return v.stock[at]
}

func (v *VariantView) state() commerce.StockState { return v.of.stockState(1 + v.at) }

func (v *ProductView) withoutTax(price field.Maybe[commerce.Amount]) field.Maybe[commerce.Amount] {
	price.Value = v.page.Prices.Tax.Net(price.Value, v.Tax)
	return price
}

func (v *ProductView) priceFrom() (m field.Maybe[commerce.Amount]) {
	m.Value, m.There = v.page.Prices.PriceFrom(v.Product)
	return m
}

// priceUntil is the end of the dated price that is shown for the product, or for a variant.
func (v *ProductView) priceUntil(variant *commerce.Variant) time.Time {
	return v.page.Prices.PriceUntil(v.Product, variant)
}

// original is the price in whose place that dated price is shown.
func (v *ProductView) original(variant *commerce.Variant) (m field.Maybe[commerce.Amount]) {
	m.Value, m.There = v.page.Prices.OriginalPrice(v.page.Store, v.Product, variant)
	return m
}

// tiers are the tiers of the product, or of a variant. They are valid until the next call.
func (v *ProductView) tiers(variant *commerce.Variant) []TierView {
	g := v.page
	g.tiers, g.shown = g.Prices.AppendTiers(g.tiers[:0], v.Product, variant), g.shown[:0]
	for i := range g.tiers {
		g.shown = append(g.shown, TierView{&g.tiers[i], g.Prices.Tax.Net(g.tiers[i].Price, v.Tax)})
	}
	return g.shown
}

// TierView is a tier with its price without tax.
type TierView struct {
	*commerce.Tier
	net commerce.Amount
}

var tierPrices = field.List(field.Object("TierPrice",
	field.Member("min_quantity", Quantity, "", func(t *TierView) *commerce.Quantity { return &t.MinQuantity }),
	field.Member("unit_price", Money, "", func(t *TierView) *commerce.Amount { return &t.Price }),
	field.Member("unit_price_without_tax", Money, "For display; rounded by itself.", func(t *TierView) *commerce.Amount { return &t.net }),
))

// ProductListView is a page of a list of products. Facets is nil unless the answer has them.
type ProductListView struct {
	PageView[*ProductView]
	Facets    *catalogue.Facets
	Corrected []catalogue.Correction
	Partial   bool
}

// ProductList is a page of a list of products.
var ProductList = field.Object("ProductList",
	field.Value("data", rowsOf(Product), "", func(v ProductListView) PageView[*ProductView] { return v.PageView }),
	field.If(func(v ProductListView) bool { return v.Facets != nil },
		field.Value(IncludeFacets, Facets, "With `include=facets`.", func(v ProductListView) *catalogue.Facets { return v.Facets })),
	field.Value("links", PageLinks, "", func(v ProductListView) *Pages { return v.Pages }),
	field.Self("meta", field.Object("ProductPageMeta",
		field.Of(pageMeta, func(v ProductListView) *Pages { return v.Pages }),
		field.If(func(v ProductListView) bool { return len(v.Corrected) > 0 }, field.Value("corrected",
			field.Map(Text, func(c *catalogue.Correction) (string, string) { return c.Word, c.By }),
			"The words of `q` that were taken for misspelt, each with its replacement.",
			func(v ProductListView) []catalogue.Correction { return v.Corrected })),
		field.If(func(v ProductListView) bool { return v.Partial }, field.Value("partial", Boolean,
			"True if no product has all words of `q`: these have most of them.",
			func(v ProductListView) bool { return v.Partial }))), ""),
)

// pack are the quantities that a line of a product may have; 0 is none: docs/api/lines.md#packs.
var pack = field.Rows(
	field.Value("min_quantity", field.OrNull(Quantity), "The smallest quantity of a line; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Min }),
	field.Value("max_quantity", field.OrNull(Quantity), "The greatest quantity of a line, beside the store's; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Max }),
	field.Value("quantity_step", field.OrNull(Quantity), "The quantity of a line is a multiple of it; null without one.",
		func(p commerce.Pack) commerce.Quantity { return p.Step }),
)

// Picture is a picture of a product, a variant or a category.
var Picture = field.Object("Media",
	field.Member("url", Text, "https://, or a path on the storefront's own host.", func(m *commerce.Media) *string { return &m.URL }),
	field.Member("alt", TextOrNull, "", func(m *commerce.Media) *string { return &m.Alt }),
)

var media = field.List(Picture)

// Attributes are the texts and lists of the store's document, in its order.
var Attributes = field.Map(Kind[*commerce.Attribute]{Schema: openapi.AnyOf(openapi.Text, openapi.List(openapi.Text)), Append: appendAttribute},
	func(a *commerce.Attribute) (string, *commerce.Attribute) { return a.Name, a })

func appendAttribute(dst []byte, a *commerce.Attribute) []byte {
	if a.List {
		return Texts.Append(dst, a.Values)
	}
	return strictjson.AppendString(dst, a.Values[0])
}

// publicMetadata is the metadata of a document, {} if there is none.
var publicMetadata = Kind[commerce.Metadata]{Schema: metadata, Append: func(dst []byte, m commerce.Metadata) []byte {
	if m == nil {
		return append(dst, "{}"...)
	}
	return appendMetadata(dst, m)
}}

// unit is the unit of a product's quantities.
var unit = Names(commerce.UnitNames()...)

// weight is null if it is not known.
var weight = field.Pointer(number[commerce.Milligrams]())

// DisplayView is what a product or a variant shows. In a list it has the first picture only.
type DisplayView struct {
	*commerce.Display
	Listed bool
}

// display are the fields of what is shown, with the sentences that differ.
func display(aboutMedia, aboutAttributes string) []Field[DisplayView] {
	return field.Rows(
		field.Value("media", media, aboutMedia, func(v DisplayView) []commerce.Media {
			if v.Listed {
				return v.Media[:min(1, len(v.Media))]
			}
			return v.Media
		}),
		field.Member("attributes", Attributes, aboutAttributes, func(v DisplayView) *[]commerce.Attribute { return &v.Attributes }),
		field.Member("metadata", publicMetadata, "", func(v DisplayView) *commerce.Metadata { return &v.Metadata }),
	)
}

// IncludeFacets is the value of ?include= that adds the facets of a list.
const IncludeFacets = "facets"

// Facets count the products of a list.
var Facets = field.Object("Facets",
	field.Member("attributes", field.List(field.Object("AttributeFacet",
		field.Member("name", Text, "", func(f *catalogue.AttributeFacet) *string { return &f.Name }),
		field.Member("values", field.List(field.Object("ValueFacet",
			field.Member("value", Text, "", func(v *catalogue.ValueFacet) *string { return &v.Text }),
			field.Member("count", Integer, "", func(v *catalogue.ValueFacet) *int { return &v.Count }),
		)), "At most 50, the most frequent first.", func(f *catalogue.AttributeFacet) *[]catalogue.ValueFacet { return &f.Values }),
	)), "At most 20, those with the most products first. Each is counted without its own filter.",
		func(f *catalogue.Facets) *[]catalogue.AttributeFacet { return &f.Attributes }),
	field.Member("categories", field.List(field.Object("CategoryFacet",
		field.Member("id", UUID, "", func(c *catalogue.CategoryFacet) *uuid.UUID { return &c.ID }),
		field.Member("count", Integer, "Descendants included.", func(c *catalogue.CategoryFacet) *int { return &c.Count }),
	)), "The children of the category filtered by, else the roots; at most 100.",
		func(f *catalogue.Facets) *[]catalogue.CategoryFacet { return &f.Categories }),
	field.Self("price", field.Object("PriceFacet",
		field.Member("min", field.Pointer(Amount), "In minor units; null if no product shows a price.",
			func(f *catalogue.Facets) **commerce.Amount { return &f.Lowest }),
		field.Member("max", field.Pointer(Amount), "", func(f *catalogue.Facets) **commerce.Amount { return &f.Highest }),
	), ""),
)
