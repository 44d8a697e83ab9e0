package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
)

// Listings are parts of a store's document that change sets change: two products and a discount each. A set is carried
// out whole or not at all, and the price of a basket at any node is by the sets that were answered.
var Listings = &Kind{
	Name: "listing", Weight: 3, MaxCommands: 60, Absent: unread, Collection: "/v1/api", Single: true,
	Create: findListing, Read: readPrices, Parse: parseListing,
	Commands: []*Command{readPrices, readStock, setPrice, setOtherPrice, setBoth, removeOther, setDiscount, removeListingDiscount, setFaulty},
}

// Listing is what answers show of one. The first product is always in the document, the other one comes and leaves.
type Listing struct {
	// Product is the id of the first product; empty before an answer.
	Product string
	// Prices are in cents; notThere, or notShown by the answer.
	Prices [2]int64
	// Percent is that of the discount; notThere, or notShown.
	Percent int64
	// Stock is that of the other product in thousandths, as an answer shows it. First is its first stock, which counts
	// whenever it comes back; notThere before, and in no answer.
	Stock, First int64
}

// unread is a listing before the first set.
var unread = Listing{Prices: [2]int64{firstPrice, notThere}, Stock: notShown}

const (
	notThere = 0
	notShown = -1
)

// Same compares what both show.
func (l Listing) Same(other State) bool {
	o := other.(Listing)
	return (l.Product == o.Product || l.Product == "") && same(l.Prices[0], o.Prices[0]) && same(l.Prices[1], o.Prices[1]) && same(l.Percent, o.Percent) &&
		same(l.Stock, o.Stock) && same(l.First, o.First)
}

func same(a, b int64) bool { return a == b || a == notShown || b == notShown }

// Shows compares what the answer shows. Its stock is the first one.
func (l Listing) Shows(seen State) (State, bool) {
	return l, l.Same(seen) && (seen.(Listing).Stock == notShown || l.Prices[1] != notThere && seen.(Listing).Stock == l.First)
}

// Partial is true of every answer: it shows prices or the stock.
func (Listing) Partial() bool { return true }

func (l Listing) String() string {
	return fmt.Sprintf("prices %d, discount of %d percent, stock %d (-1: not shown)", l.Prices, l.Percent, l.Stock)
}

const listings = 1500

// The ids and the code of a listing; n is that in the id of its first product.
func listingID(n int64) string { return fmt.Sprintf("ab000000-0000-4000-8000-%012d", n) }

func (l Listing) other() string { return "ac" + l.Product[2:] }

func (l Listing) discount() string { return "6b" + l.Product[2:] }

func (l Listing) code() string { return "LISTING" + l.Product[len(l.Product)-12:] }

// entry is a product's entry of a document.
func (l Listing) entry(id string, price, stock int64) object {
	e := object{"id": id, "name": "Listing", "slug": id, "tax": "standard", "price_amount": price, "track_stock": stock > 0}
	if stock > 0 {
		e["stock"] = thousandths(stock)
	}
	return e
}

func listingDocuments() list {
	var all list
	for n := range int64(listings) {
		all = append(all, Listing{}.entry(listingID(n), firstPrice, 0))
	}
	return all
}

// firstPrice is the price of the first product before the first set.
const firstPrice = 100

// changes are what a set changes; notShown where it changes nothing.
type changes struct {
	prices         [2]int64
	percent, stock int64
}

var noChange = changes{prices: [2]int64{notShown, notShown}, percent: notShown, stock: notShown}

// somePrice is a price of which every percentage is a whole number of cents.
func somePrice(dice *rand.Rand) int64 { return 100 * (1 + dice.Int64N(9_999)) }

// patched is the request of a set.
func (c changes) patched(path string, body object) (Request, bool) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // cannot happen: maps, lists, texts and numbers
	}
	return Request{Method: http.MethodPatch, Path: "/catalog" + path, Body: string(text), Args: c}, true
}

// set makes a row of a command that sends one set.
func set(name string, weight int, make func(dice *rand.Rand, l Listing) (Request, bool)) *Command {
	return &Command{
		Name: name, Weight: weight, Status: http.StatusOK, Apply: changed, Refuses: never,
		Make: func(dice *rand.Rand, seen State) (Request, bool) { return make(dice, seen.(Listing)) },
	}
}

func never(State, Request, int) bool { return false }

