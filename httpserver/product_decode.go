package httpserver

import (
	"strings"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/commerce/catalogue"
	"cartd/internal/openapi"
)

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

// amountArg reads an amount in minor units, nil if it is not sent.
func amountArg(x *exchange, faults *commerce.Faults, name string) *commerce.Amount {
	text := lastArg(x, name)
	if blankText(text) {
		return nil
	}
	n, ok := wholeNumber(text)
	if !ok {
		faults.Add(name, commerce.MsgInteger(name))
	}
	amount := commerce.Amount(n)
	return &amount
}

// blankText reports whether a query parameter is empty or has only spaces.
func blankText(text string) bool { return commerce.Trim(text) == "" }
