package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/shopspring/decimal"
)

// Shelves are products that no cart has and whose stock all clients raise. Every unit of the
// adjustments is counted exactly once.
var Shelves = &Kind{
	Name: "shelf", Weight: 1, MaxCommands: 400, Absent: Shelf{}, Collection: "/v1/api", Single: true,
	Create: findShelf, Read: readShelf, Parse: parseShelf,
	Commands: []*Command{readShelf, raiseStock},
	Ledger: &Ledger{
		Added: func(r Request) (string, int64) { return "stock", r.Args.(int64) },
		Held:  func(s State, _ string) int64 { return s.(Shelf).OnHand },
	},
}

// Shelf is the stock on hand of one product.
type Shelf struct {
	Product string
	OnHand  int64 // thousandths
}

// Same compares everything.
func (s Shelf) Same(other State) bool { return s == other }

// Shows compares everything.
func (s Shelf) Shows(seen State) (State, bool) { return s, s == seen }

func (s Shelf) String() string { return thousandths(s.OnHand) + " on hand" }

const shelves = 500

// shelfID is the id of one of these products.
func shelfID(n int64) string { return fmt.Sprintf("ae000000-0000-4000-8000-%012d", n) }

func shelfDocuments() list {
	var all list
	for n := range int64(shelves) {
		all = append(all, object{"id": shelfID(n), "name": "Shelf", "slug": shelfID(n), "tax": "standard", "unit": "m", "track_stock": true})
	}
	return all
}

// found counts the shelves that clients have begun.
var found atomic.Int64

// availability is the path of the stock of products.
const availability = "/stock/availability?product_ids[]="

// findShelf reads the stock of an unused product.
var findShelf = &Command{
	Name: "find shelf", Status: http.StatusOK,
	Make: func(*rand.Rand, State) (Request, bool) {
		n := found.Add(1) - 1
		return Request{Method: http.MethodGet, Path: availability + shelfID(n), Args: int64(0)}, n < shelves
	},
}

var readShelf = &Command{
	Name: "stock", Weight: 20, Reads: true, Status: http.StatusOK,
	Make: func(_ *rand.Rand, seen State) (Request, bool) {
		return Request{Method: http.MethodGet, Path: availability + seen.(Shelf).Product, Args: int64(0)}, true
	},
}

var raiseStock = &Command{
	Name: "raise stock", Weight: 40, Status: http.StatusCreated,
	Make: func(dice *rand.Rand, seen State) (Request, bool) {
		more := 1 + dice.Int64N(9_999)
		return Request{
			Method: http.MethodPost, Path: "/catalog/stock-adjustments", Args: more,
			Body: fmt.Sprintf(`{"product_id":"%s","quantity":%s,"reason":"counted"}`, seen.(Shelf).Product, thousandths(more)),
		}, true
	},
}

// stockRow is the answer to an adjustment, or a row of the stock list.
type stockRow struct {
	ProductID string      `json:"product_id"`
	OnHand    json.Number `json:"on_hand"`
	Available json.Number `json:"available"`
}

// parseShelf reads an adjustment's answer or a stock list of one product. No cart holds the
// product, so all units on hand are available.
func parseShelf(body []byte) (string, State, error) {
	var answer struct {
		stockRow
		Data []stockRow `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", nil, fmt.Errorf("no stock: %w", err)
	}
	row := answer.stockRow
	if len(answer.Data) == 1 {
		row = answer.Data[0]
		row.OnHand = row.Available
	}
	if row.OnHand != row.Available {
		return "", nil, fmt.Errorf("%s on hand and %s available of a product that no cart has", row.OnHand, row.Available)
	}
	onHand, err := inThousandths(row.OnHand)
	return row.ProductID, Shelf{Product: row.ProductID, OnHand: onHand}, err
}

func inThousandths(n json.Number) (int64, error) {
	d, err := decimal.NewFromString(n.String())
	if err != nil {
		return 0, fmt.Errorf("a quantity of %q: %w", n, err)
	}
	return d.Shift(3).IntPart(), nil
}

// Stocked are the products whose stock carts hold and clients do not adjust.
func Stocked() []Product {
	return slices.DeleteFunc(slices.Clone(Products), func(p Product) bool { return p.Stock == 0 })
}

// Available is the request for the stock of those products, as a cart sees it. Without a cart
// (empty) it is the stock that no cart holds.
func Available(cart string) Request {
	path := "/v1/api/stock/availability?cart_id=" + cart
	for _, p := range Stocked() {
		path += "&product_ids[]=" + p.ID
	}
	return Request{Method: http.MethodGet, Path: path}
}

// ParseAvailable reads the available quantities of those products, in thousandths.
func ParseAvailable(body []byte) (map[string]int64, error) {
	var answer struct {
		Data []stockRow `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("no stock: %w", err)
	}
	available := map[string]int64{}
	for _, row := range answer.Data {
		n, err := inThousandths(row.Available)
		if err != nil {
			return nil, err
		}
		available[row.ProductID] = n
	}
	return available, nil
}
