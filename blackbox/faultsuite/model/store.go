package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"

	"github.com/google/uuid"
)

// Product is one product of the suite's store, with the fields that recompute a cart.
type Product struct {
	ID, Name string
	Tax      string // the code of its rate
	Whole    bool   // sold by the piece
	// Tiers are unit prices in cents from a quantity (thousandths) on. The first tier starts at 0.
	Tiers []Tier
	// Stock is the stock on hand (thousandths), less than all carts together ask for; 0 if the
	// product has no stock.
	Stock int64
	// Ahead is how much of it is sold ahead of the stock (thousandths), as the limit of its back order.
	Ahead int64
	// Pack is the product's quantity_step and min_quantity (thousandths); 0 if it has none.
	Pack int64
}

// Tier is a unit price from a quantity on.
type Tier struct{ From, Price int64 }

// Products are the suite's products.
var Products = []Product{
	{ID: "a0000000-0000-4000-8000-000000000001", Name: "Hammer", Tax: "standard", Whole: true, Tiers: []Tier{{0, 1999}}, Stock: 200_000, Ahead: 100_000},
	{ID: "a0000000-0000-4000-8000-000000000002", Name: "Nails", Tax: "standard", Whole: true, Tiers: []Tier{{0, 500}, {10_000, 450}, {50_000, 400}}},
	{ID: "a0000000-0000-4000-8000-000000000003", Name: "Cable", Tax: "reduced", Tiers: []Tier{{0, 333}}, Stock: 9_000_000_000},
	{ID: "a0000000-0000-4000-8000-000000000004", Name: "Paper", Tax: "reduced", Whole: true, Tiers: []Tier{{0, 1090}, {25_000, 905}}, Pack: 5_000},
}

// MaxQuantity is the store's max_quantity_per_line.
const MaxQuantity = 100_000

// The stores of the suite and their keys. Narrow serves the check of the request limit only.
const (
	StoreKey  = "fault-suite-key"
	NarrowKey = "fault-suite-narrow-key"
	// NarrowLimit is the narrow store's request limit a minute.
	NarrowLimit = 40

	// StoreID is the id of the store of StoreKey.
	StoreID  = "f0000000-0000-4000-8000-000000000001"
	narrowID = "f0000000-0000-4000-8000-000000000002"
	noLimit  = 2_000_000_000
)

// NarrowCarts matches the keys of the narrow store's carts.
const NarrowCarts = "{" + narrowID + "}:cart:*"

// NarrowEntries matches the keys of the narrow store's idempotency entries.
const NarrowEntries = "{" + narrowID + "}:once:*"

// NarrowEntry is the key of the entry that a creation of a cart leaves.
func NarrowEntry(idempotencyKey string) string {
	id := uuid.MustParse(narrowID)
	sum := sha256.Sum256(append(append(id[:], 0), idempotencyKey...))
	return "{" + narrowID + "}:once:" + hex.EncodeToString(sum[:16])
}

// unitPrice is the price in cents of one unit at a quantity.
func (p *Product) unitPrice(quantity int64) int64 {
	price := p.Tiers[0].Price
	for _, t := range p.Tiers {
		if quantity >= t.From {
			price = min(price, t.Price)
		}
	}
	return price
}

// someQuantity is a quantity to add, one of many, so that adds lead to different states.
func (p *Product) someQuantity(dice *rand.Rand) int64 {
	if p.Pack > 0 {
		return p.Pack * (1 + dice.Int64N(6))
	}
	if p.Whole {
		return 1000 * (1 + dice.Int64N(30))
	}
	return 1 + dice.Int64N(20_000)
}

// product finds a product by its id; nil if the suite has none.
func product(id string) *Product {
	for i := range Products {
		if Products[i].ID == id {
			return &Products[i]
		}
	}
	return nil
}

// object and list are JSON values.
type (
	object = map[string]any
	list   = []any
)

// Documents are the store documents of both stores.
func Documents() [][]byte {
	return [][]byte{
		document(StoreID, StoreKey, noLimit, contactDocuments(), "catalog:manage"),
		document(narrowID, NarrowKey, NarrowLimit, nil),
	}
}

// document is a store's document. more are further scopes of its key.
func document(id, key string, limit int, customers list, more ...string) []byte {
	var products list
	for i := range Products {
		products = append(products, Products[i].document())
	}
	products = append(append(products, shelfDocuments()...), listingDocuments()...)
	text, err := json.Marshal(object{
		"format": 1,
		"store": taxByCountry(object{
			"id": id, "name": "Fault suite", "modules": list{"catalog", "commerce", "customers", "stock"},
			"rate_limit_per_minute": limit, "policy": object{"max_quantity_per_line": MaxQuantity},
		}),
		"api_keys": list{object{"name": "suite", "key": key, "scopes": append([]string{
			"commerce:read", "commerce:write", "contacts:read", "contacts:write", "catalog:read", "catalog:write"}, more...)}},
		"tax_rates": rateDocuments(),
		"products":  products,
		"customers": customers,
	})
	if err != nil {
		panic(err) // cannot happen: maps, lists, texts and numbers
	}
	return text
}

func (p *Product) document() object {
	unit := "m"
	if p.Whole {
		unit = "piece"
	}
	tiers := list{}
	for _, t := range p.Tiers[1:] {
		tiers = append(tiers, object{"min_quantity": thousandths(t.From), "price_amount": t.Price})
	}
	var pack any
	if p.Pack > 0 {
		pack = thousandths(p.Pack)
	}
	var backorder any
	if p.Ahead > 0 {
		backorder = object{"limit": thousandths(p.Ahead)}
	}
	return object{
		"id": p.ID, "name": p.Name, "slug": p.Name, "unit": unit, "tax": p.Tax,
		"price_amount": p.Tiers[0].Price, "tiers": tiers,
		"track_stock": p.Stock > 0, "stock": thousandths(p.Stock), "min_quantity": pack, "quantity_step": pack, "backorder": backorder,
	}
}