func changed(before State, r Request) (State, bool) {
	l, c := before.(Listing), r.Args.(changes)
	for i, price := range c.prices {
		if price != notShown {
			l.Prices[i] = price
		}
	}
	if c.percent != notShown {
		l.Percent = c.percent
	}
	if c.stock != notShown && l.First == notThere {
		l.First = c.stock
	}
	return l, true
}

var setPrice = set("set price", 25, func(dice *rand.Rand, l Listing) (Request, bool) {
	c := noChange
	c.prices[0] = somePrice(dice)
	return c.patched("/products/"+l.Product, object{"price_amount": c.prices[0]})
})

// setOtherPrice is refused while the product is not there.
var setOtherPrice = func() *Command {
	c := set("set the other price", 10, func(dice *rand.Rand, l Listing) (Request, bool) {
		c := noChange
		c.prices[1] = somePrice(dice)
		return c.patched("/products/"+l.other(), object{"price_amount": c.prices[1]})
	})
	c.Apply = func(before State, r Request) (State, bool) {
		after, _ := changed(before, r)
		return after, before.(Listing).Prices[1] != notThere
	}
	c.Refuses = func(s State, _ Request, status int) bool {
		return status == http.StatusNotFound && s.(Listing).Prices[1] == notThere
	}
	return c
}()

// setBoth sets both products, with a stock of the other one that counts if it is the first.
var setBoth = set("set both", 20, func(dice *rand.Rand, l Listing) (Request, bool) {
	c := changes{prices: [2]int64{somePrice(dice), somePrice(dice)}, percent: notShown, stock: 1000 * (5 + dice.Int64N(95))}
	return c.patched("", object{"format": 1, "set": object{"products": list{
		l.entry(l.Product, c.prices[0], 0), l.entry(l.other(), c.prices[1], c.stock),
	}}})
})

// removeOther removes the other product and changes the price of the first one.
var removeOther = set("remove the other", 10, func(dice *rand.Rand, l Listing) (Request, bool) {
	c := changes{prices: [2]int64{somePrice(dice), notThere}, percent: notShown, stock: notShown}
	return c.patched("", object{
		"format": 1, "set": object{"products": list{l.entry(l.Product, c.prices[0], 0)}}, "remove": object{"products": list{l.other()}},
	})
})

var setDiscount = set("set discount", 10, func(dice *rand.Rand, l Listing) (Request, bool) {
	c := noChange
	c.percent = 1 + dice.Int64N(99)
	return c.patched("", object{"format": 1, "set": object{"discounts": list{object{
		"id": l.discount(), "name": "Listing", "kind": "order", "code": l.code(), "value": object{"type": "percent", "percent": fmt.Sprint(c.percent)},
	}}}})
})

var removeListingDiscount = set("remove discount", 5, func(_ *rand.Rand, l Listing) (Request, bool) {
	c := noChange
	c.percent = notThere
	return c.patched("", object{"format": 1, "remove": object{"discounts": list{l.discount()}}})
})

// setFaulty has a right price, and one that no document may have: nothing of it is carried out.
var setFaulty = &Command{
	Name: "faulty set", Weight: 5,
	Make: func(dice *rand.Rand, seen State) (Request, bool) {
		l := seen.(Listing)
		return noChange.patched("", object{"format": 1, "set": object{"products": list{
			l.entry(l.Product, somePrice(dice), 0), l.entry(l.other(), notShown, 0),
		}}})
	},
	Apply:   func(before State, _ Request) (State, bool) { return before, false },
	Refuses: func(_ State, _ Request, status int) bool { return status == http.StatusUnprocessableEntity },
}

// priceOf is the request of the prices of both products, with the code.
func (l Listing) priceOf() Request {
	return Request{Method: http.MethodPost, Path: "/commerce/price", Body: fmt.Sprintf(
		`{"lines":[{"product_id":%q,"quantity":1},{"product_id":%q,"quantity":1}],"discount_codes":[%q]}`, l.Product, l.other(), l.code())}
}

// listed counts the listings that clients have begun.
var listed atomic.Int64

// findListing reads an unused listing.
var findListing = &Command{
	Name: "find listing", Status: http.StatusOK,
	Make: func(*rand.Rand, State) (Request, bool) {
		n := listed.Add(1) - 1
		return Listing{Product: listingID(n)}.priceOf(), n < listings
	},
	Apply:   func(before State, _ Request) (State, bool) { return before, true },
	Refuses: never,
}

