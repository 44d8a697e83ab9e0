package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// The shapes of the catalogue: docs/api/catalogue.md#products.
var (
	stockStatusShape = openapi.Names(commerce.StockIn, commerce.StockOut, commerce.StockNotTracked)
	tierPricesShape  = openapi.List(openapi.Object("TierPrice").
				Has("min_quantity", openapi.Number, "").
				Has("unit_price", moneyShape, ""))
	mediaShape = openapi.List(openapi.Object("Media").
			Has("url", openapi.Text, "https://, or a path on the storefront's own host.").
			Has("alt", openapi.Text.OrNull(), ""))
	attributesShape     = openapi.Map(openapi.AnyOf(openapi.Text, openapi.List(openapi.Text)))
	publicMetadataShape = openapi.Map(openapi.Types("string", "number", "boolean", "null"))
	weightShape         = openapi.Number.OrNull()
	productShape        = openapi.Object("Product").
				Has("id", openapi.UUID, "").
				Has("slug", openapi.Text, "").
				Has("name", openapi.Text, "").
				Has("sku", openapi.Text.OrNull(), "").
				Has("description", openapi.Text.OrNull(), "").
				Has("capability", openapi.Names(commerce.Standard.String(), commerce.MadeToMeasure.String()), "").
				Has("capability_active", openapi.Boolean, "If false, the product cannot be added to a cart.").
				Has("unit", openapi.Names(commerce.UnitNames()...), "The unit of quantities.").
				Has("requires_shipping", openapi.Boolean, "").
				Has("track_stock", openapi.Boolean, "").
				Has("stock_status", stockStatusShape, "").
				Has("purchasability", openapi.Names("direct", "quote"), "quote: a cart with this product requires a quote.").
				Has("price", moneyShape.OrNull(), "At quantity 1, for this visitor, in the store's price basis. null if there is no price, the product is made to measure, or prices are hidden from guests.").
				Has("price_without_tax", moneyShape.OrNull(), "The price without its tax, rounded half up by itself, for display.").
				Has("price_includes_tax", openapi.Boolean, "").
				Has("tax_rate", openapi.Number, "In per cent.").
				Has("tier_prices", tierPricesShape, "In ascending order of min_quantity.").
				Has("category_ids", openapi.List(openapi.UUID), "").
				Has("variants", openapi.List(openapi.Object("Variant").
					Has("id", openapi.UUID, "").
					Has("name", openapi.Text, "").
					Has("sku", openapi.Text.OrNull(), "").
					Has("price", moneyShape.OrNull(), "").
					Has("price_without_tax", moneyShape.OrNull(), "").
					Has("stock_status", stockStatusShape, "").
					Has("tier_prices", tierPricesShape, "").
					Has("media", mediaShape, "The variant's own pictures; in a list the first one.").
					Has("attributes", attributesShape, "The variant's own; the product's hold under them.").
					Has("metadata", publicMetadataShape, "").
					Has("weight_grams", weightShape, "Of one unit; null: the product's.")), "The active variants; in a list the first 50 of them.").
				Has("variants_count", openapi.Integer, "The number of active variants.").
				Has("media", mediaShape, "Pictures; in a list the first one.").
				Has("attributes", attributesShape, "Names with a text or a list of texts, in the store's order.").
				Has("metadata", publicMetadataShape, "").
				Has("options", openapi.List(openapi.Object("ProductOption").
					Has("name", openapi.Text, "").
					Has("values", openapi.List(openapi.Text), "")), "The attributes in which the active variants differ, with their values.").
				Has("weight_grams", weightShape, "Of one unit of quantity.").
				Has("price_from", moneyShape.OrNull(), "The price that a made-to-measure product begins from. null if there is none, or prices are hidden from guests.").
				Has("media_count", openapi.Integer, "The number of pictures.")
	productsAnswer = openapi.Object("ProductList").
			Has("data", openapi.List(productShape), "").
			May(includeFacets, facetsShape, "With `include=facets`.").
			Has("links", answers.PageLinks.Schema, "").
			Has("meta", answers.PageMeta.Schema.Named("ProductPageMeta").
				May("corrected", openapi.Map(openapi.Text), "The words of `q` that were replaced, because no searchable word begins with them, each with its replacement."), "")
)

// productPage writes products for one visitor.
type productPage struct {
	store     *commerce.Store
	catalogue *commerce.Catalogue
	view      commerce.PriceView
	// listed is true for rows of a list: they have the first variants and the first pictures.
	listed bool
	// inStock says of the products that are not written yet, in order, what readProductStock has read.
	inStock []bool
	// tiers is a buffer, reused for each product.
	tiers []commerce.Tier
}

