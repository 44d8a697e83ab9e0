package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// ApproveCustomer approves an account of a store and, unless group is zero, sets its group. Imports
// keep both, as they keep what a customer has changed. approved is false if the account was approved
// already; changed is true also if only its group has changed, or that imports keep the approval. Errors:
// ErrNotFound, also for a guest.
func (o Operator) ApproveCustomer(ctx context.Context, shop *commerce.Store, id, group uuid.UUID) (approved, changed bool, err error) {
	found := false
	var next commerce.Contact
	changed, err = rewriteRecord(ctx, o.rewriter(shop.ID), persistence.Contacts, id, func(c *commerce.Contact) (*commerce.Contact, bool) {
		if found = !c.Guest; !found {
			return c, false
		}
		next, approved = *c, !c.Approved
		return &next, next.Approve(group, time.Now())
	}, func(_ engine.RecordKey, plan *records.Plan) error {
		if event := answers.ContactChanged(commerce.EventContactApproved, shop, &next, next.UpdatedAt); approved && event != nil {
			outbox.Write(plan, shop.ID, event, 0)
		}
		stores.WriteAct(plan, shop.ID, stores.Act{Name: stores.ActApprove, On: id.String()}, time.Now())
		return nil
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	return approved, changed, err
}
