package commerce

// Pack says which quantities a line of a product may have. They hold for each line by itself. A zero member
// does not restrict them; nil permits every quantity. docs/api/lines.md#packs.
type Pack struct{ Min, Max, Step Quantity }

// pack is the pack of a product, which may be gone.
func (p *Product) pack() *Pack {
	if p == nil {
		return nil
	}
	return p.Pack
}

// Of returns the pack's members, zero if there is no pack.
func (p *Pack) Of() (pack Pack) {
	if p != nil {
		pack = *p
	}
	return pack
}

// refuse is the refusal of a line's quantity: its first fault, without code; nil if it has none.
func (p *Pack) refuse(q Quantity) *Refusal {
	var fault Message
	switch {
	case p == nil:
		return nil
	case q < p.Min:
		fault = MsgMin("quantity", p.Min)
	case p.Max > 0 && q > p.Max:
		fault = MsgMax("quantity", p.Max)
	case !q.MultipleOf(p.Step):
		fault = MsgMultipleOf("quantity", p.Step)
	default:
		return nil
	}
	return refuseFields([]FieldError{{Field: "quantity", Messages: []Message{fault}}}, "")
}

// most is the maximum of a line in a store with its own maximum.
func (p *Pack) most(store Quantity) Quantity {
	if p == nil || p.Max == 0 {
		return store
	}
	return min(p.Max, store)
}

// Greatest is the greatest quantity that a line may have in a store with its own maximum; 0 if there is none.
func (p *Pack) Greatest(store Quantity) Quantity {
	greatest := p.most(store)
	if p == nil {
		return greatest
	}
	if p.Step > 0 {
		greatest -= greatest % p.Step
	}
	if greatest < p.Min {
		return 0
	}
	return greatest
}

// UnsellablePacks are the names of the active products of which a line may have no quantity within the store's maximum.
func (s *Store) UnsellablePacks() (names []string) {
	for _, p := range s.Products {
		if p.Active && p.Pack.Greatest(s.Policy.MaxQuantityPerLine) == 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// MultipleOf reports whether the quantity is a multiple of a step; every one is if the step is zero.
func (q Quantity) MultipleOf(step Quantity) bool { return step == 0 || q%step == 0 }
