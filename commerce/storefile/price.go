package storefile

import (
	"bytes"
	"slices"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// prices reads the price fields that products and variants share.
func (d *document) prices(o object) commerce.Prices {
	return commerce.Prices{
		Base:  optional(o.get("price_amount"), field.amount),
		Group: d.groupPrices(o.get("group_prices")),
		Tiers: list(o.get("tiers"), d.tier),
	}
}

// groupPrices reads the map from customer groups to prices. It returns the prices sorted by the
// groups' ids. A member that is null has no price.
func (d *document) groupPrices(f field) (prices []commerce.GroupPrice) {
	if !f.absent() && f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
	}
	var given register[uuid.UUID]
	for name, value := range f.raw.Members() {
		price := field{r: f.r, raw: value}
		group, ok := d.pricedGroup(price, name)
		if ok {
			given.unique(price, group)
		}
		if value.Kind() != strictjson.Null {
			prices = append(prices, commerce.GroupPrice{GroupID: group, Price: price.amount()})
		}
	}
	slices.SortFunc(prices, func(a, b commerce.GroupPrice) int {
		return bytes.Compare(a.GroupID[:], b.GroupID[:])
	})
	return prices
}

// pricedGroup returns the customer group of a price, false if there is none.
func (d *document) pricedGroup(price field, name string) (uuid.UUID, bool) {
	const wrong = "names no " + aGroup + " by its id"
	group, ok := commerce.ParseID(name)
	switch {
	case !ok || group == uuid.Nil:
		price.misnamed(ofShape, wrong)
	case !d.groups.has(group) && !d.beside.has(aGroup, group):
		d.add(found{at: price.raw.Offset(d.root), kind: ofContent, message: wrong, misnamed: true, dangling: true})
	default:
		return group, true
	}
	return uuid.Nil, false
}

func (d *document) tier(f field) commerce.Tier {
	o := f.object()
	defer o.close()
	return commerce.Tier{
		MinQuantity: o.required("min_quantity").quantity(0),
		Price:       o.required("price_amount").amount(),
		GroupID:     o.get("group_id").reference(d.groups, aGroup),
	}
}
