package commerce

import (
	"math/big"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Explanation is the computation of a cart's amounts, from unit price to grand total, in integers
// that a person can follow. The lines' amounts minus the discounts' are the sums of the tax rows,
// and those make the totals.
type Explanation struct {
	// only is the one discount whose shares are listed; nil lists those of all discounts, if they are
	// at most maxShares. shares counts them.
	only   *uuid.UUID
	shares int
	Lines  []LineStep
	// Codes are the results of the attached codes, in the order of attaching.
	Codes []ExplainedCode
	// Exclusive is the choice of an exclusive discount; nil if none would apply.
	Exclusive *ExclusiveStep
	Discounts []DiscountStep
	// Taxes has a step for each rate; of an exempt cart for each home rate.
	Taxes []TaxStep
	// Tax is the taxation of the cart.
	Tax    Taxation
	Totals TotalsStep
}

// Division is one rounding: Of × Multiply = Quotient × Divide + Remainder. Extra is 1 if the
// quotient was rounded up, or if a share got one of the leftover units. Some numbers exceed
// MaxAmount: an amount may be cut off after the division.
type Division struct {
	Of, Multiply, Divide, Quotient, Remainder *big.Int
	Extra                                     int64
}

// LineStep is a line's price and its amount without discounts: unit price × quantity in thousandths
// ÷ 1000.
type LineStep struct {
	Line *Line
	From PriceOrigin
	Division
	Amount Amount
}

// DiscountStep is one discount that applies.
type DiscountStep struct {
	Discount *Discount
	Code     string // AppliedDiscount.Spelling
	// Before is the sum of the lines after the earlier discounts.
	Before Amount
	// Whole is the rounding of an order discount's percentage; nil for other discounts.
	Whole *Division
	// Bogo has the counts of a buy-and-get discount; nil for other kinds.
	Bogo   *BogoStep
	Amount Amount
	// Shares is nil if they are not listed.
	Shares []ShareStep
}

// maxShares is the maximum number of shares that an explanation of all discounts lists.
const maxShares = 5000

// BogoStep has the counts of a buy-and-get discount: Bought ÷ Minimum gives Times, and Units of the
// line are reduced.
type BogoStep struct {
	Bought, Minimum, Each Quantity
	Times                 int64
	Units                 Quantity
	UnitPrice             Amount
}

// ShareStep is a discount's amount off one line, at most Before.
type ShareStep struct {
	Line   *Line
	Before Amount
	Division
	Amount, After Amount
}

// TaxStep splits the sum of a rate's lines into base and tax. If Exempt is true, the tax is what came off the
// sum: the home rate's, or 0 if prices do not include it.
type TaxStep struct {
	Rate   Percent
	Exempt bool
	// Sum is the sum of this rate's lines after discounts.
	Sum Amount
	Division
	Base, Tax Amount
}

// TotalsStep has the cart's totals. Lines is the sum of the lines without discounts.
type TotalsStep struct {
	Lines, DiscountTotal, Subtotal, TaxTotal, Total Amount
}

// Explain evaluates a cart and records every step. only names the one discount whose shares are listed;
// nil lists all shares, or none if they are more than maxShares. docs/api/discounts.md#explain.
func Explain(c *Cart, s *Store, v Visitor, now time.Time, only *uuid.UUID) *Explanation {
	x := &Explanation{only: only}
	e := Evaluation{trace: x}
	e.Evaluate(c, s, v, now)
	c = e.Cart
	ctx := v.pricing(now)
	for i := range c.Lines {
		l := &c.Lines[i]
		amount, _ := l.UnitPrice.Times(l.Quantity)
		x.Lines = append(x.Lines, LineStep{Line: l, From: l.priceOrigin(s.Product(l.ProductID), ctx),
			Division: divide(int64(l.UnitPrice), big.NewInt(int64(l.Quantity)), big.NewInt(int64(One))), Amount: amount})
	}
	x.Codes = e.explainCodes(ctx)
	for _, group := range e.groups {
		x.Taxes = append(x.Taxes, e.Tax.step(group))
	}
	x.Tax = e.Tax
	x.Totals = TotalsStep{e.DiscountTotal, e.DiscountTotal, e.Subtotal, e.TaxTotal, e.Total}
	for _, left := range e.LineTotals {
		x.Totals.Lines += left
	}
	return x
}

func (t *Taxation) step(row TaxRow) TaxStep {
	step := TaxStep{Rate: row.Rate, Exempt: t.Exemption != NotExempt, Sum: row.Base, Base: row.Base, Tax: row.Tax}
	rate, whole := row.Rate, Hundred
	if t.Included {
		step.Sum += row.Tax
		whole += row.Rate
	} else if step.Exempt {
		rate = 0
	}
	multiply, by := reduced(rate, whole)
	step.Division = divide(int64(step.Sum), multiply, by)
	return step
}

// discount records a discount that is applied next.
func (x *Explanation) discount(d *discounting, r *readyDiscount, applied *AppliedDiscount) {
	step := DiscountStep{Discount: r.Discount, Code: applied.Spelling(), Before: d.left(), Amount: applied.Amount}
	if x.lists(r.Discount, len(d.lineDiscounts)) {
		step.Shares = make([]ShareStep, 0, len(d.lineDiscounts))
		for i := range d.lineDiscounts {
			l := &d.lineDiscounts[i]
			left := d.LineTotals[l.line]
			step.Shares = append(step.Shares, ShareStep{Line: &d.Cart.Lines[l.line], Before: left, Amount: l.amount, After: left - l.amount})
		}
	}
	discountKinds[r.Kind].explain(*d, r, &step)
	x.Discounts = append(x.Discounts, step)
}

// lists reports whether a discount's shares are listed. With the first discount beyond maxShares it
// drops those of all earlier ones.
func (x *Explanation) lists(d *Discount, shares int) bool {
	if x.only != nil {
		return d.ID == *x.only
	}
	if x.shares += shares; x.shares > maxShares {
		for i := range x.Discounts {
			x.Discounts[i].Shares = nil
		}
		return false
	}
	return true
}

func percentStep(a Amount, p Percent) Division {
	multiply, by := reduced(p, Hundred)
	return divide(int64(a), multiply, by)
}

// reduced is a fraction in lowest terms.
func reduced(numerator, denominator Percent) (n, d *big.Int) {
	fraction := big.NewRat(int64(numerator), int64(denominator))
	return fraction.Num(), fraction.Denom()
}

// divide records a division rounded half up.
func divide(of int64, multiply, by *big.Int) Division {
	d := Division{Of: big.NewInt(of), Multiply: multiply, Divide: by, Quotient: new(big.Int), Remainder: new(big.Int)}
	d.Quotient.QuoRem(new(big.Int).Mul(d.Of, multiply), by, d.Remainder)
	if new(big.Int).Add(d.Remainder, d.Remainder).Cmp(by) >= 0 {
		d.Extra = 1
	}
	return d
}

// PriceOrigin is the origin of a line's unit price, found by today's prices.
type PriceOrigin struct {
	Source PriceSource
	// Tier is the minimum quantity of the tier that gave the price; 0 if no tier did.
	Tier Quantity
}

// PriceSource names the field that a price came from: docs/api/discounts.md#explain.
type PriceSource uint8

const (
	// FromStored: no current price equals the line's; the line keeps its own.
	FromStored PriceSource = iota
	FromBase
	FromGroup
	FromTier
	// FromVariant: one of the variant's own prices.
	FromVariant
	FromConfiguration
	// FromPeriod: the price of a period that runs.
	FromPeriod
)

// String returns the source as the API spells it.
func (p PriceSource) String() string {
	return [...]string{"stored", "base", "group", "tier", "variant", "configuration", "period"}[p]
}

// priceOrigin finds the current price of the line's product that equals the line's, among those that
// UnitPrice chooses from. p is nil if the product is gone.
func (l *Line) priceOrigin(p *Product, ctx Pricing) PriceOrigin {
	switch {
	case l.Configuration != nil:
		return l.configuredOrigin()
	case p == nil:
		return PriceOrigin{}
	}
	var variant *Variant
	if l.VariantID != uuid.Nil {
		if variant = p.Variant(l.VariantID); variant == nil {
			return PriceOrigin{}
		}
	}
	prices := pricesOf(p, variant)
	origin := prices.origin(l, ctx)
	if origin.Source != FromStored && prices != &p.Prices {
		origin.Source = FromVariant
	}
	if origin.Source == FromStored && l.hasPeriodPrice(p, variant, ctx) {
		origin.Source = FromPeriod
	}
	return origin
}

// hasPeriodPrice reports whether a running period that counts for the line has its price.
func (l *Line) hasPeriodPrice(p *Product, variant *Variant, ctx Pricing) bool {
	for _, periods := range periodsOf(p, variant) {
		if slices.ContainsFunc(periods, func(period PricePeriod) bool { return period.Price == l.UnitPrice && period.runs(ctx) }) {
			return true
		}
	}
	return false
}

func (l *Line) configuredOrigin() PriceOrigin {
	var sum Amount
	for _, part := range l.Configuration.Breakdown {
		sum += part.Amount
	}
	if sum != l.UnitPrice {
		return PriceOrigin{}
	}
	return PriceOrigin{Source: FromConfiguration}
}

func (p *Prices) origin(l *Line, ctx Pricing) PriceOrigin {
	group, ok := p.group(ctx.GroupID)
	switch {
	case ok && group == l.UnitPrice:
		return PriceOrigin{Source: FromGroup}
	case !ok && p.Base != nil && *p.Base == l.UnitPrice:
		return PriceOrigin{Source: FromBase}
	}
	for i := range p.Tiers {
		if t := &p.Tiers[i]; t.Price == l.UnitPrice && t.reached(ctx, l.Quantity) {
			return PriceOrigin{FromTier, t.MinQuantity}
		}
	}
	return PriceOrigin{}
}

// CheckoutCheck is one reason for which today's checkout would be refused, independent of its body.
type CheckoutCheck struct {
	Message, Code string // Code may be empty
	// LineID is the unavailable line, or the first one that asks for the item of Short; else zero.
	LineID uuid.UUID
	// Short is the item with too little stock; nil for another reason.
	Short *StockShort
}

// CheckoutChecks lists the reasons in the order in which a checkout judges. levels are those of the cart's
// items. docs/api/discounts.md#explain.
func CheckoutChecks(c *Cart, s *Store, v Visitor, now time.Time, levels StockLevels) (all []CheckoutCheck) {
	add := func(r *Refusal) { all = append(all, CheckoutCheck{Message: r.Message, Code: r.Code}) }
	switch {
	case c.Status != CartActive && c.OrderID != uuid.Nil:
		return nil
	case c.Status != CartActive:
		add(NotFound("Cart", c.ID.String()))
		return all
	}
	if s.Closed != nil {
		add(s.Closed)
	}
	if len(c.Lines) == 0 {
		add(&Refusal{Message: MsgRequired("lines").Text()})
	}
	t := evaluateForCheckout(c, s, v, now)
	for i, r := range t.unavailable() {
		add(r)
		all[len(all)-1].LineID = c.Lines[i].ID
	}
	for _, r := range t.refusals() {
		add(r)
	}
	for _, short := range c.Short(s, levels) {
		add(OutOfStock)
		all[len(all)-1].Short, all[len(all)-1].LineID = &short, c.firstAsking(s, &short)
	}
	return all
}

// firstAsking is the first line that asks for an item with too little stock.
func (c *Cart) firstAsking(s *Store, short *StockShort) uuid.UUID {
	item := short.ProductID
	if short.VariantID != uuid.Nil {
		item = short.VariantID
	}
	for i := range c.Lines {
		if slices.ContainsFunc(c.Lines[i].appendAsks(nil, s), func(ask StockAsk) bool { return ask.Item == item }) {
			return c.Lines[i].ID
		}
	}
	return uuid.Nil
}

// StockItems are the stock items of the cart, in their order.
func (c *Cart) StockItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.asks(s) {
		items = append(items, ask.Item)
	}
	return items
}

// WantedItems are the stock items of the lines of a cart in any status, in their order.
func (c *Cart) WantedItems(s *Store) (items []uuid.UUID) {
	for _, ask := range c.wanted(s) {
		items = append(items, ask.Item)
	}
	return items
}
