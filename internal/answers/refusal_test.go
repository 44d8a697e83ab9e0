package answers

import (
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Every refusal of the table, and one with all members.
func TestRefusalsAreEncodedAsByEncodingJSON(t *testing.T) {
	total := commerce.Amount(1999)
	all := append([]*commerce.Refusal{
		commerce.NotFound("Cart", "x"), commerce.ModuleDisabled(commerce.ModuleSales),
		{Message: "m", Code: "c", Reasons: []string{"r"}, CurrentTotal: &total, OrderID: uuid.UUID{1}, OutOfStock: []commerce.StockShort{
			{ProductID: uuid.UUID{2}, VariantID: uuid.UUID{3}, Requested: 2_500_000, Available: 1_000_000}, {ProductID: uuid.UUID{2}},
		}},
	}, commerce.Refusals()...)
	for _, r := range all {
		if got, want := string(AnyRefusal.Append(nil, RefusalView{Message: r.Message, Refusal: r})), slowRefusal(r); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := string(Refusal.Append(nil, RefusalView{Message: "m", Reason: "starting"})), `{"message":"m","reason":"starting"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// slowRefusal returns a refusal's body by encoding/json.
func slowRefusal(r *commerce.Refusal) string {
	if r.BareError {
		return slowJSON(object{"error", r.Message})
	}
	body, fields := object{"message", r.Message}, object{}
	for _, f := range r.Fields {
		fields = append(fields, f.Field, f.Texts())
	}
	if r.Fields != nil {
		body = append(body, "errors", fields)
	}
	if r.Code != "" {
		body = append(body, "code", r.Code)
	}
	if r.Reasons != nil {
		body = append(body, "reasons", r.Reasons)
	}
	if r.CurrentTotal != nil {
		body = append(body, "current_total", *r.CurrentTotal)
	}
	if r.OrderID != uuid.Nil {
		body = append(body, "order_id", r.OrderID)
	}
	if r.OutOfStock != nil {
		body = append(body, "out_of_stock", slowList(r.OutOfStock, func(s *commerce.StockShort) any {
			return object{"product_id", s.ProductID, "variant_id", idOrNull(s.VariantID), "requested", slowDecimal(int64(s.Requested), 1e6), "available",
				slowDecimal(int64(s.Available), 1e6)}
		}))
	}
	return slowJSON(body)
}
