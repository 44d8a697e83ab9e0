package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// Binding ties a cart to a customer; the zero value means no customer.
// Spec: Customer token, Ownership.
type Binding struct {
	ID uuid.UUID
	// Guest marks a customer row made by e-mail capture: the cart stays open to everyone with its id.
	Guest bool
}

// Bound reports whether there is a customer.
func (b Binding) Bound() bool { return b.ID != uuid.Nil }

// bind ties the cart to the token's account, else to the guest customer of its e-mail.
// Spec: Setting email, when the customers module is active, …
func bind(c *Cart, in *Input) Effects {
	if !in.Store.Modules.Has(ModuleCustomers) {
		return Effects{}
	}
	if in.Visitor.Known {
		return c.bindAccount(in)
	}
	if c.Customer.Bound() && !c.Customer.Guest {
		return Effects{}
	}
	c.Customer = Binding{ID: in.Store.GuestID(c.Email), Guest: true}
	return Effects{Guest: &Guest{ID: c.Customer.ID, Email: c.Email, At: in.Now}}
}

// bindAccount ties the cart to the visitor's account. The account's uses of the codes are counted.
func (c *Cart) bindAccount(in *Input) Effects {
	c.Customer, c.Codes = Binding{ID: in.Visitor.CustomerID}, slices.Clone(c.Codes)
	return Effects{Uncounted: in.countUses(c.Codes)}
}
