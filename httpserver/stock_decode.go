package httpserver

import (
	"strings"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/httpserver/openapi"
	"cartd/internal/strictjson"
)

// stockQuery is what a client asks the stock of.
type stockQuery struct {
	products, variants []uuid.UUID
	// cart is whose own hold does not count; zero: nobody's.
	cart uuid.UUID
}

// decodeStockQuery reads lists of ids as product_ids[]=…, product_ids[0]=… or
// product_ids=…. What is no id is left out like an unknown one; it counts for the
// limit all the same.
func decodeStockQuery(args *fasthttp.Args) (stockQuery, *commerce.Refusal) {
	var q stockQuery
	var products, variants int
	for key, value := range args.All() {
		switch listName(string(key)) {
		case "product_ids":
			products++
			q.products = appendID(q.products, value)
		case "variant_ids":
			variants++
			q.variants = appendID(q.variants, value)
		case "cart_id":
			q.cart, _ = commerce.ParseID(string(value))
		}
	}
	return q, tooManyIDs(products, variants)
}

// tooManyIDs judges each list by itself, and the second by what the first leaves.
func tooManyIDs(products, variants int) *commerce.Refusal {
	const most = commerce.MaxStockIDs
	var faults commerce.Faults
	if products > most {
		faults.Add("product_ids", commerce.MsgMaxItems("product_ids", most))
	}
	if variants > most {
		faults.Add("variant_ids", commerce.MsgMaxItems("variant_ids", most))
	}
	if left := most - products; left >= 0 && variants <= most && variants > left {
		faults.Add("variant_ids", commerce.MsgMaxItems("variant_ids", left))
	}
	return faults.Refusal()
}

func appendID(ids []uuid.UUID, text []byte) []uuid.UUID {
	if id, ok := commerce.ParseID(string(text)); ok {
		return append(ids, id)
	}
	return ids
}

// listName takes the brackets of a list's entry off its name.
func listName(key string) string {
	name, index, bracketed := strings.Cut(key, "[")
	if bracketed && strings.Trim(strings.TrimSuffix(index, "]"), "0123456789") == "" && strings.HasSuffix(index, "]") {
		return name
	}
	return key
}

// maxReason is how long the reason of an adjustment may be, in characters.
const maxReason = 255

// stockAdjustmentShape is the body of a stock adjustment.
var stockAdjustmentShape = openapi.Object("StockAdjustment").
	Has("product_id", openapi.UUID, "").
	May("variant_id", openapi.UUID.OrNull(), "").
	Has("quantity", openapi.Types("number", "string"), "What is added; negative: taken away. Up to three decimals.").
	May("reason", openapi.Text.MaxLength(maxReason).OrNull(), "")

// stockQueryRefusals are those of the availability's query, by an example.
var stockQueryRefusals = []*commerce.Refusal{faultOf("product_ids", commerce.MsgMaxItems("product_ids", commerce.MaxStockIDs))}

// stockQueryParameters are those that decodeStockQuery reads.
var stockQueryParameters = []openapi.Parameter{
	queryOf("product_ids[]", openapi.List(openapi.Text), "Products, at most 100 ids together with the variants; unknown ones are left out."),
	queryOf("variant_ids[]", openapi.List(openapi.Text), "Variants."),
	queryOf("cart_id", openapi.Text, "The cart whose own hold does not count."),
}

// decodeStockAdjustment reads the body of a stock adjustment.
func decodeStockAdjustment(body []byte) (*commerce.StockAdjustment, *commerce.Refusal) {
	f, fault := decodeObject(body)
	if fault != nil {
		return nil, fault
	}
	a := &commerce.StockAdjustment{}
	a.ProductID = f.requiredID("product_id")
	a.VariantID, a.VariantSent = f.optionalID("variant_id")
	a.Quantity = f.stockDelta("quantity")
	if reason := f.nullableText("reason", atMost(maxReason)); reason != nil && *reason != "" {
		a.Reason = reason
	}
	return a, f.faults.Refusal()
}

// stockDelta reads a signed quantity that must be there and change something.
func (f *fields) stockDelta(name string) commerce.StockDelta {
	value, _ := f.object.Get(name)
	if missing(value) {
		f.faults.Add(name, commerce.MsgRequired(name))
		return 0
	}
	text := string(value)
	if value.Kind() == strictjson.String {
		text = value.Text()
	} else if value.Kind() != strictjson.Number {
		f.faults.Add(name, commerce.MsgNumber(name))
		return 0
	}
	delta, faults := commerce.ParseStockDelta(value.Kind() == strictjson.String, text)
	for _, fault := range faults {
		f.faults.Add(name, quantityMessages[fault](name))
	}
	if delta == 0 && faults == nil {
		f.faults.Add(name, commerce.MsgIn(name))
	}
	return delta
}
