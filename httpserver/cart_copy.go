package httpserver

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
)

// handleCartCopy makes a cart with the lines of another. docs/api/carts.md#copy.
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
		return s.engine.CopyOrderByToken(r, x.decodedParam("token"), id)
	})
}

// answerCopy makes a copy under a new id. Its Idempotency-Key has the scope of a creation.
func (x *exchange) answerCopy(make func(*engine.Request, uuid.UUID) (engine.Reply, []commerce.LeftOut, error)) error {
	id, err := x.prepareCreation()
	if err != nil {
		return err
	}
	if err = x.roomForWrite(); err != nil {
		return err
	}
	reply, left, err := make(&x.request, id)
	if err == nil {
		x.metrics.business.made(x, &reply)
	}
	if err = x.answerWrite(reply, err); err != nil {
		return err
	}
	x.out = answers.CopyAnswer.Append(x.out[:0], answers.CopyView{CartAnswerView: x.cartView(), LeftOut: left})
	x.setTag(reply.Version())
	return nil
}