// reads is a row of a command that reads a part.
func reads(name string, weight int, request func(Listing) Request) *Command {
	return &Command{
		Name: name, Weight: weight, Reads: true, Status: http.StatusOK,
		Make:    func(_ *rand.Rand, seen State) (Request, bool) { return request(seen.(Listing)), true },
		Apply:   func(before State, _ Request) (State, bool) { return before, true },
		Refuses: never,
	}
}

var readPrices = reads("prices", 30, Listing.priceOf)

var readStock = reads("stock of both", 10, func(l Listing) Request {
	return Request{Method: http.MethodGet, Path: availability + l.Product + "&product_ids[]=" + l.other()}
})

// parseListing reads the prices of a basket, a list of stock, or the answer to a set, which shows nothing of it.
func parseListing(body []byte) (string, State, error) {
	var probe struct {
		Revision string
		Data     json.RawMessage
	}
	if err := json.Unmarshal(body, &probe); err != nil {
		return "", nil, fmt.Errorf("no listing: %w", err)
	}
	switch {
	case probe.Data == nil && probe.Revision != "":
		return "", nil, nil
	case len(probe.Data) > 0 && probe.Data[0] == '[':
		return parseListingStock(probe.Data)
	}
	return parsePrices(probe.Data)
}

func parsePrices(data []byte) (string, State, error) {
	var basket struct {
		Lines []struct {
			ProductID string `json:"product_id"`
			UnitPrice *money `json:"unit_price"`
		}
		Totals struct {
			Discount money `json:"discount_total"`
		}
	}
	if err := json.Unmarshal(data, &basket); err != nil || len(basket.Lines) != 2 {
		return "", nil, fmt.Errorf("no prices of two products: %s, %w", data, err)
	}
	l := Listing{Product: basket.Lines[0].ProductID, Stock: notShown, First: notShown}
	sum := int64(0)
	for i, line := range basket.Lines {
		if line.UnitPrice != nil {
			l.Prices[i] = line.UnitPrice.Amount
			sum += line.UnitPrice.Amount
		}
	}
	if l.Prices[0] == notThere {
		return l.Product, l, fmt.Errorf("%s is always in the document, and has no price: %s", l.Product, data)
	}
	l.Percent = basket.Totals.Discount.Amount * 100 / sum
	if l.Percent*sum != basket.Totals.Discount.Amount*100 {
		return l.Product, l, fmt.Errorf("%s: a discount of %d on %d is no whole percentage", l.Product, basket.Totals.Discount.Amount, sum)
	}
	return l.Product, l, nil
}

func parseListingStock(data []byte) (string, State, error) {
	var rows []stockRow
	if err := json.Unmarshal(data, &rows); err != nil || len(rows) == 0 {
		return "", nil, fmt.Errorf("no stock of a product that is always there: %s, %w", data, err)
	}
	l := Listing{Product: rows[0].ProductID, Prices: [2]int64{notShown, notThere}, Percent: notShown, Stock: notShown, First: notShown}
	if len(rows) == 1 {
		return l.Product, l, nil
	}
	var err error
	l.Prices[1] = notShown
	l.Stock, err = inThousandths(rows[1].Available)
	return l.Product, l, err
}

// ParseExport reads the listings in an exported document, by the ids of their first products.
func ParseExport(text []byte) (map[string]Listing, error) {
	var document struct {
		Products []struct {
			ID    string
			Price int64 `json:"price_amount"`
			Stock json.Number
		}
		Discounts []struct {
			ID    string
			Value struct{ Percent json.Number }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	all := map[string]Listing{}
	change := func(id string, change func(*Listing)) {
		l := all[id]
		change(&l)
		all[id] = l
	}
	for n := range int64(listings) {
		all[listingID(n)] = Listing{Product: listingID(n), Stock: notShown, First: notShown}
	}
	for _, p := range document.Products {
		first := "ab" + p.ID[2:]
		switch p.ID[:2] {
		case "ab":
			change(first, func(l *Listing) { l.Prices[0] = p.Price })
		case "ac":
			stock, err := inThousandths(p.Stock)
			if err != nil {
				return nil, err
			}
			change(first, func(l *Listing) { l.Prices[1], l.Stock = p.Price, stock })
		}
	}
	for _, d := range document.Discounts {
		percent, err := d.Value.Percent.Int64()
		if err != nil {
			return nil, err
		}
		change("ab"+d.ID[2:], func(l *Listing) { l.Percent = percent })
	}
	return all, nil
}
