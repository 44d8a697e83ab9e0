package httpserver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// handleCartCreate makes an empty cart. Spec: POST /v1/api/commerce/carts.
func handleCartCreate(s *Server, x *exchange) error {
	id, err := x.prepareCreation()
	if err != nil {
		return err
	}
	if x.request.Fault != nil {
		return x.request.Fault
	}
	x.request.CartID = id
	reply, err := s.engine.CreateCart(&x.request)
	if err == nil {
		s.metrics.business.made(x, &reply)
	}
	return x.answerWrite(reply, err)
}

// prepareCreation returns the id for a new cart, and sets the scope of the request's Idempotency-Key,
// or its fault.
func (x *exchange) prepareCreation() (id uuid.UUID, err error) {
	key, fault := x.idempotency()
	if fault != nil {
		x.request.Fault = fault
	}
	if key != nil {
		scope := x.storeScope()
		x.request.CreationKey = func(customer uuid.UUID) *engine.IdempotencyKey {
			scoped := *key
			scoped.Customer = customer
			scoped.Name = hash(x.sent.idempotencyKey.first, append(slices.Clip(scope), customer)...)
			return &scoped
		}
	}
	return newID()
}

// handleCartRead shows a cart in any status. Spec: GET /v1/api/commerce/carts/{id}.
func handleCartRead(s *Server, x *exchange) error {
	reply, err := x.readCart()
	if err != nil {
		return err
	}
	return x.answerCart(reply, nil)
}

// readCart reads the cart in the path.
func (x *exchange) readCart() (engine.Reply, error) {
	if !x.isID {
		return engine.Reply{}, x.cartNotFound()
	}
	return x.server.engine.ReadCart(&x.request)
}

// handleCartPatch sets e-mail and metadata. Spec: PATCH /v1/api/commerce/carts/{id}.
func handleCartPatch(s *Server, x *exchange) error {
	patch, fault := bodies.CartPatch.Read(x.body)
	return s.changeCart(x, patch, fault)
}

// changeCart passes a command to the engine, together with the fault of its body. The engine judges
// the cart, its owner and its line first, then the fault.
func (s *Server) changeCart(x *exchange, command commerce.Command[*commerce.Cart], fault *commerce.Refusal) error {
	request, err := x.cartChange(command, fault)
	if err != nil {
		return err
	}
	return x.answerWrite(s.engine.ChangeCart(request))
}

// cartChange returns the request with a command on the cart in the path.
func (x *exchange) cartChange(command commerce.Command[*commerce.Cart], fault *commerce.Refusal) (*engine.Request, error) {
	if !x.isID {
		return nil, x.cartNotFound()
	}
	request := &x.request
	request.Command, request.Seen = command, x.seen()
	x.complete(request, fault)
	return request, x.roomForWrite()
}

// complete adds the fault and the If-Match to a request with a command.
func (x *exchange) complete(request *engine.Request, fault *commerce.Refusal) {
	request.Fault, request.Match = fault, x.match()
	if x.keyFault != nil {
		request.Fault = x.keyFault
	}
}

// answerWrite is answerCart for a write. Its visit has counted it.
func (x *exchange) answerWrite(reply engine.Reply, err error) error {
	x.useFacts(reply.Facts)
	return x.answerCart(reply, err)
}

// useFacts sets the facts for the answer of a write: those of its last judgement. They are nil if
// the write was given up; the facts of the admission then stay. The answer has a request limit only
// if a visit has counted the write or refused it for the limit.
func (x *exchange) useFacts(facts *engine.Facts) {
	if facts == nil {
		return
	}
	x.facts = facts
	if facts.Budget.Limit > 0 {
		shown := x.tightest(facts.Budget)
		x.setBudget(&shown)
	}
}

// cartNotFound answers for an id in the path that is no UUID, and so names no cart.
func (x *exchange) cartNotFound() error { return commerce.NotFound("Cart", x.param("id")) }

