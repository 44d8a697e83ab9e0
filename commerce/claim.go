package commerce

import (
	"bytes"
	"slices"
	"time"

	"github.com/google/uuid"
)

// ClaimCart binds a cart to the visitor's account and folds the account's other active carts,
// Input.Others, into it: docs/api/carts.md#claim.
type ClaimCart struct {
	// TakenOver are the lenders of the claim's earlier commits.
	TakenOver TakenOver
}

// TakenOver are the folded carts that the claimed cart has its e-mail, its metadata and its kept checkout
// from; nil if it has its own or none.
type TakenOver struct{ Email, Metadata, Checkout *Cart }

// Claim is the result of a claim beside the claimed cart.
type Claim struct {
	// Folded are the other carts after folding. Report has an entry for each. Both are in the order of
	// folding.
	Folded    []*Cart
	Report    []FoldReport
	TakenOver TakenOver
}

// FoldReport counts the lines of one folded cart: docs/api/carts.md#claim, Report.
type FoldReport struct {
	Cart uuid.UUID
	// Moved and Summed count lines. Clamped lines count as summed.
	Moved, Summed int
	Clamped       []ClampedLine
	Dropped       []DroppedLine
}

// ClampedLine is a line of the claimed cart whose sum exceeds the maximum.
type ClampedLine struct {
	Line            uuid.UUID
	Requested, Kept Quantity
}

// DroppedLine is a line of a folded cart for which the claimed cart has no room.
type DroppedLine struct {
	Product, Variant uuid.UUID
	Quantity         Quantity
	Properties       *Properties
}

func (ClaimCart) Locate(*Cart) *Refusal { return nil }

func (c ClaimCart) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	next.Customer = Binding{ID: in.Visitor.CustomerID}
	var effects Effects
	if !in.Folding {
		effects = next.bindAccount(in)
	}
	ctx := next.pricing(in)
	for i := range next.Lines {
		next.Lines[i].reprice(in.Store.Product(next.Lines[i].ProductID), ctx)
	}
	claim := &Claim{TakenOver: c.TakenOver}
	f := newFolding(next, in)
	f.takeEmail(&claim.TakenOver)
	f.takeCheckout(&claim.TakenOver)
	for _, other := range in.Others {
		claim.Report = append(claim.Report, f.fold(other))
		claim.Folded = append(claim.Folded, other.merged(next.ID, in.Now))
	}
	f.takeMetadata(&claim.TakenOver)
	effects.Claim = claim
	return effects, nil
}

// merged returns the cart after it was folded into another. Spec: Cart status.
func (c *Cart) merged(into uuid.UUID, now time.Time) *Cart {
	next := *c
	next.Status, next.Hold, next.MergedInto, next.Checkout = CartMerged, Hold{}, into, nil
	next.touch(now)
	return &next
}

// folding is a claimed cart with its size, while lines are folded into it.
type folding struct {
	cart *Cart
	in   *Input
	// goods is the sum of the line totals without discounts. bytes is the cart's Size, texts that of the lines'
	// properties.
	goods Amount
	bytes int
	texts int
	items map[uuid.UUID]bool
}

func newFolding(c *Cart, in *Input) *folding {
	f := &folding{cart: c, in: in, items: map[uuid.UUID]bool{}}
	for i := range c.Lines {
		total, _ := c.Lines[i].UnitPrice.Times(c.Lines[i].Quantity)
		f.goods += total
		for _, item := range f.newItems(&c.Lines[i]) {
			f.items[item] = true
		}
	}
	unheld := *c
	unheld.Hold = Hold{}
	f.bytes, f.texts = unheld.Size()+len(f.items)*sizeOfEntry, unheld.texts()
	return f
}

// newItems are the stock items of a line that the cart does not have yet.
func (f *folding) newItems(l *Line) (items []uuid.UUID) {
	if !f.in.Store.HoldsStock() {
		return nil
	}
	for _, ask := range l.appendAsks(nil, f.in.Store) {
		if ask.Quantity > 0 && !f.items[ask.Item] && !slices.Contains(items, ask.Item) {
			items = append(items, ask.Item)
		}
	}
	return items
}

// fold folds the lines of another cart, in their order.
func (f *folding) fold(other *Cart) FoldReport {
	report := FoldReport{Cart: other.ID}
	for i := range other.Lines {
		l := &other.Lines[i]
		var folded bool
		if at := f.cart.merging(l); at < 0 {
			folded = f.move(*l, &report)
		} else {
			folded = f.sum(&f.cart.Lines[at], l.Quantity, &report)
		}
		if !folded {
			report.Dropped = append(report.Dropped, DroppedLine{l.ProductID, l.VariantID, l.Quantity, l.Properties})
		}
	}
	return report
}

// move appends a whole line to the cart, with its id and snapshots.
func (f *folding) move(l Line, report *FoldReport) bool {
	l.Born, l.Made = f.in.Next, f.in.Now
	l.reprice(f.in.Store.Product(l.ProductID), f.cart.pricing(f.in))
	if len(f.cart.Lines) >= f.in.Store.Policy.MaxLines || !f.admit(nil, &l) {
		return false
	}
	f.cart.Lines = append(f.cart.Lines, l)
	report.Moved++
	return true
}

