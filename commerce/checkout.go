package commerce

import (
	"cmp"
	"iter"
	"time"

	"github.com/google/uuid"
)

// Checkout sells the cart: it becomes an order, once. docs/api/checkout.md#what-a-checkout-decides.
type Checkout struct {
	// OrderID is the id for the new order.
	OrderID uuid.UUID
	CheckoutForm
}

// The maximum number of code points in a checkout's fields.
const (
	MaxCustomerNote = 1000
	MaxReference    = 100
)

// CheckoutForm is the body of a checkout. An empty text counts as absent.
type CheckoutForm struct {
	// Faults are the faults that the decoder found in the fields.
	Faults Faults
	Email  string // valid and lower-cased
	CheckoutFields
	// ExpectedTotal is the order's total as the shopper saw it; nil if none was sent.
	ExpectedTotal *Amount
	// Payment is the time in which the order must be paid, in minutes.
	Payment AskedMinutes
}

// UsesContact reports whether the visitor's address book, e-mail or VAT id may be needed.
func (f *CheckoutForm) UsesContact(s *Store, v *Visitor) bool {
	return f.Email == "" || f.usesAddressBook() || s.ReverseChargeOf(v)
}

func (*Checkout) Locate(*Cart) *Refusal { return nil }

// Apply judges in the order of docs/api/checkout.md#what-a-checkout-decides, and converts the cart.
func (c *Checkout) Apply(next *Cart, in *Input) (Effects, *Refusal) {
	fields := c.CheckoutFields.orKept(next.Checkout.at(in.Now), next.RequiresShipping(in.Store))
	to := fields.addresses(in.Contact)
	destination := to.destination()
	if kept := next.Checkout; kept != nil {
		destination.asked = kept.Country
	}
	t := evaluateSaleTo(destination, next, in)
	delivery := t.consignment()
	order := &Order{ID: c.OrderID, CartID: next.ID, CustomerNote: fields.CustomerNote, Reference: fields.Reference, Metadata: next.Metadata, PlacedAt: in.Now}
	method, payment, refusal := c.complete(order, t.Cart, &fields, delivery, to, in.Contact)
	if refusal != nil {
		return Effects{}, refusal
	}
	var lines batchRefusal
	for i, r := range t.unavailable() {
		lines.add(i, r)
	}
	if refusal = lines.refusal(); refusal != nil {
		return Effects{}, refusal
	}
	if rules := t.refusals(); len(rules) > 0 {
		return Effects{}, rules[0]
	}
	goods, takes := t.goods(t.store), next.asks(t.store)
	order.Customer, order.VATID = next.bind(t.visitor), t.vatID(in.Contact)
	switch fits := order.fill(&goods, delivery.by(method), t.Tax); {
	case !fits:
		return Effects{}, TotalLimitReached.atMost(int64(MaxAmount))
	case c.ExpectedTotal != nil && *c.ExpectedTotal != order.Totals.Total, c.ExpectedTotal == nil && t.lostCode():
		// The total of a guest's order is known only with the counts that its sale would meet.
		if uncounted := in.uncounted(t.uses(order.Discounts, order.Customer, order.Email)); uncounted != nil {
			return Effects{Uncounted: uncounted}, nil
		}
		return Effects{}, TotalChanged.atTotal(order.Totals.Total).withCodes(t.CodeResults())
	case len(takes) > MaxCartItems:
		return Effects{}, CartTooLarge.atMost(MaxCartItems)
	}
	if short := t.short(in.Shortage.available); short != nil {
		return Effects{}, OutOfStock.Of(short)
	}
	next.Status, next.OrderID, next.Checkout = CartConverted, order.ID, nil
	order.take(takes, t.store)
	order.payWithin(payment)
	uses := t.uses(order.Discounts, order.Customer, order.Email)
	order.Uses = keptUses(uses)
	return Effects{Made: order.ID, Sale: &Sale{Store: t.store, CartID: next.ID, Holder: next.ID, Order: order, Takes: takes, Uses: uses}}, nil
}

// vatID is the customer's VAT id for a sale with reverse charge; empty for another.
func (e *Evaluation) vatID(contact *Contact) string {
	if e.Tax.Exemption != ReverseCharge || contact == nil {
		return ""
	}
	return contact.VATID
}

// bind ties a sold cart to the visitor, and returns its customer.
func (c *Cart) bind(v Visitor) Binding {
	if v.Known {
		c.Customer = Binding{ID: v.CustomerID}
	}
	return c.Customer
}

// checkoutFields is the order in which faults of the fields are reported.
var checkoutFields = []string{
	"lines", "email", "shipping_method_id", "shipping_address", "shipping_address_id", "billing_address", "billing_address_id",
	"customer_note", "reference", "expected_total_amount", "payment_minutes",
}

// complete copies the fields into the order and reports all their faults.
func (c *Checkout) complete(o *Order, cart *Cart, fields *CheckoutFields, delivery *consignment, to *soldAddresses, contact *Contact) (
	method *ShippingMethod, payment time.Duration, r *Refusal) {
	faults := c.Faults.clone()
	o.Email = cart.identify(c.Email, contact, &faults)
	method = fields.deliver(o, delivery, to, &faults)
	payment = c.Payment.paymentTime(delivery.store, &faults)
	return method, payment, faults.inOrder(checkoutFields).Refusal()
}

// identify returns the e-mail address of a sale: the body's, else the cart's, else the account's.
// It also reports an empty cart.
func (c *Cart) identify(sent string, contact *Contact, faults *Faults) string {
	faults.check("lines", len(c.Lines) == 0, false)
	email := cmp.Or(sent, c.Email)
	if email == "" && contact != nil {
		email = contact.Email
	}
	faults.check("email", email == "", false)
	return email
}

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