// appendProduct writes a product with its active variants: docs/api/catalogue.md#products.
func (g *productPage) appendProduct(dst []byte, p *commerce.Product) []byte {
	variants := len(p.Variants)
	if g.listed {
		variants = min(variants, listedVariants)
	}
	dst = appendUUID(append(dst, `{"id":`...), p.ID)
	dst = appendString(append(dst, `,"slug":`...), p.Slug)
	dst = appendString(append(dst, `,"name":`...), p.Name)
	dst = appendText(append(dst, `,"sku":`...), p.SKU)
	dst = appendText(append(dst, `,"description":`...), p.Description)
	dst = appendString(append(dst, `,"capability":`...), p.Capability.String())
	dst = strconv.AppendBool(append(dst, `,"capability_active":`...), g.store.Modules.Has(p.Capability.Module()))
	dst = appendString(append(dst, `,"unit":`...), p.Unit.String())
	dst = strconv.AppendBool(append(dst, `,"requires_shipping":`...), p.RequiresShipping)
	dst = strconv.AppendBool(append(dst, `,"track_stock":`...), p.TrackStock)
	dst = appendString(append(dst, `,"stock_status":`...), g.stockStatus(p))
	dst = appendString(append(dst, `,"purchasability":`...), p.Purchasability.String())
	price, priced := g.view.Price(p)
	dst = appendMoneyOrNull(append(dst, `,"price":`...), price, priced)
	dst = appendMoneyOrNull(append(dst, `,"price_without_tax":`...), g.store.WithoutTax(price, p.Tax), priced)
	dst = strconv.AppendBool(append(dst, `,"price_includes_tax":`...), g.store.PricesIncludeTax)
	dst = p.Tax.AppendJSON(append(dst, `,"tax_rate":`...))
	dst = g.appendTiers(append(dst, `,"tier_prices":`...), p, nil)
	dst = append(dst, `,"category_ids":[`...)
	for i, id := range p.CategoryIDs {
		dst = appendUUID(appendComma(dst, i), id)
	}
	dst = append(dst, `],"variants":[`...)
	active := 0
	for i := range p.Variants {
		v := &p.Variants[i]
		if !v.Active {
			continue
		}
		if active < variants {
			dst = g.appendVariant(appendComma(dst, active), p, v)
		}
		active++
	}
	dst = appendInt(append(dst, `],"variants_count":`...), active)
	dst = g.appendDisplay(dst, &p.Display)
	dst = append(dst, `,"options":[`...)
	for i, option := range g.catalogue.Options(p) {
		dst = appendString(append(appendComma(dst, i), `{"name":`...), option.Name)
		dst = appendStrings(append(dst, `,"values":`...), option.Values)
		dst = append(dst, '}')
	}
	dst = appendWeight(append(dst, ']'), p.Weight)
	from, begins := g.view.PriceFrom(p)
	dst = appendMoneyOrNull(append(dst, `,"price_from":`...), from, begins)
	dst = appendInt(append(dst, `,"media_count":`...), len(p.Media))
	return append(dst, '}')
}

func (g *productPage) appendVariant(dst []byte, p *commerce.Product, v *commerce.Variant) []byte {
	dst = appendUUID(append(dst, `{"id":`...), v.ID)
	dst = appendString(append(dst, `,"name":`...), v.Name)
	dst = appendText(append(dst, `,"sku":`...), v.SKU)
	price, priced := g.view.VariantPrice(p, v)
	dst = appendMoneyOrNull(append(dst, `,"price":`...), price, priced)
	dst = appendMoneyOrNull(append(dst, `,"price_without_tax":`...), g.store.WithoutTax(price, p.Tax), priced)
	dst = appendString(append(dst, `,"stock_status":`...), g.stockStatus(p))
	dst = g.appendTiers(append(dst, `,"tier_prices":`...), p, v)
	dst = appendWeight(g.appendDisplay(dst, &v.Display), v.Weight)
	return append(dst, '}')
}

// appendDisplay writes media, attributes and metadata.
func (g *productPage) appendDisplay(dst []byte, d *commerce.Display) []byte {
	media := d.Media
	if g.listed {
		media = media[:min(1, len(media))]
	}
	dst = appendMedia(append(dst, `,"media":`...), media)
	dst = appendAttributes(append(dst, `,"attributes":`...), d.Attributes)
	return appendPublicMetadata(append(dst, `,"metadata":`...), d.Metadata)
}

func appendMedia(dst []byte, media []commerce.Media) []byte {
	dst = append(dst, '[')
	for i := range media {
		dst = appendPicture(appendComma(dst, i), &media[i])
	}
	return append(dst, ']')
}

func appendPicture(dst []byte, m *commerce.Media) []byte {
	dst = appendString(append(dst, `{"url":`...), m.URL)
	return append(appendText(append(dst, `,"alt":`...), m.Alt), '}')
}

// appendAttributes writes a map with the document's texts and lists, in its order.
func appendAttributes(dst []byte, attributes []commerce.Attribute) []byte {
	dst = append(dst, '{')
	for i := range attributes {
		a := &attributes[i]
		dst = append(appendString(appendComma(dst, i), a.Name), ':')
		if a.List {
			dst = appendStrings(dst, a.Values)
		} else {
			dst = appendString(dst, a.Values[0])
		}
	}
	return append(dst, '}')
}

// appendPublicMetadata writes the metadata of a document, {} if there is none.
func appendPublicMetadata(dst []byte, m commerce.Metadata) []byte {
	if m == nil {
		return append(dst, "{}"...)
	}
	return appendMetadata(dst, m)
}

func appendWeight(dst []byte, weight *commerce.Milligrams) []byte {
	dst = append(dst, `,"weight_grams":`...)
	if weight == nil {
		return append(dst, "null"...)
	}
	return weight.AppendJSON(dst)
}

func (g *productPage) appendTiers(dst []byte, p *commerce.Product, v *commerce.Variant) []byte {
	g.tiers = g.view.AppendTiers(g.tiers[:0], p, v)
	dst = append(dst, '[')
	for i := range g.tiers {
		t := &g.tiers[i]
		dst = t.MinQuantity.AppendJSON(append(appendComma(dst, i), `{"min_quantity":`...))
		dst = appendMoney(append(dst, `,"unit_price":`...), t.Price)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// stockStatus removes the next status, of a product or of its next variant, from g.inStock.
func (g *productPage) stockStatus(p *commerce.Product) string {
	if !g.store.ShowsStock(p) {
		return commerce.StockNotTracked
	}
	in := g.inStock[0]
	g.inStock = g.inStock[1:]
	return commerce.StockStatus(in)
}

func appendMoneyOrNull(dst []byte, a commerce.Amount, there bool) []byte {
	if !there {
		return append(dst, "null"...)
	}
	return appendMoney(dst, a)
}
