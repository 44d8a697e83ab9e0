package answers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// dice makes records from a seed. If plain is set, texts, ids and amounts are numbered, so that a reader of an answer sees whose value
// stands where; else they have characters and sizes of all kinds.
type dice struct {
	*rand.Rand
	plain *int64
	fill  fill
}

// fill says whether a record has what it may lack: texts, ids and all that a throw decides.
type fill int

const (
	some fill = iota
	all
	none
)

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1)), nil, some} }

func plainDice(seed uint64, f fill) dice { return dice{rand.New(rand.NewPCG(seed, 1)), new(int64), f} }

// lacks throws whether a record lacks something, once in so many times.
func (d dice) lacks(times int) bool { return d.fill == none || d.fill == some && d.IntN(times) == 0 }

func (d dice) number() int64 { *d.plain++; return *d.plain }

// alphabet are characters that JSON writes in several ways.
var alphabet = []string{"a", "Z", " ", "é", "漢", "😀", `"`, `\`, "/", "<", ">", "&", "'", "\n", "\t", "\b", "\f", "\r", "\x00", "\x1f", "\x7f", "\u0085",
	"\u2028", "\u2029", "\ufeff", "\ufffd"}

func (d dice) text() string {
	switch {
	case d.plain == nil:
		return d.spell(alphabet)
	case d.lacks(5):
		return ""
	}
	return fmt.Sprint("text ", d.number())
}

func (d dice) spell(alphabet []string) (text string) {
	for range d.IntN(6) {
		text += alphabet[d.IntN(len(alphabet))]
	}
	return text
}

func (d dice) texts() []string {
	var list []string
	for range d.IntN(3) {
		list = append(list, d.text())
	}
	return list
}

func (d dice) id() uuid.UUID {
	var id uuid.UUID
	switch {
	case d.lacks(4):
	case d.plain == nil:
		for i := range id {
			id[i] = byte(d.IntN(256))
		}
	default:
		id[15] = byte(d.number())
	}
	return id
}

func (d dice) amount() commerce.Amount {
	if d.plain != nil {
		return commerce.Amount(d.number())
	}
	return commerce.Amount(d.Int64N(int64(commerce.MaxAmount) >> d.IntN(53)))
}

func (d dice) bool() bool { return !d.lacks(2) }

func (d dice) configuration() *commerce.Configuration {
	c := &commerce.Configuration{Choices: d.texts(), MatrixID: d.text(), MatrixName: d.text()}
	for range d.IntN(3) {
		c.Dimensions = append(c.Dimensions, commerce.DimensionValue{Key: fmt.Sprint(len(c.Dimensions), d.text()), Value: d.Int64N(5000) - 10})
		c.Breakdown = append(c.Breakdown, commerce.PricePart{Label: d.text(), Amount: d.amount()})
		c.Components = append(c.Components, commerce.ComponentUse{ProductID: d.id(), Quantity: d.text()})
	}
	return c
}

func (d dice) cart() *commerce.Cart {
	c := &commerce.Cart{ID: d.id(), Status: commerce.CartStatus(d.IntN(3)), Email: d.text()}
	if d.bool() {
		c.Codes = []commerce.AttachedCode{{Code: d.text()}, {Code: d.text()}}[:1+d.IntN(2)]
		c.Metadata = commerce.Metadata{}
	}
	for range d.IntN(3) {
		value := []commerce.Scalar{{IsString: true, Text: d.text()}, {Text: "null"}, {Text: "true"}, {Text: "1.50"}, {Text: "-0e7"}}[d.IntN(5)]
		c.Metadata = append(c.Metadata, commerce.MetadataEntry{Key: fmt.Sprint(len(c.Metadata), d.text()), Value: value})
	}
	for range d.IntN(4) {
		l := commerce.Line{ID: d.id(), ProductID: d.id(), VariantID: d.id(), Name: d.text(), SKU: d.text(),
			Quantity: commerce.Quantity(1 + d.Int64N(int64(commerce.MaxQuantity))), UnitPrice: d.amount()}
		if d.bool() {
			l.Configuration = d.configuration()
		}
		if d.bool() {
			l.Properties = d.properties()
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

// properties are texts of text fields, then those of the front end's own.
func (d dice) properties() *commerce.Properties {
	all := commerce.Properties{}
	for i := range 1 + d.IntN(3) {
		all = append(all, commerce.Property{Key: string(rune('a' + i)), Value: d.text(), Label: "L" + d.text()})
	}
	for i := range d.IntN(3) {
		all = append(all, commerce.Property{Key: "_" + string(rune('a'+i)), Value: d.text()})
	}
	return &all
}

func (d dice) evaluation(c *commerce.Cart) *commerce.Evaluation {
	e := &commerce.Evaluation{Subtotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount(),
		RequiresQuote: d.bool(), QuoteReasons: d.texts(), VATDisplay: d.text()}
	for range c.Codes {
		e.CodeErrors = append(e.CodeErrors, d.text())
	}
	for range c.Lines {
		e.LineTotals = append(e.LineTotals, d.amount())
	}
	for range d.IntN(3) {
		e.Discounts = append(e.Discounts, commerce.AppliedDiscount{Discount: &commerce.Discount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4))}, Amount: d.amount()})
		e.Breakdown = append(e.Breakdown, commerce.TaxRow{Rate: commerce.Percent(d.IntN(1001)) * (commerce.Hundred / 1000), Base: d.amount(), Tax: d.amount()})
	}
	return e
}

func (d dice) store() *commerce.Store {
	s := &commerce.Store{PricesIncludeTax: true}
	s.Policy = commerce.Policy{
		IdentityMode: d.text(), Audience: d.text(), MaxLines: d.IntN(1000), MaxQuantityPerLine: commerce.Quantity(1+d.IntN(99999999)) * commerce.One,
		Pricing: commerce.PricingDisplay{GuestPriceVisibility: d.text(), ShowOriginalPrice: d.bool(), ShowTierTable: d.bool()},
	}
	if d.bool() {
		amount := d.amount()
		s.Policy.MinOrderValue = &amount
	}
	return s
}

func (d dice) taxation() commerce.Taxation {
	if d.bool() {
		return commerce.Taxation{Included: d.bool()}
	}
	return commerce.Taxation{Country: commerce.Country{'D', 'E'}, Exemption: commerce.Exemption(d.IntN(3)), Included: d.bool()}
}

// sold is the stock item of a line that is not made to measure.
func sold(l *commerce.OrderLine) uuid.UUID {
	if l.VariantID != uuid.Nil {
		return l.VariantID
	}
	return l.ProductID
}

// order returns a random order with at least one line.
func (d dice) order() *commerce.Order {
	o := &commerce.Order{
		ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), QuoteID: d.id(), Email: d.text(), Customer: commerce.Binding{ID: d.id()}, CustomerNote: d.text(),
		Reference: d.text(), PlacedAt: noon.Add(time.Duration(d.IntN(1e9)) * time.Millisecond),
		Totals: commerce.OrderTotals{Subtotal: d.amount(), ShippingTotal: d.amount(), TaxTotal: d.amount(), Total: d.amount(), DiscountTotal: d.amount()},
	}
	cart := d.cart()
	o.Metadata = cart.Metadata
	for len(cart.Lines) == 0 {
		cart = d.cart()
	}
	for _, l := range cart.Lines {
		line := commerce.OrderLine{Line: l, Total: d.amount(), TaxRate: commerce.Percent(d.Int64N(int64(commerce.Hundred))),
			Returnable: d.bool(), VariantName: d.text(), Freight: commerce.Freight{RequiresShipping: d.bool()}}
		if days := d.IntN(30); d.bool() {
			line.LeadTimeDays = &days
		}
		o.Lines = append(o.Lines, line)
		o.Discounts = append(o.Discounts, commerce.OrderDiscount{ID: d.id(), Name: d.text(), Code: d.text(),
			Kind: commerce.DiscountKind(d.IntN(4)), Amount: d.amount()})
		o.Totals.Breakdown = append(o.Totals.Breakdown, commerce.TaxRow{Rate: line.TaxRate, Base: d.amount(), Tax: d.amount()})
	}
	for i := range o.Lines {
		if l := &o.Lines[i]; d.IntN(3) == 0 && l.Configuration == nil {
			o.Takes = append(o.Takes, commerce.StockAsk{Item: sold(l)})
		}
	}
	slices.SortFunc(o.Takes, func(a, b commerce.StockAsk) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	for i := range o.Takes {
		if d.bool() {
			o.Ahead = append(o.Ahead, commerce.AheadTake{Take: i, Left: commerce.Micros(d.IntN(5) - 3), From: commerce.Date(d.IntN(2) * (740_000 + d.IntN(1000)))})
		}
	}
	o.Tax, o.VATID = d.taxation(), d.text()
	address := &commerce.Address{ID: d.id(), Type: "work", Label: d.text(), Name: d.text(), Street: d.text(), PostalCode: d.text(), City: d.text(),
		Country: d.text(), Phone: d.text(), Company: d.text(), Region: d.text()}
	if d.bool() {
		o.Shipping, o.ShippingAddress = &commerce.OrderShipping{ID: d.id(), Name: d.text(), Price: d.amount(), PriceWithTax: d.amount(),
			TaxRate: commerce.Percent(d.Int64N(int64(commerce.Hundred)))}, address
	}
	if d.bool() {
		o.BillingAddress = address
	}
	moment := func() (at time.Time) {
		if d.bool() {
			at = noon.Add(time.Duration(d.IntN(1e9)) * time.Millisecond)
		}
		return at
	}
	o.Status, o.Restocked = commerce.OrderStatus(d.IntN(3)), d.bool()
	o.Payment = commerce.Payment{DueAt: moment(), PaidAt: moment(), Reference: d.text()}
	if o.CancelledAt, o.CancelReason = moment(), d.text(); d.bool() {
		o.CancelReason = "unpaid"
	}
	if d.bool() {
		o.DeliveredAt = moment()
		for range 1 + d.IntN(3) {
			o.Parts = append(o.Parts, d.part(o))
		}
	}
	return o
}

// part is a part of a kind with members of all kinds.
func (d dice) part(o *commerce.Order) commerce.Part {
	p := commerce.Part{ID: d.id(), Kind: commerce.PartKind(d.IntN(4)), At: noon, Reference: d.text(), Reason: d.text(), Restocked: d.bool(),
		ShipmentDetails: commerce.ShipmentDetails{Carrier: d.text(), TrackingNumber: d.text(), TrackingURL: d.text()}}
	for i := range o.Lines {
		if d.bool() {
			p.Lines = append(p.Lines, commerce.PartLine{Line: i, Quantity: o.Lines[i].Quantity / 3})
		}
	}
	if p.Kind == commerce.PartRefund {
		p.Shipping, p.Amount = d.bool(), 1+d.amount()
		for range d.IntN(3) {
			p.Taxes = append(p.Taxes, commerce.TaxRow{Rate: o.Lines[0].TaxRate, Base: d.amount(), Tax: d.amount()})
		}
	}
	return p
}

// quote is a quote of a random order.
func (d dice) quote() *commerce.Quote {
	o := d.order()
	q := &commerce.Quote{
		ID: d.id(), Number: d.Int64N(1e6), CartID: d.id(), Customer: o.Customer, Metadata: o.Metadata, Reasons: d.texts(),
		CreatedAt: o.PlacedAt, ValidUntil: o.PlacedAt.Add(time.Hour), OrderID: d.id(), SignerName: d.text(),
		AcceptedAt: o.CancelledAt, DeclinedAt: o.Payment.PaidAt, DeclineReason: d.text(),
		Version: 1 + d.IntN(3), OfferMessage: d.text(), WithdrawReason: d.text(),
	}
	q.Email, q.Name, q.CompanyName, q.Phone, q.Message, q.Reference = d.text(), d.text(), d.text(), d.text(), d.text(), d.text()
	q.Goods.Lines, q.Goods.Discounts = o.Lines, o.Discounts
	q.Tax, q.VATID = o.Tax, o.VATID
	if d.bool() {
		q.ChangeMessage, q.ChangeAt = d.text(), o.PlacedAt.Add(time.Minute)
	}
	return q
}

// configurator is a random configurator.
func (d dice) configurator() *commerce.Configurator {
	c := &commerce.Configurator{}
	for range d.IntN(3) {
		c.Dimensions = append(c.Dimensions, commerce.Dimension{Key: d.text(), Label: d.text(), Unit: "mm", Min: d.Int64N(9), Max: d.Int64N(1e9), Step: d.Int64N(9)})
	}
	for range d.IntN(3) {
		g := commerce.ChoiceGroup{ID: d.text(), Label: d.text(), Required: d.bool(), Multiple: d.bool()}
		for range d.IntN(3) {
			one := commerce.Choice{ID: d.text(), Label: d.text(), Requires: d.texts()}
			one.Price = commerce.ChoicePrice{Kind: commerce.ChoicePriceKind(d.IntN(3)), Amount: d.amount(),
				Percent: commerce.Hundred / 1000 * commerce.Percent(d.IntN(1001))}
			g.Choices = append(g.Choices, one)
		}
		c.Groups = append(c.Groups, g)
	}
	for range d.IntN(3) {
		c.Matrices = append(c.Matrices, commerce.Matrix{ID: d.text(), Name: d.text()})
	}
	return c
}

// configured is a random offer of a product that is made to measure.
func (d dice) configured() *commerce.ConfigurationQuote {
	q := &commerce.ConfigurationQuote{Configured: commerce.Configured{UnitPrice: d.amount(), Snapshot: d.configuration()}, RequiresQuote: d.bool()}
	for i := range q.Snapshot.Hash {
		q.Snapshot.Hash[i] = byte(d.IntN(256))
	}
	return q
}

// contact is a contact of a store with its addresses. Of three contacts one has no group, and one has a group that the store lacks.
func (d dice) contact() (*commerce.Contact, *commerce.Store) {
	c := &commerce.Contact{ID: d.id(), B2B: d.bool(), Email: d.text(), FirstName: d.text(), LastName: d.text(), Phone: d.text(), CompanyName: d.text(),
		RegistrationNumber: d.text(), VATID: d.text(), ReverseCharge: d.bool(), ExternalID: d.text(), CreatedAt: noon.Add(time.Millisecond)}
	store := &commerce.Store{Groups: []commerce.CustomerGroup{{ID: uuid.UUID{1}, Name: d.text()}}}
	c.GroupID = uuid.UUID{byte(d.IntN(3))}
	for range d.IntN(3) {
		c.Addresses = append(c.Addresses, commerce.Address{ID: d.id(), Type: "work", Label: d.text(), IsDefault: d.bool(), Name: d.text(), Street: d.text(),
			PostalCode: d.text(), City: d.text(), Country: "NL", Phone: d.text(), Company: d.text(), Region: d.text()})
	}
	return c, store
}
