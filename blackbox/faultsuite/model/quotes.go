package model

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// The store of the quotes that the merchant writes.
const (
	QuotesStore = "f0000000-0000-4000-8000-000000000005"
	// QuotesKey is the key of shop and merchant, QuotesKeyName its name.
	QuotesKey, QuotesKeyName = "fault-suite-quotes-key", "desk"

	// QuotesPlenty is always in stock: 10.00, from ten pieces on 9.00. QuotesScarce is not: 24.50. QuotesUntracked: 59.00.
	QuotesPlenty    = "a0000000-0000-4000-8000-000000000051"
	QuotesScarce    = "a0000000-0000-4000-8000-000000000052"
	QuotesUntracked = "a0000000-0000-4000-8000-000000000053"
	// QuotesAccount is an account of QuotesGroup, for which QuotesUntracked costs 50.00.
	QuotesAccount = "c0000000-0000-4000-8000-000000000051"
	QuotesGroup   = "90000000-0000-4000-8000-000000000051"
	// QuotesPlentyStock is more than all quotes sell.
	QuotesPlentyStock = 1_000_000
)

// QuotesProducts are the store's products.
var QuotesProducts = []string{QuotesPlenty, QuotesScarce, QuotesUntracked}

// QuotesEvents are the events that the store's receiver gets.
var QuotesEvents = []string{
	"quote.requested", "quote.offered", "quote.withdrawn", "quote.change_requested", "quote.accepted", "quote.declined", "order.placed", "stock.adjusted",
}

