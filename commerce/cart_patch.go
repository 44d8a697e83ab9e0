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
