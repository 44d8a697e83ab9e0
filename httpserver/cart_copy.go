package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/openapi"
)

// copyAnswer is the envelope of the new cart, with the lines that it lacks.
var copyAnswer = withDetails("CopyAnswer").
	Has("left_out", openapi.List(openapi.Object("LeftOutLine").
		Has("product_id", openapi.UUID, "").
		Has("variant_id", openapi.UUID.OrNull(), "").
		Has("quantity", openapi.Number, "").
		Has("reason", openapi.Text, "The code with which an add of the line is refused today, or the refusal's message if it has no code.")),
		"The lines that the new cart lacks. Empty on a replay.")

// handleCartCopy makes a cart with the lines of another. Showing a cart, copy.
func handleCartCopy(s *Server, x *exchange) error {
	if !x.isCart {
		return x.cartNotFound()
	}
	return x.answerCopy(s.engine.CopyCart)
}

// handleOrderCopy makes a cart with the lines of one of the visitor's orders.
func handleOrderCopy(s *Server, x *exchange) error {
	return x.answerCopy(func(r *engine.Request, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error) {
		return s.engine.CopyOrder(r, x.param("id"), id)
	})
}

// handleTokenOrderCopy makes a cart with the lines of the order of a token.
func handleTokenOrderCopy(s *Server, x *exchange) error {
	return x.answerCopy(func(r *engine.Request, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error) {
		return s.engine.CopyOrderByToken(r, x.tokenParam(), id)
	})
}

// answerCopy makes a copy under a new id. Its Idempotency-Key has the scope of a creation.
func (x *exchange) answerCopy(make func(*engine.Request, uuid.UUID) (engine.Reply, []commerce.LeftOut, error)) error {
	id, err := x.prepareCreation()
	if err != nil {
		return err
	}
	reply, left, err := make(&x.request, id)
	if err == nil {
		x.metrics.business.made(x, &reply)
	}
	if err = x.answerWrite(reply, err); err != nil {
		return err
	}
	x.out = appendLeftOut(x.out[:len(x.out)-1], left)
	x.setTag(reply.Version())
	return nil
}

// appendLeftOut writes the lines after the envelope's data, and ends the envelope.
func appendLeftOut(dst []byte, left []commerce.LeftOut) []byte {
	dst = append(dst, `,"left_out":[`...)
	for i := range left {
		l := &left[i]
		dst = appendStockOf(append(appendComma(dst, i), '{'), l.ProductID, l.VariantID)
		dst = l.Quantity.AppendJSON(append(dst, `,"quantity":`...))
		dst = append(appendString(append(dst, `,"reason":`...), l.Reason), '}')
	}
	return append(dst, `]}`...)
}
