package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// ArchiveOrder leaves of an order what commerce.Order.Archived keeps, if same still accepts its state: the
// one that the caller has written elsewhere. It returns false if the order has changed since.
func (o Operator) ArchiveOrder(ctx context.Context, store, id uuid.UUID, same func(*commerce.Order) bool) (bool, error) {
	return rewriteRecord(ctx, o.rewriter(store), persistence.Orders, id, func(order *commerce.Order) (*commerce.Order, bool) {
		if !same(order) {
			return order, false
		}
		return order.Archived(time.UnixMilli(time.Now().UnixMilli()).UTC()), true
	}, nil)
}