// QuotesDocument is the store's document, with the address of its receiver and the stock of QuotesScarce.
func QuotesDocument(receiver string, scarce int) []byte {
	product := func(id, tax string, price int, more object) object {
		all := object{"id": id, "name": id, "slug": id, "tax": tax, "price_amount": price, "requires_shipping": false}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	text, err := json.Marshal(object{
		"format": 1,
		"store": taxByCountry(object{
			"id": QuotesStore, "name": "Quotes", "modules": []string{"commerce", "customers", "sales", "stock"}, "rate_limit_per_minute": noLimit,
			"quotes":   object{"enabled": true, "mode": "reviewed"},
			"webhooks": list{object{"url": receiver, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": QuotesEvents}},
		}),
		"api_keys": list{object{"name": QuotesKeyName, "key": QuotesKey,
			"scopes": []string{"sales:manage", "store:read", "orders:read", "commerce:read", "commerce:write"}}},
		"tax_rates":       rateDocuments(),
		"customer_groups": list{object{"id": QuotesGroup, "name": "Trade"}},
		"customers":       list{object{"id": QuotesAccount, "email": "trade@example.com", "group_id": QuotesGroup}},
		"products": list{
			product(QuotesPlenty, "standard", 1000, object{"track_stock": true, "stock": strconv.Itoa(QuotesPlentyStock),
				"tiers": list{object{"min_quantity": "10", "price_amount": 900}}}),
			product(QuotesScarce, "reduced", 2450, object{"track_stock": true, "stock": strconv.Itoa(scarce)}),
			product(QuotesUntracked, "standard", 5900, object{"group_prices": object{QuotesGroup: 5000}}),
		},
	})
	if err != nil {
		panic(err) // cannot happen: texts and numbers
	}
	return text
}

// QuoteTerms are what a quote promises, or its draft. They are never changed in place.
type QuoteTerms struct {
	Lines []QuoteLine
	// Tenths is the discount on the whole in tenths of a per cent, Amount the one in cents; both 0 for none.
	Tenths, Amount int64
	// Delivery is the price of the fixed delivery, which has the standard rate; -1 without one.
	Delivery int64
	Hold     bool
	// Until is zero for the store's own time.
	Until   time.Time
	Message string
	Country string
}

// QuoteLine is a line of a product, or outside the catalogue, with a rate's code.
type QuoteLine struct {
	ID, Product, Tax string
	Quantity         int64
	// Own is the merchant's price in cents; -1 for the catalogue's.
	Own      int64
	Discount int64
	// Trade means that the catalogue's price is that of QuotesAccount.
	Trade bool
}

// Price is the price that counts.
func (l *QuoteLine) Price() int64 {
	switch {
	case l.Own >= 0:
		return l.Own
	case l.Product == QuotesPlenty && l.Quantity >= 10:
		return 900
	case l.Product == QuotesPlenty:
		return 1000
	case l.Product == QuotesScarce:
		return 2450
	case l.Trade:
		return 5000
	}
	return 5900
}

// code is the code of the line's rate.
func (l *QuoteLine) code() string {
	switch l.Product {
	case "":
		return l.Tax
	case QuotesScarce:
		return "reduced"
	}
	return "standard"
}

// Priced are the terms with every price as the merchant's own, as an offer leaves them.
func (t QuoteTerms) Priced() QuoteTerms {
	t.Lines = slices.Clone(t.Lines)
	for i := range t.Lines {
		t.Lines[i].Own = t.Lines[i].Price()
	}
	return t
}

// For are the terms at the catalogue's prices for QuotesAccount, or for anybody else.
func (t QuoteTerms) For(account bool) QuoteTerms {
	t.Lines = slices.Clone(t.Lines)
	for i := range t.Lines {
		t.Lines[i].Trade = account
	}
	return t
}

// Sold are the terms of a draft that is made of the order of these: each line has its price and its share of all discounts.
func (t QuoteTerms) Sold() QuoteTerms {
	sums := t.Sums()
	sold := QuoteTerms{Lines: t.Priced().Lines, Delivery: -1, Country: t.Country}
	for i := range sold.Lines {
		l := &sold.Lines[i]
		l.ID, l.Discount = "", l.Own*l.Quantity-sums.Lines[i]
	}
	return sold
}

// Pieces are the pieces of a product.
func (t *QuoteTerms) Pieces(product string) (n int64) {
	for i := range t.Lines {
		if t.Lines[i].Product == product {
			n += t.Lines[i].Quantity
		}
	}
	return n
}

// QuoteSums are the amounts of terms, in cents.
type QuoteSums struct {
	// Lines are after all discounts.
	Lines []int64
	// Goods is the total of the lines, Order the one with the delivery.
	Goods, Order int64
	// Taxes are the breakdown of the goods, OrderTaxes that of the order.
	Taxes, OrderTaxes []TaxRow
}

// Sums computes the amounts slowly, as the specification says it.
func (t *QuoteTerms) Sums() (s QuoteSums) {
	sum := int64(0)
	for i := range t.Lines {
		l := &t.Lines[i]
		full := l.Price() * l.Quantity
		s.Lines = append(s.Lines, full-min(l.Discount, full))
		sum += s.Lines[i]
	}
	off := min(t.Amount, sum)
	if t.Tenths > 0 {
		off = halfUp(sum*t.Tenths, 1000)
	}
	if off > 0 {
		s.share(off, sum)
	}
	codes := map[string]int64{}
	for i := range t.Lines {
		codes[t.Lines[i].code()] += s.Lines[i]
	}
	s.Taxes, s.Goods = total(codes, t.Country)
	if t.Delivery >= 0 {
		codes["standard"] += t.Delivery
	}
	s.OrderTaxes, s.Order = total(codes, t.Country)
	return s
}

// share takes a discount off the lines: the largest remainder first, of equal ones the earlier line.
func (s *QuoteSums) share(off, sum int64) {
	left, rests := off, make([]int64, len(s.Lines))
	weights := slices.Clone(s.Lines)
	for i, weight := range weights {
		part := off * weight / sum
		rests[i] = off * weight % sum
		s.Lines[i] -= part
		left -= part
	}
	for ; left > 0; left-- {
		best := slices.Index(rests, slices.Max(rests))
		s.Lines[best]--
		rests[best] = -1
	}
}

// total is the breakdown of amounts by code, and their total.
func total(codes map[string]int64, country string) (rows []TaxRow, sum int64) {
	if country == "" {
		country = home
	}
	rows = Taxes(codes, country, Exemption(country, false))
	for _, row := range rows {
		sum += row.Base + row.Tax
	}
	return rows, sum
}
