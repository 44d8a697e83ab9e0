package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence"
	"cartd/persistence/operator"
)

type storedCart = operator.Found[*commerce.Cart]

// foundCart is a cart that is evaluated for its customer.
type foundCart struct {
	*storedCart
	evaluation *commerce.Evaluation
	// checkout is what is kept of its checkout; nil if that is nothing.
	checkout *commerce.PreparedCheckout
}

var cartShown = shownAs(
	field.Value("data", answers.Cart, "", func(f foundCart) answers.CartView {
		return answers.CartView{Store: f.Store, Evaluation: f.evaluation}
	}),
	field.Of(append(foundShown(func(c *commerce.Cart) commerce.Binding { return c.Customer }),
		field.Member("merged_into", answers.UUIDOrNull, "", func(f *storedCart) *uuid.UUID { return &f.State.MergedInto }),
		field.Member("created_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.CreatedAt }),
		field.Member("last_activity_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.UpdatedAt }),
		field.Member("expires_at", answers.Time, "", func(f *storedCart) *time.Time { return &f.State.ExpiresAt }),
		field.Self("holds", field.Counted(holdShown, countHolds, holdOf), ""),
	), func(f foundCart) *storedCart { return f.storedCart }),
	field.Self("discount_codes", field.Counted(answers.CodeResult, func(f foundCart) int { return len(f.State.Codes) },
		func(f foundCart, i int) commerce.CodeResult { return f.evaluation.CodeResult(i) }), ""),
	field.Value("checkout", field.OrNull(answers.KeptCheckout), "", func(f foundCart) *commerce.PreparedCheckout { return f.checkout }),
)

// cartHold is what a cart holds of an item.
type cartHold struct {
	commerce.StockAsk
	until time.Time
}

var holdShown = field.Object("",
	field.Value("item", answers.UUID, "", func(h cartHold) uuid.UUID { return h.Item }),
	field.Value("asked", answers.Stock, "", func(h cartHold) commerce.Micros { return h.Quantity }),
	field.Value("held", answers.Stock, "", func(h cartHold) commerce.Micros { return h.Granted }),
	field.Value("until", answers.Time, "", func(h cartHold) time.Time { return h.until }),
)

func countHolds(f *storedCart) int { return len(f.State.Hold.Asks) }

func holdOf(f *storedCart, i int) cartHold {
	return cartHold{f.State.Hold.Asks[i], f.State.Hold.Until}
}

// shortID is the part of an id that the log shows.
var shortID = regexp.MustCompile(`^[0-9a-fA-F]{8}$`)

// showCart shows a cart as its customer sees it: by its id, or those with its 8 characters of the log.
func showCart(q *query) error {
	if shortID.MatchString(q.word) {
		all, err := q.db.FindCarts(context.Background(), q.store, q.word)
		for _, found := range all {
			if err := showFoundCart(q, found); err != nil {
				return err
			}
		}
		return err
	}
	id, err := q.id()
	if err != nil {
		return fmt.Errorf("%w or its 8 characters of the log", err)
	}
	found, err := operator.Find(context.Background(), q.db, persistence.Carts, q.store, id)
	if err != nil {
		return err
	}
	return showFoundCart(q, found)
}

func showFoundCart(q *query, found *storedCart) error {
	var visitor commerce.Visitor
	contact, err := accountOf(q, found.Store, found.State.Customer)
	if err != nil {
		return err
	}
	if contact != nil {
		visitor = visitorOf(contact)
	}
	return printRecord(q, cartShown, evaluated(found, visitor))
}

// accountOf is the contact of the account to which a record is bound; nil without one.
func accountOf(q *query, store *commerce.Store, owner commerce.Binding) (*commerce.Contact, error) {
	if !owner.Bound() || owner.Guest {
		return nil, nil
	}
	contact, err := operator.Find(context.Background(), q.db, persistence.Contacts, store.ID, owner.ID)
	switch {
	case errors.Is(err, operator.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return contact.State, nil
}

// evaluated is a cart as a visitor sees it, with what is kept of its checkout.
func evaluated(found *storedCart, visitor commerce.Visitor) foundCart {
	f := foundCart{storedCart: found, evaluation: new(commerce.Evaluation)}
	f.evaluation.Evaluate(found.State, found.Store, visitor, found.Now)
	if p := commerce.PrepareCheckout(found.State, found.Store, visitor, found.Now); p.KeptCheckout != (commerce.KeptCheckout{}) {
		f.checkout = p
	}
	return f
}

// visitorOf is the visitor with the token of an account. The token of no guest resolves.
func visitorOf(c *commerce.Contact) commerce.Visitor {
	if c.Guest {
		return commerce.Visitor{}
	}
	return commerce.Visitor{Known: true, CustomerID: c.ID, GroupID: c.GroupID, B2B: c.B2B, Approved: c.Approved, ReverseCharge: c.ReverseCharge}
}
