package docs

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// noTwin has the money members without a twin, by component and name; "" stands for every component. A
// table in decisions.md has the reasons.
var noTwin = map[string]string{
	"CartLine": "unit_price line_total", "CartTotals": "subtotal tax_total total discount_total",
	"OrderTotals": "subtotal shipping_total tax_total total discount_total",
	"CartRow":     "total", "ShippingMethod": "order_total price_with_tax", "OrderShippingMethod": "price_with_tax", "Quote": "discount_total order_total",
	"QuoteRow": "discount_total order_total", "StoreQuote": "discount_total order_total", "QuoteShipping": "price",
	"QuoteDraft": "order_total", "QuoteDraftLine": "line_total unit_price catalogue_unit_price",
	"Order": "discount_total shipping_share", "OrderRow": "discount_total shipping_share",
	"StoreOrder": "discount_total shipping_share", "OrderLine": "total_share",
}

// Each money member of the API's description has a twin without tax beside it, or stands in the table of
// those that need none: docs/decisions.md#prices-without-tax.
func TestMoneyHasItsTwinWithoutTax(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	decisions, err := os.ReadFile("decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(decisions), "\n## Prices without tax\n")
	table, _, _ := strings.Cut(rest, "\n## ")
	isMoney := func(s *schema) bool {
		is := s.Ref == "#/components/schemas/Money"
		for _, one := range append(s.AnyOf, s.OneOf...) {
			is = is || one.Ref == "#/components/schemas/Money"
		}
		return is
	}
	found, used := 0, map[string]bool{}
	for component, s := range d.Components.Schemas {
		exempt := strings.Fields(noTwin[component])
		for name, member := range s.Properties {
			if !isMoney(member) || strings.HasSuffix(name, "_without_tax") {
				continue
			}
			found++
			listed := false
			for _, one := range exempt {
				listed = listed || one == name
			}
			// of details the cart's line has the unit price and the total
			if twin := s.Properties[name+"_without_tax"]; (twin != nil && isMoney(twin)) == listed {
				t.Errorf("%s.%s: a twin %v, in the list of those without one %v", component, name, twin != nil, listed)
			}
			if used[component+" "+name] = listed; listed && !strings.Contains(table, name) && component != "CartLine" {
				t.Errorf("%s.%s has no reason in decisions.md", component, name)
			}
		}
	}
	for component, names := range noTwin {
		for _, name := range strings.Fields(names) {
			if !used[component+" "+name] {
				t.Errorf("%s.%s is no money member", component, name)
			}
		}
	}
	if found < 30 {
		t.Errorf("the description has %d money members", found)
	}
}
