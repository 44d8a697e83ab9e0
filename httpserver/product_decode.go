package httpserver

import (
	"strings"
	"unicode/utf8"

	"cartd/commerce"
)

// maxProductQuery is how long q may be, in characters.
const maxProductQuery = 255

// decodeProductQuery reads filters and sort of a list of products. A blank value is no filter.
func decodeProductQuery(x *exchange) (f commerce.ProductFilter, sort commerce.ProductSort, _ *commerce.Refusal) {
	var faults commerce.Faults
	if f.Query = lastArg(x, "q"); utf8.RuneCountInString(f.Query) > maxProductQuery {
		faults.Add("q", commerce.MsgMaxCharacters("q", maxProductQuery))
	}
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
