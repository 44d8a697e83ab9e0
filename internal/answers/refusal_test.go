package answers

import (
	"github.com/google/uuid"

	"cartd/commerce"
)

// refusalAnswers are refusals with all members. The messages stand in commerce.
func refusalAnswers() (all []shown) {
	total := commerce.Amount(1999)
	var faults commerce.Faults
	faults.Add("b", commerce.MsgMin("b", 1))
	faults.Add("b", commerce.MsgIn("b"))
	faults.Add("a", commerce.MsgRequired("a"))
	for _, r := range []*commerce.Refusal{
		commerce.NotFound("Cart", "x"), commerce.ModuleDisabled(commerce.ModuleSales), faults.Refusal(),
		{Message: "m", Code: "c", Reasons: []string{"r"}, CurrentTotal: &total, OrderID: uuid.UUID{1}, OutOfStock: []commerce.StockShort{
			{ProductID: uuid.UUID{2}, VariantID: uuid.UUID{3}, Requested: 2_500_000, Available: 1_000_000}, {ProductID: uuid.UUID{2}},
		}},
	} {
		all = append(all, shown{r.Message, AnyRefusal.Append(nil, RefusalView{Message: r.Message, Refusal: r})})
	}
	return append(all, shown{"a reason", Refusal.Append(nil, RefusalView{Message: "m", Reason: "starting"})})
}
