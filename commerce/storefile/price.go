package storefile

import (
	"bytes"
	"fmt"
	"slices"
	"time"

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
var PriceMembers = field.MemberNames(undatedRows)

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

// periodsRow are the dated prices of a product or a variant.
var periodsRow = field.Optional("price_periods",
	ahead(atMost(listOf(pricePeriod), commerce.MaxPricePeriods, "periods"), func(d *document) { d.ends = map[uuid.UUID]time.Time{} }),
	"Prices from one moment to another, at every quantity; those of one group are ascending and do not overlap. Only of standard products.",
	func(p *commerce.Prices) *[]commerce.PricePeriod { return &p.Periods })

// givenTime is the kind of times that are zero only if they are absent or faulty, and that answers can
// show in UTC.
var givenTime = judged(timestamp.Schema, value.moment)

// moment reads a time of the years 1 to 9999 in UTC. RFC 3339 has no other years for answers.
func (f value) moment() time.Time {
	t := f.end()
	if t.Year() < 1 || t.Year() > 9999 {
		f.mustBe(aTime)
		return time.Time{}
	}
	return t
}

var pricePeriod = objectKind("price_period",
	field.Required("from", givenTime, "The price counts from this moment on.", func(p *commerce.PricePeriod) *time.Time { return &p.From }),
	field.Required("until", givenTime, "The price does not count at this moment any more.", func(p *commerce.PricePeriod) *time.Time { return &p.Until }),
	field.Required("price_amount", amount, "", func(p *commerce.PricePeriod) *commerce.Amount { return &p.Price }),
	field.Optional("group_id", groupID, "null if the price is for everyone.", func(p *commerce.PricePeriod) *uuid.UUID { return &p.GroupID }),
	rule(func(d *document, o value, p *commerce.PricePeriod) {
		if p.From.IsZero() || p.Until.IsZero() { // absent or faulty
			return
		}
		if !p.From.Before(p.Until) {
			o.get("until").conflict("must be after from")
			return
		}
		if p.From.Before(d.ends[p.GroupID]) {
			o.get("from").conflict("must not be before the end of an earlier period of the group")
		}
		d.ends[p.GroupID] = p.Until
		if d.moments == nil {
			d.moments = map[time.Time]bool{}
		}
		d.moments[p.From], d.moments[p.Until] = true, true
	}),
)

// countMoments refuses products with too many different beginnings and ends of price periods. The
// sorted prices of a catalogue move at each of them.
func (d *document) countMoments(products value) {
	if len(d.moments) == 0 {
		return
	}
	d.stored.eachMoment(func(at time.Time) { d.moments[at] = true })
	if n := len(d.moments); n > commerce.MaxPriceMoments && !d.kept {
		d.conflictOf(products, productList, fmt.Sprintf("must have at most %d different moments in price_periods, not %d", commerce.MaxPriceMoments, n))
	}
}