// answerCart renders the cart envelope. If a version does not match, the refusal shows the current
// cart and its ETag. Spec: Cart envelope.
func (x *exchange) answerCart(reply engine.Reply, err error) error {
	x.carries(&reply)
	if err != nil && (!errors.Is(err, commerce.CartChanged) || reply.Cart == nil) {
		return err
	}
	if failed := x.readCartStock(reply.Cart); failed != nil {
		return failed
	}
	if failed := x.makesRecord(reply.Size); failed != nil {
		return failed
	}
	a := x.facts
	x.eval.Evaluate(reply.Cart, a.Store, a.Visitor, a.Now)
	x.metrics.check(&x.eval)
	x.out = answers.CartAnswer.Append(x.out, x.cartView())
	return x.answerReply(&reply, err)
}

// cartView is an evaluated cart for an answer, with its details or without.
func cartView(f *engine.Facts, e *commerce.Evaluation, details bool) answers.CartAnswerView {
	v := answers.CartAnswerView{CartView: answers.CartView{Store: f.Store, Evaluation: e}}
	if details {
		v.Visitor = &f.Visitor
	}
	return v
}

// cartView is the cart that was evaluated for this answer, with its details if they are asked for.
func (x *exchange) cartView() answers.CartAnswerView {
	v := cartView(x.facts, &x.eval, x.includes(answers.IncludeDetails))
	v.Stock = x.stock
	return v
}

// newID returns a random UUID (version 4). A cart's id must be random because it is the visitor's
// only secret.
func newID() (uuid.UUID, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return uuid.Nil, fmt.Errorf("making an id: %w", err)
	}
	return id, nil
}

// handleCartList shows the account's active carts, newest first. A page reads its own carts only,
// and leaves out those that are gone. docs/api/carts.md#list-of-carts.
func handleCartList(s *Server, x *exchange) error {
	if err := x.makesList(x.linkRows()); err != nil { // its rows are small
		return err
	}
	pages := new(answers.Pages)
	var readErr error
	err := appendPage(x, answers.CartList, pages, func(yield func(answers.CartRowView) bool) {
		_, readErr = s.engine.EachAccountCart(&x.request, &engine.CartQuery{
			Page: func(total int) (from, to int) {
				p := x.page(cartRows, total)
				*pages = *x.pages(p)
				return p.bounds()
			},
			Room: x.room,
			Each: func(c *commerce.Cart) error {
				a := x.facts
				x.eval.Evaluate(c, a.Store, a.Visitor, a.Now)
				if !yield(answers.CartRowView{Cart: c, Total: x.eval.Total}) {
					return noRoomForAnswer
				}
				return nil
			},
		})
	})
	return cmp.Or(readErr, err)
}

var (
	cartDetails = include{answers.IncludeDetails, "adds what a page shows of a cart beside its envelope."}
	cartStock   = include{answers.IncludeStock, "adds the available stock to `details`; it costs a trip to Redis where stock is tracked."}
)

// readCartStock reads the stock of a cart whose details show it. An answer to a write is without it if it
// cannot be read: the write is done.
func (x *exchange) readCartStock(cart *commerce.Cart) error {
	if !x.includes(answers.IncludeDetails) || !x.includes(answers.IncludeStock) {
		return nil
	}
	levels, err := x.server.engine.CartLevels(x.facts.Store, cart.ID, cart.WantedItems(x.facts.Store), x.request.Deadline)
	if err == nil {
		x.stock = commerce.NewCartStock(cart, x.facts.Store, levels)
	} else if x.route.method == fasthttp.MethodGet {
		return err
	}
	return nil
}

// showsCart reports whether a success of the route has a cart envelope.
func (r *route) showsCart() bool {
	return r.api.out != nil && slices.ContainsFunc(r.api.out.Fields(), func(f openapi.Field) bool { return f.Name == answers.IncludeDetails })
}

// handleCartCopy makes a cart with the lines of another. docs/api/carts.md#copy.
func handleCartCopy(s *Server, x *exchange) error {
	if !x.isID {
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

// handleCartClaim binds the cart to the token's account and folds the account's other active carts into
// it: docs/api/carts.md#claim.
func handleCartClaim(s *Server, x *exchange) error {
	request, err := x.cartChange(nil, nil)
	if err != nil {
		return err
	}
	reply, err := s.engine.ClaimCart(request)
	if err = x.answerWrite(reply, err); err == nil && x.includes(answers.IncludeMergeReport) {
		// The ETag stays the one of the envelope alone, which later reads have.
		x.out = answers.ClaimAnswer.Append(x.out[:0], answers.ClaimView{CartAnswerView: x.cartView(), Report: reply.Report})
	}
	return err
}
