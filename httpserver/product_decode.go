package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/openapi"
)

// productQueryParameters are the parameters that decodeProductQuery reads.
var productQueryParameters = []openapi.Parameter{
	queryOf("q", openapi.Text.MaxLength(commerce.MaxProductQuery), "Beginnings of words in the name or in an SKU; a product must match all of them. Letter case and accents do not matter."),
	queryOf("category_id", openapi.Text, "A category, without its subcategories."),
	queryOf("sku", openapi.Text, "The exact SKU of the product or of an active variant."),
	queryOf("capability", openapi.Names(commerce.Standard.String(), commerce.MadeToMeasure.String()), ""),
	queryOf("sort", openapi.Names(commerce.ProductSorts...), "Absent: the store's order."),
}

// productQueryRefusals is an example of the refusals of decodeProductQuery.
var productQueryRefusals = []*commerce.Refusal{faultOf("sort", commerce.MsgIn("sort"))}

// decodeProductQuery reads the filters and the order of a list of products. A blank value counts as
// absent.
func decodeProductQuery(x *exchange) (f commerce.ProductFilter, sort commerce.ProductSort, _ *commerce.Refusal) {
	var faults commerce.Faults
	f.Query = lastArg(x, "q")
	commerce.AtMost(commerce.MaxProductQuery)(&faults, "q", f.Query)
	if text := lastArg(x, "category_id"); !blankText(text) {
		id, _ := commerce.ParseID(text)
		f.Category = &id
	}
	if text := lastArg(x, "sku"); !blankText(text) {
		f.SKU = text
	}
	if text := lastArg(x, "capability"); !blankText(text) {
		capability, ok := commerce.ParseCapability(text)
		if f.Capability = &capability; !ok {
			faults.Add("capability", commerce.MsgIn("capability"))
		}
	}
	if text := lastArg(x, "sort"); !blankText(text) {
		var ok bool
		if sort, ok = commerce.ParseProductSort(text); !ok {
			faults.Add("sort", commerce.MsgIn("sort"))
		}
	}
	return f, sort, faults.Refusal()
}

// blankText reports whether a query parameter is empty or has only spaces.
func blankText(text string) bool { return commerce.Trim(text) == "" }
