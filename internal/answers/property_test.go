package answers

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Rows of lines that are in no cart always have the member properties, lines only if they have some.
func TestPropertiesJSON(t *testing.T) {
	texts := &commerce.Properties{{Key: "engraving", Value: "</script>\n\"é\u2066", Label: "Text <1>"}, {Key: "_a", Value: "\\"}}
	shown := object{"engraving", "</script>\n\"é\u2066", "_a", "\\"}
	for _, c := range []struct {
		properties *commerce.Properties
		want       any
	}{{nil, nil}, {texts, shown}} {
		left := commerce.LeftOut{ProductID: testCart, VariantID: testLine, Quantity: 1500, Properties: c.properties, Reason: "INVALID_PROPERTIES"}
		want := slowJSON(object{"product_id", testCart, "variant_id", testLine, "quantity", 1.5, "properties", c.want, "reason", "INVALID_PROPERTIES"})
		if got := string(LeftOutLine.Append(nil, &left)); got != want {
			t.Errorf("left out: %s\nwant %s", got, want)
		}
		report := commerce.FoldReport{Cart: testCart,
			Dropped: []commerce.DroppedLine{{Product: testCart, Variant: uuid.Nil, Quantity: 1000, Properties: c.properties}}}
		dropped := object{"product_id", testCart, "variant_id", nil, "quantity", 1, "properties", c.want}
		want = slowJSON(object{"cart_id", testCart, "moved", 0, "summed", 0, "clamped", []any{}, "dropped", []any{dropped}})
		if got := string(FoldedCart.Append(nil, &report)); got != want {
			t.Errorf("dropped: %s\nwant %s", got, want)
		}
	}
}
