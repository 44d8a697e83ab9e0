package engine

import (
	"errors"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
)

// closedCart is the refusal of a cart that is not active. Spec: Status effects 1.
func closedCart(r *Request, c *commerce.Cart) *commerce.Refusal {
	if c.Status == commerce.CartActive {
		return nil
	}
	return commerce.NotFound("Cart", r.CartID.String())
}

// CreateCart makes the cart Request.CartID. A repeated request gets the cart that the first one
// made. Spec: POST create cart.
func (e *Engine) CreateCart(r *Request) (Reply, error) {
	reply, err := e.write(r, func(r *Request) (Reply, error) {
		if r.CreationKey != nil {
			r.Idempotency = r.CreationKey(r.Visitor.CustomerID)
		}
		return e.carts.Create(r)
	})
	var repeated Repeated
	switch {
	case !errors.As(err, &repeated):
		return reply, err
	case repeated.Entry.Request != r.Idempotency.Request:
		return reply, commerce.IdempotencyKeyReused
	}
	first := *r
	first.Facts, first.CartID, first.Idempotency = *reply.Facts, repeated.Entry.Made, nil
	found, err := e.carts.Load(&first)
	found.Facts, found.Replayed = &first.Facts, err == nil
	return found, e.replayed(r, found.Replayed, err)
}

// Repeated is a creation whose Idempotency-Key has an entry.
type Repeated struct{ Entry *IdempotencyEntry }

func (Repeated) Error() string { return "the record exists already" }

// errIDInUse cannot happen: cart ids are random.
var errIDInUse = errors.New("a new cart's id is taken")

// JudgeCreation judges a creation. Errors: Repeated, *commerce.Refusal, ErrOutdated if the
// Idempotency-Key has another visitor's scope.
func JudgeCreation(r *Request, v *View[*commerce.Cart]) (Change[*commerce.Cart], error) {
	if _, refusal := Judge(noRecord, r, nil); refusal != nil {
		return Change[*commerce.Cart]{}, refusal
	}
	switch {
	case r.Idempotency != nil && r.Idempotency.Customer != r.Visitor.CustomerID:
		return Change[*commerce.Cart]{}, ErrOutdated
	case v.Entry != nil:
		return Change[*commerce.Cart]{}, Repeated{v.Entry}
	case v.State != nil:
		return Change[*commerce.Cart]{}, errIDInUse
	case r.Store.Closed != nil:
		return Change[*commerce.Cart]{}, r.Store.Closed
	}
	made := Change[*commerce.Cart]{State: commerce.NewCart(r.CartID, r.Now)}
	if r.Copy != nil {
		var refusal *commerce.Refusal
		if made.State, _, refusal = r.Copy.Make(r.CartID, r.copying(v.Next)); refusal != nil {
			return Change[*commerce.Cart]{}, refusal
		}
	}
	if r.Idempotency != nil {
		made.Effects = Effects{Effects: commerce.Effects{Made: r.CartID}, Idempotency: r.Idempotency}
	}
	return made, nil
}

// ReadCart returns a cart in any status. The reply keeps no part of the request.
// Spec: Status effects 2.
func (e *Engine) ReadCart(r *Request) (Reply, error) {
	reply, err := e.carts.Read(r)
	reply.Facts = &r.Facts
	return reply, err
}

// CartQuery asks for some of an account's active carts, newest first.
type CartQuery struct {
	// Page returns the first position to read and the one after the last.
	Page func(total int) (from, to int)
	// Room is that of an OrderQuery.
	Room func(bytes int) error
	// Each is called for each cart of the page that is still there. An error ends the reading.
	Each func(*commerce.Cart) error
}

// EachAccountCart calls CartQuery.Each for the active carts of the visitor's account on a page, and
// returns the number of carts in the account's index, which may contain carts that are gone.
// docs/api/carts.md#list-of-carts.
func (e *Engine) EachAccountCart(r *Request, q *CartQuery) (total int, err error) {
	own := *q
	own.Each = func(c *commerce.Cart) error {
		if c.Status != commerce.CartActive || c.Expired(r.Now) || c.Customer != (commerce.Binding{ID: r.Visitor.CustomerID}) {
			return nil
		}
		return q.Each(c)
	}
	return e.storage.EachAccountCart(RecordKey{r.Store.ID, r.Visitor.CustomerID}, &own, r.Deadline)
}

// EachCustomerCart is EachAccountCart for the account of an id.
func (e *Engine) EachCustomerCart(r *Request, customer uuid.UUID, q *CartQuery) (total int, err error) {
	own := *q
	own.Each = func(c *commerce.Cart) error {
		if c.Status != commerce.CartActive || c.Expired(r.Now) || c.Customer.ID != customer {
			return nil
		}
		return q.Each(c)
	}
	return e.storage.EachAccountCart(RecordKey{r.Store.ID, customer}, &own, r.Deadline)
}

// FindCarts calls each for the active carts whose ids begin so, and returns where the next page begins; empty at the end. Errors:
// ErrUnavailable, those of each.
func (e *Engine) FindCarts(r *Request, short, after string, each func(*commerce.Cart) error) (next string, err error) {
	ids, next, err := e.storage.ScanCarts(r, short, after)
	if err != nil {
		return next, err
	}
	keys := make([]RecordKey, len(ids))
	for i, id := range ids {
		keys[i] = RecordKey{r.Store.ID, id}
	}
	carts, err := e.storage.LoadCarts(keys, r.Deadline)
	for i := range carts {
		if c := carts[i].State; err == nil && c != nil && !c.Expired(r.Now) {
			err = each(c)
		}
	}
	return next, err
}

