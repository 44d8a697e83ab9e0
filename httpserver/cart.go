package httpserver

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

// handleCartCreate makes an empty cart. Spec: POST /v1/api/commerce/carts.
func handleCartCreate(s *Server, x *exchange) error {
	scope := []uuid.UUID{x.admission.Store.ID}
	if x.admission.Visitor.Known {
		scope = append(scope, x.admission.Visitor.CustomerID)
	}
	if x.key, x.keyFault = x.idempotency(scope...); x.keyFault != nil {
		return x.keyFault
	}
	id, err := newID()
	if err != nil {
		return err
	}
	return s.writeCart(x, x.writeOn(id), s.engine.CreateCart)
}

// handleCartRead shows a cart in any status. Spec: GET /v1/api/commerce/carts/{id}.
func handleCartRead(s *Server, x *exchange) error {
	if !x.isCart {
		return x.cartNotFound()
	}
	reply, err := s.engine.ReadCart(x.requestOn(x.ask.Cart))
	if err != nil {
		return err
	}
	return x.answerRead(s, reply)
}

// answerRead is answerCart for a read, which may have been answered before.
func (x *exchange) answerRead(s *Server, reply commerce.Reply) error {
	if x.admission.Visitor.Known {
		return x.answerCart(reply, nil)
	}
	kept := s.renderings.find(reply.Stamp, x.admission)
	if kept == nil {
		err := x.answerCart(reply, nil)
		s.renderings.keep(reply.Stamp, x.admission, x.out)
		return err
	}
	x.setTagOf(reply.Stamp.Version(0), kept.hash)
	if x.unchanged() {
		return errNotModified
	}
	x.kept = kept.body
	return nil
}

// handleCartPatch sets e-mail and metadata. Spec: PATCH /v1/api/commerce/carts/{id}.
func handleCartPatch(s *Server, x *exchange) error {
	patch, fault := decodeCartPatch(x.body())
	return s.changeCart(x, patch, fault)
}

// changeCart hands a command to the engine, with what is wrong with its body: the
// cart, its owner and its line are judged before that.
func (s *Server) changeCart(x *exchange, command commerce.Command, fault *commerce.Refusal) error {
	request, err := x.cartChange(command, fault)
	if err != nil {
		return err
	}
	return s.writeCart(x, request, s.engine.ChangeCart)
}

// writeCart serves a write; where its admission was presumed and cannot carry the
// answer, once more under one that is not.
func (s *Server) writeCart(x *exchange, request *commerce.CartRequest, write func(*commerce.CartRequest) (commerce.Reply, error)) error {
	reply, err := write(request)
	if err == commerce.ErrPresumed {
		if err := s.confirm(x, reply.Budget); err != nil {
			return err
		}
		again := *request
		again.Admission = *x.admission
		return x.answerCart(write(&again))
	}
	switch {
	case reply.Budget.Limit > 0:
		x.setBudget(&reply.Budget)
	case err == nil && request.Presumed != nil: // the store was replaced while the outcome was unknown
		x.setBudget(&commerce.Budget{Granted: true, Limit: request.Store.RateLimit})
	}
	return x.answerCart(reply, err)
}

// cartChange is the request of a command on the cart in the path.
func (x *exchange) cartChange(command commerce.Command, fault *commerce.Refusal) (*commerce.CartRequest, error) {
	if !x.isCart {
		return nil, x.cartNotFound()
	}
	request := x.writeOn(x.ask.Cart)
	request.Command, request.Fault, request.Match = command, fault, x.match()
	if x.keyFault != nil {
		request.Fault = x.keyFault
	}
	return request, nil
}

// requestOn completes the request on a cart.
func (x *exchange) requestOn(id uuid.UUID) *commerce.CartRequest {
	r := &x.request
	r.Cart, r.Key, r.Began, r.Deadline = id, x.key, x.ask.Began, x.ask.Deadline
	return r
}

// writeOn is new for each write: the engine may hold it beyond the answer.
func (x *exchange) writeOn(id uuid.UUID) *commerce.CartRequest {
	own := *x.requestOn(id)
	return &own
}

// cartNotFound answers for a path id that is no UUID, and so names no cart.
func (x *exchange) cartNotFound() error { return commerce.NotFound("Cart", x.param("id")) }

// answerCart renders the cart envelope. A version that does not match is refused
// with the ETag of what stands there. Spec: Cart envelope.
func (x *exchange) answerCart(reply commerce.Reply, err error) error {
	if err != nil && (err != error(commerce.CartChanged) || reply.Cart == nil) {
		return err
	}
	a := x.admission
	x.eval.Evaluate(reply.Cart, a.Store, a.Visitor, a.Now)
	x.metrics.check(&x.eval, a.Store.PricesIncludeTax)
	x.out = appendCart(x.out, reply.Cart, a.Store, &x.eval)
	x.setTag(reply.Stamp.Version(reply.Place))
	if reply.Replayed {
		x.setReplayed()
	}
	if err == nil && x.unchanged() {
		return errNotModified
	}
	return err
}

// newID returns a version 4 UUID: a cart's id is the visitor's only secret.
func newID() (uuid.UUID, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return uuid.Nil, fmt.Errorf("making an id: %w", err)
	}
	return id, nil
}
