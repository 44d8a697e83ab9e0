package httpserver

import (
	"strconv"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// includeMergeReport is the value of ?include= that adds the report of a claim.
const includeMergeReport = "merge_report"

// claimAnswer is the cart envelope, with the report if the client asked for it.
var claimAnswer = withDetails("ClaimAnswer").
	May(includeMergeReport, openapi.List(openapi.Object("FoldedCart").
		Has("cart_id", openapi.UUID, "").
		Has("moved", openapi.Integer, "Lines that moved to the claimed cart.").
		Has("summed", openapi.Integer, "Lines whose quantity was added to an equal line.").
		Has("clamped", openapi.List(openapi.Object("ClampedLine").
			Has("line_id", openapi.UUID, "The line of the claimed cart.").
			Has("requested", openapi.Number, "The sum of the quantities.").
			Has("kept", openapi.Number, "")), "").
		Has("dropped", openapi.List(openapi.Object("DroppedLine").
			Has("product_id", openapi.UUID, "").
			Has("variant_id", openapi.UUID.OrNull(), "").
			Has("quantity", openapi.Number, "")), "")), "With `include=merge_report`: one entry for each folded cart, in the order of folding.")

// handleCartClaim binds the cart to the token's account and folds the account's other active carts into
// it: docs/api/carts.md#claim.
func handleCartClaim(s *Server, x *exchange) error {
	request, err := x.cartChange(nil, nil)
	if err != nil {
		return err
	}
	reply, err := s.engine.ClaimCart(request)
	if err = x.answerWrite(reply, err); err == nil && x.includes(includeMergeReport) {
		x.out = appendMergeReport(x.out[:len(x.out)-1], reply.Report)
	}
	return err
}

// appendMergeReport writes the report after the envelope's data, and ends the envelope.
func appendMergeReport(dst []byte, report []commerce.FoldReport) []byte {
	dst = append(dst, `,"`+includeMergeReport+`":[`...)
	for i := range report {
		f := &report[i]
		dst = appendUUID(append(appendComma(dst, i), `{"cart_id":`...), f.Cart)
		dst = strconv.AppendInt(append(dst, `,"moved":`...), int64(f.Moved), 10)
		dst = strconv.AppendInt(append(dst, `,"summed":`...), int64(f.Summed), 10)
		dst = append(dst, `,"clamped":[`...)
		for j := range f.Clamped {
			c := &f.Clamped[j]
			dst = appendUUID(append(appendComma(dst, j), `{"line_id":`...), c.Line)
			dst = c.Requested.AppendJSON(append(dst, `,"requested":`...))
			dst = append(c.Kept.AppendJSON(append(dst, `,"kept":`...)), '}')
		}
		dst = append(dst, `],"dropped":[`...)
		for j := range f.Dropped {
			d := &f.Dropped[j]
			dst = appendStockOf(append(appendComma(dst, j), '{'), d.Product, d.Variant)
			dst = append(d.Quantity.AppendJSON(append(dst, `,"quantity":`...)), '}')
		}
		dst = append(dst, `]}`...)
	}
	return append(dst, `]}`...)
}