// ReadStoreCart returns any cart of the store, and sets the visitor to its customer. Errors: *commerce.Refusal, ErrUnavailable.
func (e *Engine) ReadStoreCart(r *Request) (record CartRecord, err error) {
	carts, err := e.storage.LoadCarts([]RecordKey{{r.Store.ID, r.CartID}}, r.Deadline)
	if err != nil {
		return record, err
	}
	record = carts[0]
	cart := record.State
	if cart == nil || cart.Expired(r.Now) {
		return record, commerce.NotFound("Cart", r.CartID.String())
	}
	r.Visitor = commerce.Visitor{}
	if !cart.Customer.Bound() || cart.Customer.Guest {
		return record, nil
	}
	found, err := e.contacts.Find(RecordKey{r.Store.ID, cart.Customer.ID}, true, r.Deadline)
	if err == nil && found != nil && !found.State.Guest {
		c := found.State
		r.Visitor = commerce.Visitor{Known: true, CustomerID: c.ID, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge}
		r.Contact = Sighting[*commerce.Contact]{Stamp: found.Stamp, Record: found}
	}
	return record, err
}

// ChangeCart applies Request.Command.
func (e *Engine) ChangeCart(r *Request) (Reply, error) { return e.write(r, e.changeCart) }

// changeCart serves a write of a cart. If the change needs counts of uses of discounts, it reads them first,
// and serves the write again.
func (e *Engine) changeCart(r *Request) (Reply, error) {
	for {
		reply, err := e.carts.Change(r)
		var needs UncountedUses
		if !errors.As(err, &needs) {
			return reply, err
		}
		r.Facts = *reply.Facts
		counts, err := e.storage.UseCounts(r.Store.ID, needs.Uses, r.Deadline)
		if err != nil {
			return Reply{Facts: &r.Facts}, err
		}
		known := &commerce.UseCounts{Uses: needs.Uses, Counts: counts}
		if before := r.Counts; before != nil {
			known.Uses, known.Counts = slices.Concat(before.Uses, known.Uses), slices.Concat(before.Counts, counts)
		}
		r.Counts = known
	}
}

// write serves a write again and again until its facts are up to date.
func (e *Engine) write(r *Request, serve func(*Request) (Reply, error)) (Reply, error) {
	for {
		reply, err := serve(r)
		if !errors.Is(err, ErrOutdated) {
			return reply, e.replayed(r, reply.Replayed, err)
		}
		if reply.Facts != nil { // a visit may have counted the request
			r.Counted, r.Budget = reply.Facts.Counted, reply.Facts.Budget
		}
		if err := e.refresh(r); err != nil {
			return Reply{Facts: &r.Facts}, err
		}
		if r.OfContact {
			r.ContactID = r.Visitor.CustomerID // an import may give a token to another customer
		}
	}
}

// CopyCart makes the cart id with the lines of the cart in the path. It returns the lines that the
// new cart lacks; none if an earlier sending made it. docs/api/carts.md#copy.
func (e *Engine) CopyCart(r *Request, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	reply, err := e.ReadCart(r)
	if err != nil {
		return reply, nil, err
	}
	return e.createCopy(r, id, commerce.CopyOfCart(reply.Cart))
}

// CopyOrder is CopyCart for an order of the visitor.
func (e *Engine) CopyOrder(r *Request, order string, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	found, err := e.ReadOrder(r, order)
	return e.copyOrder(r, id, found, err)
}

// CopyOrderByToken is CopyCart for the order of a token.
func (e *Engine) CopyOrderByToken(r *Request, token string, id uuid.UUID) (Reply, []commerce.LeftOut, error) {
	found, err := e.ReadOrderByToken(r, token)
	return e.copyOrder(r, id, found, err)
}

func (e *Engine) copyOrder(r *Request, id uuid.UUID, found *Record[*commerce.Order], err error) (Reply, []commerce.LeftOut, error) {
	if err != nil {
		return Reply{Facts: &r.Facts}, nil, err
	}
	if !found.State.ArchivedAt.IsZero() {
		return Reply{Facts: &r.Facts}, nil, commerce.OrderIsArchived
	}
	return e.createCopy(r, id, commerce.CopyOfOrder(found.State))
}

// createCopy makes a cart with content. The request is admitted and counted.
func (e *Engine) createCopy(asked *Request, id uuid.UUID, content *commerce.CartCopy) (Reply, []commerce.LeftOut, error) {
	if asked.Fault != nil {
		return Reply{Facts: &asked.Facts}, nil, asked.Fault
	}
	r := *asked
	r.CartID, r.Copy = id, content
	r.Cart, r.Entry, r.Idempotency = Sighting[*commerce.Cart]{}, nil, nil
	reply, err := e.CreateCart(&r)
	if err != nil || reply.Replayed {
		return reply, nil, err
	}
	made := r
	made.Facts = *reply.Facts
	_, left, refusal := content.Make(id, made.copying(reply.Stamp.Counter))
	if refusal == nil && content.SecondTry() {
		left = append(left, commerce.LeftOutOf(e.short(&made, reply.Cart))...)
	}
	return reply, left, asError(refusal)
}

// short lists what a cart cannot sell for want of stock, beside an answer that is given whether or not the
// stock can be read. So an error leaves the list empty; a checkout says it again.
func (e *Engine) short(r *Request, cart *commerce.Cart) []commerce.StockShort {
	levels, err := e.CartLevels(r.Store, cart.ID, cart.StockItems(r.Store), r.Deadline)
	if err != nil || levels == nil {
		return nil
	}
	return cart.Short(r.Store, levels)
}

// copying is the input of a copy, by the request's facts. next is the stamp counter of its commit.
func (r *Request) copying(next uint64) *commerce.Input {
	return &commerce.Input{Store: r.Store, Visitor: r.Visitor, Now: r.Now, Next: next, Came: r.Came}
}
