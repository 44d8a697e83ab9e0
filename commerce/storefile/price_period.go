package storefile

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

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
