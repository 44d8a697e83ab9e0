package operator

import (
	"context"
	"errors"
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

// ErrNoVATID means that an account has no VAT id.
var ErrNoVATID = errors.New("the account has no VAT id")

// ApproveCustomer approves an account of a store and, unless group is zero, sets its group. approved is false if the account was
// approved already; changed is true also if only its group has changed, or that imports keep the approval. Errors:
// ErrNotFound, also for a guest.
func (o Operator) ApproveCustomer(ctx context.Context, shop *commerce.Store, id, group uuid.UUID) (approved, changed bool, err error) {
	yes := true
	change := &commerce.ChangeStanding{Approved: &yes}
	if group != uuid.Nil {
		change.Group = &group
	}
	before, _, changed, err := o.changeStanding(ctx, shop, id, change, stores.ActApprove)
	return err == nil && changed && before.Awaits(), changed, err
}

// SetReverseCharge says whether an account's VAT id, which it returns, is good for reverse charge. Errors: ErrNotFound, also for a
// guest, and ErrNoVATID.
func (o Operator) SetReverseCharge(ctx context.Context, shop *commerce.Store, id uuid.UUID, to bool) (vatID string, changed bool, err error) {
	act := stores.ActNoReverseCharge
	if to {
		act = stores.ActReverseCharge
	}
	_, after, changed, err := o.changeStanding(ctx, shop, id, &commerce.ChangeStanding{ReverseCharge: &to}, act)
	if errors.As(err, new(*commerce.Refusal)) {
		err = ErrNoVATID
	}
	if err == nil {
		vatID = after.VATID
	}
	return vatID, changed, err
}

// changeStanding carries out the command of PATCH contacts/{id}. changed is false if it changes nothing. Errors: ErrNotFound,
// *commerce.Refusal.
func (o Operator) changeStanding(ctx context.Context, shop *commerce.Store, id uuid.UUID, change *commerce.ChangeStanding, act string) (
	before, after *commerce.Contact, changed bool, err error) {
	var refusal *commerce.Refusal
	var effects commerce.Effects
	changed, err = rewriteRecord(ctx, o.rewriter(shop.ID), persistence.Contacts, id, func(c *commerce.Contact) (*commerce.Contact, bool) {
		before, after, refusal = c, c, change.Locate(c)
		if refusal != nil {
			before = nil
			return c, false
		}
		var next *commerce.Contact
		if next, effects, refusal = commerce.ChangeContact(c, change, &commerce.Input{Store: shop, Now: time.Now()}); refusal != nil {
			return c, false
		}
		after = next
		return next, next.Approved != c.Approved || next.GroupID != c.GroupID || next.ReverseCharge != c.ReverseCharge || next.Own != c.Own
	}, func(_ engine.RecordKey, plan *records.Plan) error {
		if news := effects.ContactNews; news != nil {
			if event := answers.ContactChanged(commerce.EventContactApproved, shop, news.Contact, news.At); event != nil {
				outbox.Write(plan, shop.ID, event, 0)
			}
		}
		stores.WriteAct(plan, shop.ID, stores.Act{Name: act, On: id.String()}, time.Now())
		return nil
	})
	switch {
	case err != nil:
	case before == nil:
		err = ErrNotFound
	case refusal != nil:
		err = refusal
	}
	return before, after, changed, err
}
