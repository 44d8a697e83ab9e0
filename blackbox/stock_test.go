package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
)

// adjustBody is the body of a stock adjustment; quantity is JSON text.
func adjustBody(product, quantity string, more ...string) string {
	return addBody(product, quantity, more...)
}

// withStock tracks hammers and cable, and gloves by their variants.
func withStock(document object) {
	for product, stock := range map[string]string{hammer: "10", cable: "2.5", gloves: "0"} {
		changed(product, "track_stock", true)(document)
		changed(product, "stock", stock)(document)
	}
	variants := findByID(document["products"].(list), gloves)["variants"].(list)
	findByID(variants, glovesS)["stock"] = "4"
}

// wantStock compares rows of the stock list, each as "available of product or variant".
func (c client) wantStock(cart string, want ...string) {
	c.t.Helper()
	var rows, query []string
	for _, text := range want {
		available, id, _ := strings.Cut(text, " of ")
		product, variant, name := id, "null", "product_ids[]="
		if strings.HasPrefix(id, "b") {
			product, variant, name = gloves, quoted(id), "variant_ids%5B%5D="
		}
		status := "in_stock"
		switch available {
		case "0":
			status = "out_of_stock"
		case "null":
			status = "untracked"
		}
		query = append(query, name+id)
		rows = append(rows, fmt.Sprintf(`{"product_id":%q,"variant_id":%s,"stock_status":%q,"available":%s}`, product, variant, status, available))
	}
	if cart != "" {
		query = append(query, "cart_id="+strings.TrimPrefix(cart, "commerce/carts/"))
	}
	got := c.get("stock/availability?" + strings.Join(query, "&")).wantStatus(http.StatusOK)
	if prefix := `{"data":[` + strings.Join(rows, ",") + `],"links":{"first":"` + c.node.base + "/v1/api/stock/availability?"; !strings.HasPrefix(string(got.body), prefix) {
		c.t.Errorf("%v\nwant: %s…", got, prefix)
	}
}
