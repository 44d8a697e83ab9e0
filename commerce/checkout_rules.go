package commerce

import (
	"iter"
	"time"

	"github.com/google/uuid"
)

// evaluatedCart is a cart at its checkout, with its evaluation.
type evaluatedCart struct {
	Evaluation
	store   *Store
	visitor Visitor
}

// evaluateForCheckout evaluates a cart in the visitor's context. Without the customers module,
// tokens are ignored.
func evaluateForCheckout(c *Cart, s *Store, v Visitor, now time.Time) *evaluatedCart {
	return evaluateForSale(c, &Input{Store: s, Visitor: v, Now: now})
}

// evaluateForSale is evaluateForCheckout without the discounts that a commit found used up.
func evaluateForSale(c *Cart, in *Input) *evaluatedCart {
	return evaluateSaleTo(c.Checkout.at(in.Now).destination(), c, in)
}

// evaluateSaleTo is evaluateForSale to the destination of the sale.
func evaluateSaleTo(to destination, c *Cart, in *Input) *evaluatedCart {
	s, v := in.Store, in.Visitor
	if !s.Modules.Has(ModuleCustomers) {
		v = Visitor{}
	}
	t := &evaluatedCart{store: s, visitor: v}
	t.shortage = in.shortage()
	t.evaluateIn(s.taxCountry(c, to), c, s, v, in.Now)
	return t
}

// lostCode reports whether a code that the cart showed as one that applies has no effect only because the
// sale found its limit for each customer or for each code reached. No earlier answer can have shown it.
func (t *evaluatedCart) lostCode() bool {
	if t.shortage == nil || len(t.shortage.Used) == 0 {
		return false
	}
	var shown Evaluation
	shown.Evaluate(t.Stored, t.store, t.visitor, t.Now)
	for i, reason := range t.CodeErrors {
		if reason != CodeUsageLimit || shown.CodeErrors[i] != "" {
			continue
		}
		d, _ := t.store.discountByCode(t.Cart.Codes[i].Code)
		if !t.shortage.reached(d.ID).Has(CountAll) {
			return true
		}
	}
	return false
}

// unavailable ranges over the lines that cannot be bought today, each with the refusal that an add
// of it would get.
func (t *evaluatedCart) unavailable() iter.Seq2[int, *Refusal] {
	return func(yield func(int, *Refusal) bool) {
		for i := range t.Cart.Lines {
			if r := t.Cart.Lines[i].unavailable(t.store, t.visitor.pricing(t.Now)); r != nil && !yield(i, r) {
				return
			}
		}
	}
}

// unavailable is the refusal of a line that cannot be bought today; nil if it can.
func (l *Line) unavailable(s *Store, ctx Pricing) *Refusal {
	p := s.Product(l.ProductID)
	if p != nil && (l.Configuration != nil) != (p.Capability == MadeToMeasure) {
		return ProductUnavailable
	}
	add := AddLine{ProductID: l.ProductID, VariantID: l.VariantID, Configuration: l.Configuration.selection()}
	_, variant, _, r := add.resolve(s)
	if r != nil {
		if l.Configuration != nil && p != nil && p.Active && r != CapabilityInactive {
			return ConfigurationInvalid
		}
		return r
	}
	if l.Configuration == nil {
		if _, ok := UnitPrice(p, variant, ctx, l.Quantity); !ok {
			return NotPurchasable
		}
	}
	if !l.Quantity.Fits(p.Unit) {
		return QuantityNotWhole
	}
	return p.Pack.refuse(l.Quantity)
}

// selection is the configuration in the form that a client sends; nil for a plain line.
func (c *Configuration) selection() *Selection {
	if c == nil {
		return nil
	}
	s := &Selection{Choices: c.Choices}
	for _, d := range c.Dimensions {
		s.Dimensions = append(s.Dimensions, Measure{Key: d.Key, Value: d.Value, Whole: true})
	}
	return s
}

// refusals are the store's rules that forbid the sale, in their order.
func (t *evaluatedCart) refusals() (all []*Refusal) {
	policy, v := &t.store.Policy, &t.visitor
	business, consumers := policy.Audience == "b2b_only", policy.Audience == "b2c_only"
	owned := t.Cart.Customer.Bound() && !t.Cart.Customer.Guest
	for _, rule := range []struct {
		broken  bool
		refusal *Refusal
	}{
		{!v.Known && (policy.IdentityMode == "login_required" || business), LoginRequired},
		{policy.IdentityMode == "guest_only" && (v.Known || owned), GuestsOnly},
		{v.Known && v.B2B && !v.Approved, ApprovalRequired},
		{v.Known && v.B2B && consumers, ConsumersOnly},
		{v.Known && !v.B2B && business, BusinessesOnly},
		{policy.MinOrderValue != nil && t.Total < *policy.MinOrderValue, MinOrderNotReached},
	} {
		if rule.broken {
			all = append(all, rule.refusal)
		}
	}
	if t.RequiresQuote {
		all = append(all, QuoteRequired.because(t.QuoteReasons))
	}
	return all
}

// StockShort is an item with less stock available than a cart asks for.
type StockShort struct {
	ProductID            uuid.UUID
	VariantID            uuid.UUID // zero for the product itself
	Requested, Available Micros
}

// missing is the part that is not available, in thousandths that are begun.
func (s *StockShort) missing() Quantity {
	const micros = 1_000 // in a thousandth
	return Quantity((s.Requested - s.Available + micros - 1) / micros)
}

// Short lists the items of which an active cart asks for more than is available. levels are those of
// Cart.StockItems.
func (c *Cart) Short(s *Store, levels StockLevels) []StockShort {
	t := evaluatedCart{store: s}
	t.Cart = c
	return t.short(func(item uuid.UUID) (Micros, bool) { level, known := levels[item]; return level.Available(), known })
}

// short lists the items with too little stock, in the order of the lines, each item once; nil if
// there is none. available returns false for an item whose stock is not known.
func (t *evaluatedCart) short(available func(item uuid.UUID) (Micros, bool)) (rows []StockShort) {
	asks := t.Cart.asks(t.store)
	var items []StockAsk
	for i := range t.Cart.Lines {
		if len(asks) > 0 {
			items = t.Cart.Lines[i].appendAsks(items, t.store)
		}
	}
	seen := map[uuid.UUID]bool{}
	for _, item := range items {
		at, asked := findAsk(asks, item.Item)
		free, known := available(item.Item)
		if !asked || !known || free >= asks[at].Quantity || seen[item.Item] {
			continue
		}
		seen[item.Item] = true
		row := StockShort{ProductID: item.Item, Requested: asks[at].Quantity, Available: free}
		if p := t.store.productOfVariant.Get(item.Item); p != nil {
			row.ProductID, row.VariantID = p.ID, item.Item
		}
		rows = append(rows, row)
	}
	return rows
}
