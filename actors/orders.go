package actors

import (
	"cartd/commerce"
	"cartd/engine"
)

// Orders serves admitted requests on orders.
type Orders struct{ records[*commerce.Order] }

// NewOrders starts a directory of orders. It shares the actor system, stamps and budget of the
// carts. Close it first, then the carts.
func NewOrders(storage Storage[*commerce.Order], carts *Carts) *Orders {
	return &Orders{newRecords(carts.directory.env.node, storage, engine.OrderKind, (*commerce.Order).WrittenAt, orderMemory, nil)}
}

// Change applies a command. Errors: *Refusal, ErrUnavailable, ErrUnknownOutcome, ErrOutdated.
func (o *Orders) Change(asked *engine.Request) (engine.Reply, error) {
	a, err := o.serve(engine.RecordKey{Store: asked.Store.ID, ID: asked.OrderID}, newRequest(asked, o.judge))
	return engine.Reply{Order: a.state, Stamp: a.stamp, Size: a.size, CommitIndex: a.commitIndex, Replayed: a.replayed, Facts: a.facts}, err
}
