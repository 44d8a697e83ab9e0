package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// refusalAnswers are refusals with all members. The messages stand in commerce.
func refusalAnswers() (all []shown) {
	total, left := commerce.Amount(1999), commerce.Amount(7)
	var faults commerce.Faults
	faults.Add("b", commerce.MsgMin("b", 1))
	faults.Add("b", commerce.MsgIn("b"))
	faults.Add("a", commerce.MsgRequired("a"))
	for _, r := range []*commerce.Refusal{
		commerce.NotFound("Cart", "x"), commerce.ModuleDisabled(commerce.ModuleSales), faults.Refusal(),
		{Message: "m", Code: "c", Reasons: []string{"r"}, CurrentTotal: &total, CurrentVersion: 3, LeftAmount: &left,
			DiscountCodes: []commerce.CodeResult{{Code: "A", Error: commerce.CodeExpired}, {Code: "B"}}, OrderID: uuid.UUID{1}, OutOfStock: []commerce.StockShort{
				{ProductID: uuid.UUID{2}, VariantID: uuid.UUID{3}, Requested: 2_500_000, Available: 1_000_000}, {ProductID: uuid.UUID{2}},
			}},
	} {
		all = append(all, shown{r.Message, AnyRefusal.Append(nil, RefusalView{Message: r.Message, Refusal: r})})
	}
	line := field.Object("", lineRefusal...)
	for _, v := range []RefusalView{{}, {Message: "of a line", Refusal: &commerce.Refusal{Code: "c"}},
		{Message: "of fields", Refusal: faults.Refusal(), Codes: true}} {
		all = append(all, shown{"a line's refusal " + v.Message, line.Append(nil, v)})
	}
	return append(all, shown{"a reason", Refusal.Append(nil, RefusalView{Message: "m", Reason: "starting"})})
}
