package storefile

import (
	"strings"

	"cartd/commerce"
)

// discountKinds are in the order of commerce's constants. Spec: discounts.
var discountKinds = []string{"order", "products", "shipping", "bogo"}

func (d *document) discount(f field) commerce.Discount {
	o := f.object()
	defer o.close()
	discount := commerce.Discount{
		ID:         o.required("id").uniqueID(&d.discounts),
		Name:       o.required("name").text(),
		Code:       d.discountCode(o.get("code")),
		Active:     o.get("active").boolean(true),
		StartsAt:   o.get("starts_at").time(),
		EndsAt:     o.get("ends_at").time(),
		MinOrder:   optional(o.get("min_order_amount"), field.amount),
		GroupIDs:   o.get("customer_group_ids").references(d.groups, aGroup),
		UsageLimit: optional(o.get("usage_limit"), field.count),
		Used:       o.get("used").count(),
		ProductIDs: o.get("product_ids").references(d.products, aProduct),
		Value:      discountValue(o.get("value")),
		Buy:        d.bogoBuy(o.get("buy")),
		Get:        d.bogoGet(o.get("get")),
	}
	requireTerms(o, &discount)
	if !discount.StartsAt.IsZero() && !discount.EndsAt.IsZero() && !discount.StartsAt.Before(discount.EndsAt) {
		o.get("ends_at").fault("must be after starts_at")
	}
	return discount
}

// discountCode reads a code; two that differ only in case or surrounding space
// are the same.
func (d *document) discountCode(f field) string {
	code, ok := f.note()
	if !ok {
		return ""
	}
	key := strings.ToLower(strings.TrimSpace(code))
	if key == "" {
		f.fault("must not be empty")
		return ""
	}
	d.discountCodes.claim(f, key)
	return code
}

// requireTerms reads the kind and requires what it needs: buy and get for bogo,
// a value for the others.
func requireTerms(o object, discount *commerce.Discount) {
	kindField := o.required("kind")
	kind, known := kindField.pick(discountKinds)
	discount.Kind = commerce.DiscountKind(kind)
	switch {
	case kindField.absent() || !known:
	case discount.Kind == commerce.DiscountBogo:
		o.required("buy")
		o.required("get")
	default:
		o.required("value")
	}
}

func discountValue(f field) (value commerce.DiscountValue) {
	o := f.object()
	defer o.close()
	switch o.typeName("percent", "fixed") {
	case "percent":
		value.Percent = o.only("percent", "amount").percent(0)
	case "fixed":
		value.Fixed, value.Amount = true, o.only("amount", "percent").amount()
	default:
		o.get("percent").percent(0)
		o.get("amount").amount()
	}
	return value
}

// bogoBuy reads what has to be bought: at least one unit where nothing is said.
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
