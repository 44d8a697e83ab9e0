package httpserver

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// includeDetails adds what a page shows of a cart beside its envelope. Every answer with a cart
// envelope has it.
const includeDetails = "details"

var cartDetails = include{includeDetails, "adds what a page shows of a cart beside its envelope."}

// detailsShape is the object of a cart's details. Showing a cart.
var detailsShape = openapi.Object("CartDetails").
	Has("requires_shipping", openapi.Boolean, "true if a line's product is shipped: the order then needs a method and an address.").
	Has("merged_into", openapi.UUID.OrNull(), "Of a merged cart the cart that it was folded into. Follow it until one is active or 404.").
	Has("lines", openapi.Map(openapi.Object("CartLineDetails").
		Has("slug", openapi.Text.OrNull(), "The product's. This field and the next seven are null if the product is gone.").
		Has("variant_name", openapi.Text.OrNull(), "null also without variant.").
		Has("unit", openapi.Names(commerce.UnitNames()...).OrNull(), "").
		Has("tax_rate", openapi.Number.OrNull(), "In per cent.").
		Has("media", mediaShape.Items().OrNull(), "The variant's first picture, else the product's; null if there is none.").
		Has("attributes", attributesShape.OrNull(), "The variant's; null without variant.").
		Has("requires_shipping", openapi.Boolean.OrNull(), "").
		Has("original_unit_price", moneyShape.OrNull(), "The base price, or the group's, if the policy shows it and it is above the unit price.").
		Has("full_total", moneyShape, "The line before discounts.").
		Has("discount_amount", moneyShape, "The line's share of the discounts: full_total − discount_amount = line_total.").
		Has("unit_price_without_tax", moneyShape, "For display; rounded by itself. The totals stay the truth.").
		Has("line_total_without_tax", moneyShape, "For display, as above.")), "By the line's id.")

// showsCart reports whether a success of the route has a cart envelope.
func (r *route) showsCart() bool {
	return r.api.out != nil && slices.ContainsFunc(r.api.out.Fields(), func(f openapi.Field) bool { return f.Name == includeDetails })
}

// withDetails is the shape of an answer with a cart envelope.
func withDetails(name string) *openapi.Schema {
	return openapi.Object(name).Has("data", cartShape, "").
		May(includeDetails, detailsShape, "With `include=details`.")
}

// appendCartAnswer writes the envelope of a cart, with its details if they are asked for.
func appendCartAnswer(dst []byte, c *commerce.Cart, f *engine.Facts, e *commerce.Evaluation, details bool) []byte {
	dst = appendCart(dst, c, f.Store, e)
	if details {
		dst = appendDetails(dst[:len(dst)-1], c, f.Store, &f.Visitor, e)
	}
	return dst
}

// appendDetails writes the details after the envelope's data, and ends the envelope.
func appendDetails(dst []byte, c *commerce.Cart, s *commerce.Store, v *commerce.Visitor, e *commerce.Evaluation) []byte {
	dst = strconv.AppendBool(append(dst, `,"details":{"requires_shipping":`...), c.RequiresShipping(s))
	dst = appendUUIDOrNull(append(dst, `,"merged_into":`...), c.MergedInto)
	dst = append(dst, `,"lines":{`...)
	view := s.PriceView(v)
	for i := range c.Lines {
		d := e.LineDetails(c, s, view, i)
		dst = appendLineDetails(appendComma(dst, i), c.Lines[i].ID, &d)
	}
	return append(dst, `}}}`...)
}

func appendLineDetails(dst []byte, id uuid.UUID, d *commerce.LineDetails) []byte {
	dst = append(appendUUID(dst, id), `:{"slug":`...)
	if p := d.Product; p == nil {
		dst = append(dst, `null,"variant_name":null,"unit":null,"tax_rate":null,"media":null,"attributes":null,"requires_shipping":null`...)
	} else {
		dst = appendString(dst, p.Slug)
		dst = append(dst, `,"variant_name":`...)
		if d.Variant == nil {
			dst = append(dst, "null"...)
		} else {
			dst = appendString(dst, d.Variant.Name)
		}
		dst = appendString(append(dst, `,"unit":`...), p.Unit.String())
		dst = p.Tax.AppendJSON(append(dst, `,"tax_rate":`...))
		dst = append(dst, `,"media":`...)
		if d.Picture == nil {
			dst = append(dst, "null"...)
		} else {
			dst = appendPicture(dst, d.Picture)
		}
		dst = append(dst, `,"attributes":`...)
		if d.Variant == nil {
			dst = append(dst, "null"...)
		} else {
			dst = appendAttributes(dst, d.Variant.Attributes)
		}
		dst = strconv.AppendBool(append(dst, `,"requires_shipping":`...), p.RequiresShipping)
	}
	dst = appendMoneyOrNull(append(dst, `,"original_unit_price":`...), d.Original, d.ShowsOriginal)
	dst = appendMoney(append(dst, `,"full_total":`...), d.Full)
	dst = appendMoney(append(dst, `,"discount_amount":`...), d.Discount)
	dst = appendMoney(append(dst, `,"unit_price_without_tax":`...), d.UnitNet)
	dst = appendMoney(append(dst, `,"line_total_without_tax":`...), d.TotalNet)
	return append(dst, '}')
}
