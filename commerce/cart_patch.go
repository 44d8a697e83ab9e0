package commerce

// PatchCart sets the cart's e-mail and metadata. Spec: PATCH body (Carts).
type PatchCart struct {
	// Email is valid and lower-cased; nil if not sent.
	Email *string
	// MetadataSent is true if the map, or null, was sent. A sent map replaces the whole one.
	MetadataSent bool
	Metadata     Metadata
}

func (PatchCart) Locate(*Cart) *Refusal { return nil }

func (p PatchCart) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	var effects Effects
	if p.Email != nil {
		next.Email = *p.Email
		effects = bind(next, in)
	}
	if p.MetadataSent {
		next.Metadata = p.Metadata
	}
	return effects, nil
}

// bind ties the cart to the token's account, else to the guest customer of its e-mail.
// Spec: Setting email, when the customers module is active, …
func bind(c *Cart, in *Input) Effects {
	if !in.Store.Modules.Has(ModuleCustomers) {
		return Effects{}
	}
	if in.Visitor.Known {
		c.Customer = Binding{ID: in.Visitor.CustomerID}
		return Effects{}
	}
	if c.Customer.Bound() && !c.Customer.Guest {
		return Effects{}
	}
	c.Customer = Binding{ID: in.Store.GuestID(c.Email), Guest: true}
	return Effects{Guest: &Guest{ID: c.Customer.ID, Email: c.Email, At: in.Now}}
}
