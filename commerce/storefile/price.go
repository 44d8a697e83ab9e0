package storefile

import (
	"bytes"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// priceRows are the members that products and variants share.
var priceRows = append(slices.Clip(undatedRows), periodsRow)

// undatedRows are the members whose prices count at any time.
var undatedRows = []row[*commerce.Prices]{
	field.Optional("price_amount", field.Pointer(amount), "null if there is no base price.", func(p *commerce.Prices) **commerce.Amount { return &p.Base }),
	field.Optional("group_prices", groupPrices, "By the id of a customer group; takes the place of price_amount for that group.",
		func(p *commerce.Prices) *[]commerce.GroupPrice { return &p.Group }),
	field.Optional("tiers", listOf(tier), "", func(p *commerce.Prices) *[]commerce.Tier { return &p.Tiers }),
}

// PriceMembers are the members that give a product or a variant a price of its own, at any time.
var PriceMembers = field.Names(undatedRows)

var groupPrices = known(openapi.Map(amount.Schema.OrNull()).Names(anID.Schema).Definition("group_prices"), (*document).groupPrices)

var tier = objectKind("tier",
	field.Required("min_quantity", quantity, "", func(t *commerce.Tier) *commerce.Quantity { return &t.MinQuantity }),
	field.Required("price_amount", amount, "", func(t *commerce.Tier) *commerce.Amount { return &t.Price }),
	field.Optional("group_id", groupID, "null if the price is for everyone.", func(t *commerce.Tier) *uuid.UUID { return &t.GroupID }),
)

// groupPrices reads the map from customer groups to prices. It returns the prices sorted by the
// groups' ids. A member that is null has no price.
func (d *document) groupPrices(f value) (prices []commerce.GroupPrice) {
	if !f.absent() && f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
	}
	var given register[uuid.UUID]
	for name, raw := range f.raw.Members() {
		price := value{d: f.d, raw: raw}
		group, ok := d.pricedGroup(price, name)
		if ok {
			given.unique(price, group)
		}
		if raw.Kind() != strictjson.Null {
			prices = append(prices, commerce.GroupPrice{GroupID: group, Price: price.amount()})
		}
	}
	slices.SortFunc(prices, func(a, b commerce.GroupPrice) int {
		return bytes.Compare(a.GroupID[:], b.GroupID[:])
	})
	return prices
}

// pricedGroup returns the customer group of a price, false if there is none.
func (d *document) pricedGroup(price value, name string) (uuid.UUID, bool) {
	const wrong = "names no " + aGroup + " by its id"
	group, ok := commerce.ParseID(name)
	switch {
	case !ok || group == uuid.Nil:
		price.misnamed(ofShape, wrong)
	case price.raw.Kind() == strictjson.Null: // it is no price, and may name a group that is gone
	case !d.page && !d.groups.has(group):
		d.add(found{at: price.raw.Offset(d.root), kind: ofContent, message: wrong, misnamed: true})
	default:
		return group, true
	}
	return uuid.Nil, false
}