// sum adds a quantity to a line of the cart, up to the greatest quantity that the line may have. It never
// lowers the line's quantity.
func (f *folding) sum(line *Line, more Quantity, report *FoldReport) bool {
	next, requested := *line, line.Quantity.Add(more)
	product, limit := f.in.Store.Product(line.ProductID), f.in.Store.Policy.MaxQuantityPerLine
	next.Quantity = requested
	if pack := product.pack(); requested > pack.most(limit) {
		next.Quantity = max(line.Quantity, pack.Greatest(limit))
	}
	next.reprice(product, f.cart.pricing(f.in))
	if !f.admit(line, &next) {
		return false
	}
	*line = next
	report.Summed++
	if next.Quantity < requested {
		report.Clamped = append(report.Clamped, ClampedLine{line.ID, requested, next.Quantity})
	}
	return true
}

// admit reports whether the cart has room for a line that replaces another (nil if it is new), and
// counts it if so.
func (f *folding) admit(old, next *Line) bool {
	items := f.newItems(next)
	total, exact := next.UnitPrice.Times(next.Quantity)
	goods, bytes, texts := f.goods+total, f.bytes+next.size()+len(items)*sizeOfEntry, f.texts+next.texts()
	if old != nil {
		total, _ = old.UnitPrice.Times(old.Quantity)
		goods, bytes, texts = goods-total, bytes-old.size(), texts-old.texts()
	}
	switch {
	case goods > f.goods && (goods > MaxAmount || !exact),
		len(items) > 0 && len(f.items)+len(items) > MaxCartItems,
		bytes > f.bytes && bytes > maxCartBytes,
		texts > f.texts && texts > MaxCartTexts:
		return false
	}
	f.goods, f.bytes, f.texts = goods, bytes, texts
	for _, item := range items {
		f.items[item] = true
	}
	return true
}

// takeEmail takes the e-mail of the folded cart with the latest activity that has one, unless the
// claimed cart has its own.
func (f *folding) takeEmail(taken *TakenOver) {
	if f.cart.Email != "" && (taken.Email == nil || taken.Email.Email != f.cart.Email) {
		taken.Email = nil
		return
	}
	if last := f.latest(taken.Email, func(c *Cart) bool { return c.Email != "" }); last != nil && f.grow(func(c *Cart) { c.Email = last.Email }) {
		taken.Email = last
	}
}

// takeMetadata does the same for the metadata. There, {} is a value.
func (f *folding) takeMetadata(taken *TakenOver) {
	if f.cart.Metadata != nil && (taken.Metadata == nil || !slices.Equal(taken.Metadata.Metadata, f.cart.Metadata)) {
		taken.Metadata = nil
		return
	}
	if last := f.latest(taken.Metadata, func(c *Cart) bool { return c.Metadata != nil }); last != nil && f.grow(func(c *Cart) { c.Metadata = last.Metadata }) {
		taken.Metadata = last
	}
}

// takeCheckout does the same for the kept checkout.
func (f *folding) takeCheckout(taken *TakenOver) {
	own := f.cart.Checkout.at(f.in.Now)
	if own != nil && (taken.Checkout == nil || !own.same(taken.Checkout.Checkout)) {
		taken.Checkout = nil
		return
	}
	kept := func(c *Cart) *KeptCheckout { return c.Checkout.at(f.in.Now) }
	last := f.latest(taken.Checkout, func(c *Cart) bool { return kept(c) != nil })
	if last != nil && f.grow(func(c *Cart) { c.Checkout = kept(last) }) {
		taken.Checkout = last
	}
}

// latest is the cart with the latest activity among the lender and the folded carts that have the
// field; nil if there is none.
func (f *folding) latest(lender *Cart, has func(*Cart) bool) *Cart {
	for _, other := range f.in.Others {
		if has(other) && (lender == nil || other.activeAfter(lender)) {
			lender = other
		}
	}
	return lender
}

// activeAfter compares the last activity of two carts. If it is equal, the later creation counts,
// then the greater id.
func (c *Cart) activeAfter(other *Cart) bool {
	switch byWrite, byCreation := c.UpdatedAt.Compare(other.UpdatedAt), c.CreatedAt.Compare(other.CreatedAt); {
	case byWrite != 0:
		return byWrite > 0
	case byCreation != 0:
		return byCreation > 0
	}
	return bytes.Compare(c.ID[:], other.ID[:]) > 0
}

// grow changes a field of the cart, if the cart has room for it.
func (f *folding) grow(change func(*Cart)) bool {
	fields := *f.cart
	fields.Lines, fields.Hold = nil, Hold{}
	old := fields.Size()
	change(&fields)
	bytes := f.bytes + fields.Size() - old
	if bytes > f.bytes && bytes > maxCartBytes {
		return false
	}
	f.bytes = bytes
	change(f.cart)
	return true
}
