package storefile

import (
	"fmt"

	"time"

	"cartd/commerce"
)

// discountKinds has the kinds of package commerce, in its order. Spec: discounts.
var discountKinds = makeForms(false, discountForms()...)

func discountForms() (rows []form) {
	for i, name := range commerce.DiscountKindNames() {
		rows = append(rows, form{name: name, requires: commerce.DiscountKind(i).Requires()})
	}
	return rows
}

// maxAutomatic is the number of active discounts without a code. Every evaluation of a cart looks at
// each of them.
const maxAutomatic = 500

func (d *document) discountList(f field) []commerce.Discount {
	all := list(f, d.discount)
	automatic := 0
	for i := range all {
		if all[i].Active && all[i].Code == "" {
			automatic++
		}
	}
	if automatic > maxAutomatic && !d.kept {
		f.conflict(fmt.Sprintf("must have at most %d active discounts without a code, not %d", maxAutomatic, automatic))
	}
	return all
}

func (d *document) discount(f field) commerce.Discount {
	o := f.object()
	defer o.close()
	discount := commerce.Discount{
		ID:         o.required("id").uniqueID(&d.discounts),
		Name:       o.required("name").name(),
		Code:       d.discountCode(o.get("code")),
		Active:     o.get("active").boolean(true),
		StartsAt:   o.get("starts_at").time(),
		EndsAt:     o.get("ends_at").end(),
		MinOrder:   optional(o.get("min_order_amount"), field.amount),
		GroupIDs:   o.get("customer_group_ids").references(d.groups, aGroup),
		UsageLimit: optional(o.get("usage_limit"), field.count),
		Used:       o.get("used").count(),
		ProductIDs: o.get("product_ids").references(d.products, aProduct),
		Value:      discountValue(o.get("value")),
		Buy:        d.bogoBuy(o.get("buy")),
		Get:        d.bogoGet(o.get("get")),
	}
	kind := o.form(o.required("kind"), discountKinds)
	discount.Kind = commerce.DiscountKind(kind)
	if !discount.StartsAt.IsZero() && !discount.EndsAt.IsZero() && !discount.StartsAt.Before(discount.EndsAt) {
		o.get("ends_at").conflict("must be after starts_at")
	}
	return discount
}

// end reads the end of a period. In commerce the zero time means "never", so a given zero time
// becomes a moment later.
func (f field) end() time.Time {
	t := f.time()
	if t.IsZero() && !f.absent() {
		if _, ok := commerce.ParseTime(f.raw.Text()); ok {
			return t.Add(1)
		}
	}
	return t
}

// discountCode reads a code. Two codes that differ only in case or surrounding space are the same.
func (d *document) discountCode(f field) string {
	code, ok := f.str()
	if !ok {
		return ""
	}
	key := commerce.CodeKey(code)
	if key == "" {
		f.fault("must not be empty")
		return ""
	}
	f.judgeVerbatim(code)
	d.discountCodes.unique(f, key)
	return code
}

// discountValues has the order of the constants for percent and fixed.
var discountValues = makeForms(false,
	form{name: "percent", requires: []string{"percent"}, refuses: []string{"amount"}, because: notOfType},
	form{name: "fixed", requires: []string{"amount"}, refuses: []string{"percent"}, because: notOfType},
)

func discountValue(f field) commerce.DiscountValue {
	o := f.object()
	defer o.close()
	kind := o.form(o.required("type"), discountValues)
	return commerce.DiscountValue{
		Fixed:   kind == 1,
		Percent: o.get("percent").percent(0),
		Amount:  o.get("amount").amount(),
	}
}

// bogoBuy reads the products to buy and their quantity, one unit if it is absent.
func (d *document) bogoBuy(f field) commerce.BogoBuy {
	o := f.object()
	defer o.close()
	return commerce.BogoBuy{
		ProductIDs:  o.get("product_ids").references(d.products, aProduct),
		MinQuantity: o.get("min_quantity").quantity(commerce.One),
	}
}

func (d *document) bogoGet(f field) commerce.BogoGet {
	o := f.object()
	defer o.close()
	return commerce.BogoGet{
		ProductIDs: o.get("product_ids").references(d.products, aProduct),
		Quantity:   o.get("quantity").quantity(commerce.One),
		Percent:    o.get("percent").percent(commerce.Hundred),
	}
}
