package httpserver

import (
	"strings"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// stockQuery are the products and variants whose stock is asked for.
type stockQuery struct {
	products, variants []uuid.UUID
	// cart is the cart whose own hold counts as available; zero for none.
	cart uuid.UUID
}

// decodeStockQuery reads lists of ids as product_ids[]=…, product_ids[0]=… or product_ids=…. A
// value that is no id is left out, like an unknown id, but counts for the limit.
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
	return q, commerce.CheckStockIDs(products, variants)
}

func appendID(ids []uuid.UUID, text []byte) []uuid.UUID {
	if id, ok := commerce.ParseID(string(text)); ok {
		return append(ids, id)
	}
	return ids
}

// listName removes the brackets from the name of a list's entry.
func listName(key string) string {
	name, index, bracketed := strings.Cut(key, "[")
	if bracketed && strings.Trim(strings.TrimSuffix(index, "]"), "0123456789") == "" && strings.HasSuffix(index, "]") {
		return name
	}
	return key
}

// stockQueryRefusals is an example of the refusals of decodeStockQuery.
var stockQueryRefusals = []*commerce.Refusal{faultOf("product_ids", commerce.MsgMaxItems("product_ids", commerce.MaxStockIDs))}

// stockQueryParameters are the parameters that decodeStockQuery reads.
var stockQueryParameters = []openapi.Parameter{
	queryOf("product_ids[]", openapi.List(openapi.Text), "Products. At most 100 ids, variants included; unknown ones are left out."),
	queryOf("variant_ids[]", openapi.List(openapi.Text), "Variants."),
	queryOf("cart_id", openapi.Text, "A cart: its own hold counts as available."),
}
