package httpserver

import (
	"strings"

	"cartd/commerce"
	"cartd/httpserver/openapi"
)

// productQueryParameters are those that decodeProductQuery reads.
var productQueryParameters = []openapi.Parameter{
	queryOf("q", openapi.Text.MaxLength(commerce.MaxProductQuery), "Words, each of which begins a word of the name or of an SKU. Letter case and accents do not count."),
	queryOf("category_id", openapi.Text, "A category, without those below it."),
	queryOf("sku", openapi.Text, "An SKU, of the product or of an active variant, letter for letter."),
	queryOf("capability", openapi.Names(commerce.Standard.String(), commerce.MadeToMeasure.String()), ""),
	queryOf("sort", openapi.Names(commerce.ProductSorts...), "Absent: the store's order."),
}

// productQueryRefusals are those of its faults, by an example.
var productQueryRefusals = []*commerce.Refusal{faultOf("sort", commerce.MsgIn("sort"))}

// decodeProductQuery reads filters and sort of a list of products. A blank value is no filter.
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

// blankText reports whether a query parameter is empty or only space.
func blankText(text string) bool { return strings.TrimFunc(text, invisible) == "" }
