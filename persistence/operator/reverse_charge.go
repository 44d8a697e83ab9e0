package operator

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// ErrNoVATID means that an account has no VAT id.
var ErrNoVATID = errors.New("the account has no VAT id")

// SetReverseCharge says whether an account's VAT id, which it returns, is good for reverse charge. Imports then
// keep the company's fields. Errors: ErrNotFound, also for a guest, and ErrNoVATID.
func (o Operator) SetReverseCharge(ctx context.Context, store, id uuid.UUID, to bool) (vatID string, changed bool, err error) {
	refused := ErrNotFound
	act := stores.ActNoReverseCharge
	if to {
		act = stores.ActReverseCharge
	}
	changed, err = rewriteRecord(ctx, o.rewriter(store), persistence.Contacts, id, func(c *commerce.Contact) (*commerce.Contact, bool) {
		refused, vatID = nil, c.VATID
		switch {
		case c.Guest:
			refused = ErrNotFound
			return c, false
		case to && c.VATID == "":
			refused = ErrNoVATID
			return c, false
		}
		next := *c
		return &next, next.ChangeReverseCharge(to, time.Now())
	}, func(_ engine.RecordKey, plan *records.Plan) error {
		stores.WriteAct(plan, store, stores.Act{Name: act, On: id.String()}, time.Now())
		return nil
	})
	if err == nil {
		err = refused
	}
	return vatID, changed, err
}
