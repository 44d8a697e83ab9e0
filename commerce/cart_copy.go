package commerce

import "github.com/google/uuid"

// CartCopy is the making of a cart with the lines of another cart or of an order, at today's prices.
// docs/api/carts.md#copy.
type CartCopy struct {
	lines    []*Line
	email    string
	metadata Metadata
	// account is the account of the original; zero if it has none.
	account uuid.UUID
	// codes are the discount codes of an order that is not paid or cancelled; second is true for such an
	// order: the copy is a second try.
	codes  []string
	second bool
}

// LeftOut is a line of the original that the copy does not have, or what is short of it. Reason is the code
// with which an add refuses it, or the text of the refusal if it has no code; OUT_OF_STOCK for what is short.
type LeftOut struct {
	ProductID, VariantID uuid.UUID
	Quantity             Quantity
	// Properties are the original's; nil if it has none.
	Properties *Properties
	Reason     string
}

// CopyOfCart copies a cart, whose discount code is left behind.
func CopyOfCart(c *Cart) *CartCopy {
	made := &CartCopy{email: c.Email, metadata: c.Metadata, account: accountOf(c.Customer)}
	for i := range c.Lines {
		made.lines = append(made.lines, &c.Lines[i])
	}
	return made
}

// CopyOfOrder copies an order.
func CopyOfOrder(o *Order) *CartCopy {
	made := &CartCopy{email: o.Email, metadata: o.Metadata, account: accountOf(o.Customer)}
	for i := range o.Lines {
		made.lines = append(made.lines, &o.Lines[i].Line)
	}
	if made.second = o.Status == OrderCancelled || o.Unpaid(); made.second {
		for i := range o.Discounts {
			if code := o.Discounts[i].Code; code != "" {
				made.codes = append(made.codes, code)
			}
		}
	}
	return made
}

// SecondTry reports whether the copy is of an order that is cancelled or waits for its payment. It then
// says what is short.
func (c *CartCopy) SecondTry() bool { return c.second }

// LeftOutOf is what a copy cannot sell today, for want of stock: the missing part of each item. The lines
// are in the cart all the same.
func LeftOutOf(short []StockShort) (all []LeftOut) {
	for _, s := range short {
		all = append(all, LeftOut{ProductID: s.ProductID, VariantID: s.VariantID, Quantity: s.missing(), Reason: OutOfStock.Code})
	}
	return all
}

func accountOf(b Binding) uuid.UUID {
	if b.Guest {
		return uuid.Nil
	}
	return b.ID
}

// Make returns the copy under an id, and the lines that it does not have. It is bound to the
// original's account if the visitor is that account. Otherwise its e-mail binds nothing.
func (c *CartCopy) Make(id uuid.UUID, in *Input) (*Cart, []LeftOut, *Refusal) {
	next := NewCart(id, in.Now)
	next.Email, next.Metadata = c.email, c.metadata
	for _, code := range c.codes[:min(len(c.codes), in.Store.Policy.CodeLimit())] {
		next.Codes = append(next.Codes, AttachedCode{Code: code})
	}
	if v := &in.Visitor; v.Known && v.CustomerID == c.account && in.Store.Modules.Has(ModuleCustomers) {
		next.Customer = Binding{ID: c.account}
	}
	var left []LeftOut
	var kept []Line
	for _, l := range c.lines {
		kept = append(kept[:0], next.Lines...)
		add := AddLine{
			LineID: lineOf(id, l.ID), ProductID: l.ProductID, VariantID: l.VariantID, Quantity: l.Quantity,
			Configuration: l.Configuration.selection(), Properties: l.Properties.sent(),
		}
		if _, r := add.Apply(next, in); r != nil {
			next.Lines = append(next.Lines[:0], kept...)
			left = append(left, LeftOut{l.ProductID, l.VariantID, l.Quantity, l.Properties, r.Reason()})
		}
		next.setBorn(0, 0) // no line is simultaneous with another of the copy
	}
	next.setBorn(0, in.Next)
	if r := next.complete(NewCart(id, in.Now), in); r != nil {
		return nil, nil, r
	}
	return next, left, nil
}

// lineOf is the id of a copied line: its own, and the same at each judgement. It has the form of a
// random one.
func lineOf(copied, original uuid.UUID) uuid.UUID {
	id := uuid.NewSHA1(copied, original[:])
	id[6] = id[6]&0x0f | 0x40
	return id
}

// Reason is the code of a refusal, or its text if it has none.
func (r *Refusal) Reason() string {
	if r.Code != "" {
		return r.Code
	}
	return r.Message
}
