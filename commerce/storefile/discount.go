package storefile

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// discountKinds has the kinds of package commerce, in its order. Spec: discounts.
var discountKinds = makeForms(false, discountForms()...)

func discountForms() (rows []form) {
	for i, name := range commerce.DiscountKindNames() {
		kind := commerce.DiscountKind(i)
		form := form{name: name, requires: kind.Requires(), refuses: others(kind.Refuses()...)}
		if kind.OfDelivery() {
			form.refuses = append(form.refuses, refused{members: []string{"exclusive"}, because: "is only for discounts on the goods", unless: isFalse})
		}
		rows = append(rows, form)
	}
	return rows
}

// The numbers of active discounts without a code, and of exclusive ones among them. Every evaluation of a cart
// looks at each of them.
const (
	maxAutomatic = 500
	maxExclusive = 10
)

// maxCustomerLimit is the maximum of usage_limit_per_customer.
const maxCustomerLimit = 1_000_000

var discounts = then(listOf(discount), func(d *document, f value, all *[]commerce.Discount) {
	automatic, exclusive := 0, 0
	for _, discount := range d.stored.withDiscounts(*all) {
		if !discount.Active || !discount.Automatic() {
			continue
		}
		if automatic++; discount.Exclusive {
			exclusive++
		}
	}
	if automatic > maxAutomatic && !d.kept {
		d.conflictOf(f, discountList, fmt.Sprintf("must have at most %d active discounts without a code, not %d", maxAutomatic, automatic))
	}
	if exclusive > maxExclusive && !d.kept {
		d.conflictOf(f, discountList, fmt.Sprintf("must have at most %d active exclusive discounts without a code, not %d", maxExclusive, exclusive))
	}
})

var discount = objectKind("discount",
	field.Required("id", then(uniqueID(func(d *document) *register[uuid.UUID] { return &d.discounts }),
		func(d *document, _ value, id *uuid.UUID) { d.discount = *id }), "", func(d *commerce.Discount) *uuid.UUID { return &d.ID }),
	field.Required("name", name, "", func(d *commerce.Discount) *string { return &d.Name }),
	field.Optional("code", discountCode, "With neither code nor code_batches it applies by itself.", func(d *commerce.Discount) *string { return &d.Code }),
	field.Optional("code_batches", codeBatches, "Batches of codes, beside code or in its place.",
		func(d *commerce.Discount) *[]commerce.CodeBatch { return &d.CodeBatches }),
	field.Optional("active", boolean(true), "", func(d *commerce.Discount) *bool { return &d.Active }),
	field.Optional("exclusive", boolean(false), "It applies alone on the goods, or not at all; not of kind shipping.",
		func(d *commerce.Discount) *bool { return &d.Exclusive }),
	field.Optional("starts_at", timestamp, "", func(d *commerce.Discount) *time.Time { return &d.StartsAt }),
	field.Optional("ends_at", givenTime, "", func(d *commerce.Discount) *time.Time { return &d.EndsAt }),
	field.Optional("min_order_amount", field.Pointer(amount), "", func(d *commerce.Discount) **commerce.Amount { return &d.MinOrder }),
	field.Optional("customer_group_ids", listOf(groupID), "Empty if it is for everyone.", func(d *commerce.Discount) *[]uuid.UUID { return &d.GroupIDs }),
	field.Optional("usage_limit", field.Pointer(count), "The number of orders that may use it.", func(d *commerce.Discount) **int64 { return &d.UsageLimit }),
	field.Optional("used", marked(zero(count, 0), currentUses), "The number of orders that used it; counts only for a discount that has none yet.",
		func(d *commerce.Discount) *int64 { return &d.Used }),
	field.Optional("usage_limit_per_customer", field.Pointer(whole[int64](1, maxCustomerLimit)), "The number of orders of one customer that may use it.",
		func(d *commerce.Discount) **int64 { return &d.CustomerLimit }),
	field.Of(rangeRows, func(d *commerce.Discount) *commerce.ProductRange { return &d.ProductRange }),
	field.Optional("value", discountValue, "", func(d *commerce.Discount) *commerce.DiscountValue { return &d.Value }),
	field.Optional("buy", bogoBuy, "", func(d *commerce.Discount) *commerce.BogoBuy { return &d.Buy }),
	field.Optional("get", bogoGet, "", func(d *commerce.Discount) *commerce.BogoGet { return &d.Get }),
	describedRequired[commerce.Discount]("kind", picked[commerce.DiscountKind](discountKinds.names), ""),
	formed("kind", discountKinds, func(d *commerce.Discount, form int) { d.Kind = commerce.DiscountKind(form) }),
	rule(func(_ *document, o value, d *commerce.Discount) {
		if d.CustomerLimit != nil && d.Automatic() {
			o.get("usage_limit_per_customer").conflict("is for a discount with codes")
		}
		if !d.StartsAt.IsZero() && !d.EndsAt.IsZero() && !d.StartsAt.Before(d.EndsAt) {
			o.get("ends_at").conflict("must be after starts_at")
		}
	}),
)

// end reads the end of a period. In commerce the zero time means "never", so a given zero time
// becomes a moment later.
func (f value) end() time.Time {
	t := f.time()
	if t.IsZero() && !f.absent() {
		if _, ok := commerce.ParseTime(f.raw.Text()); ok {
			return t.Add(1)
		}
	}
	return t
}

var discountCode = known(openapi.Text.Pattern(notBlank, withoutNUL).About("a text of more than white space"), (*document).discountCode)

// discountCode reads a code. Two codes that differ only in case or surrounding space are the same.
func (d *document) discountCode(f value) string {
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
	form{name: "percent", requires: []string{"percent"}, refuses: others("amount")},
	form{name: "fixed", requires: []string{"amount"}, refuses: others("percent")},
)

var discountValue = objectKind("discount_value",
	describedRequired[commerce.DiscountValue]("type", picked[int](discountValues.names), ""),
	formed("type", discountValues, func(v *commerce.DiscountValue, form int) { v.Fixed = form == 1 }),
	field.Optional("percent", percentage, "", func(v *commerce.DiscountValue) *commerce.Percent { return &v.Percent }),
	field.Optional("amount", amount, "", func(v *commerce.DiscountValue) *commerce.Amount { return &v.Amount }),
)

// bogoBuy are the products to buy and their quantity.
var bogoBuy = objectKind("bogo_buy", field.Of(rangeRows, func(b *commerce.BogoBuy) *commerce.ProductRange { return &b.ProductRange }),
	field.Optional("min_quantity", field.Default(quantity, commerce.One, commerce.One.String()), "",
		func(b *commerce.BogoBuy) *commerce.Quantity { return &b.MinQuantity }),
)

var bogoGet = objectKind("bogo_get", field.Of(rangeRows, func(g *commerce.BogoGet) *commerce.ProductRange { return &g.ProductRange }),
	field.Optional("quantity", field.Default(quantity, commerce.One, commerce.One.String()), "",
		func(g *commerce.BogoGet) *commerce.Quantity { return &g.Quantity }),
	field.Optional("percent", field.Default(percentage, commerce.Hundred, commerce.Hundred.String()), "",
		func(g *commerce.BogoGet) *commerce.Percent { return &g.Percent }),
)

// codeBatches are the batches of codes of a discount.
var codeBatches = ahead(atMost(filled(listOf(codeBatch)), commerce.MaxCodeBatches, "code batches"), func(d *document) { d.batchNumbers = register[int]{} })

var codeBatch = objectKind("code_batch",
	field.Required("number", batchNumber, "Unique in the discount, and never used again for other codes.", func(b *commerce.CodeBatch) *int { return &b.Number }),
	field.Required("prefix", batchPrefix, `Unique in the document without "-".`, func(b *commerce.CodeBatch) *string { return &b.Prefix }),
	describedRequired[commerce.CodeBatch]("secret", signingKey, ""),
	rule(readBatchSecret),
	field.Optional("active", boolean(true), "", func(b *commerce.CodeBatch) *bool { return &b.Active }),
	field.Optional("uses", wholeOr[int64](1, commerce.MaxBatchUses, 1, 1), "The number of orders that may use each code.",
		func(b *commerce.CodeBatch) *int64 { return &b.Uses }),
)

// batchNumber is the kind of numbers that are unique in a discount.
var batchNumber = known(openapi.Integer.Min(0).Max(commerce.MaxBatchNumber), func(d *document, f value) int {
	n, ok := f.within(0, commerce.MaxBatchNumber)
	if ok {
		d.batchNumbers.unique(f, int(n))
	}
	return int(n)
})

// aBatchPrefix describes the prefixes of codes.
var aBatchPrefix = fmt.Sprintf(`1 to %d of A–Z, 0–9 and "-"`, commerce.MaxBatchPrefix)

// batchPrefix is the kind of prefixes. Two that differ only in "-" are the same.
var batchPrefix = known(openapi.Text.Pattern(fmt.Sprintf(`^[A-Z0-9-]{1,%d}$`, commerce.MaxBatchPrefix)).About(aBatchPrefix),
	func(d *document, f value) string {
		prefix, ok := f.str()
		if !ok {
			return ""
		}
		if !commerce.IsBatchPrefix(prefix) {
			f.mustBe(aBatchPrefix)
			return ""
		}
		d.batchPrefixes.unique(f, commerce.BatchPrefixKey(prefix))
		return prefix
	})

// readBatchSecret reads the secret of a batch. A batch of a change set keeps the secret that the store has for its number.
func readBatchSecret(d *document, o value, b *commerce.CodeBatch) {
	secret := o.get("secret")
	if kept := d.stored.batch(d.discount, b.Number); secret.absent() && kept != nil && !o.get("number").absent() {
		b.Secret = kept.Secret
		if d.secrets == nil {
			d.secrets = map[*byte]string{}
		}
		d.secrets[&o.raw[0]] = secretText(kept.Secret)
		return
	}
	signingKey.Read(o.required("secret"), &b.Secret)
}

// BatchRule reports whether a batch has another secret than its number had in an earlier document.
type BatchRule func(*commerce.Discount, *commerce.CodeBatch) bool

// secretDiffers is the fault of a batch that has another secret than its number had.
const secretDiffers = "is not the secret that the number had before: give the new codes another number"

// BatchedDiscounts are the discounts with batches of codes in the text of a page or of a document.
func BatchedDiscounts(text []byte) (ids []uuid.UUID, err error) {
	root, err := strictjson.Parse(text)
	if err != nil {
		return nil, err
	}
	discounts, _ := root.Get(discountList)
	for _, discount := range discounts.Items() {
		batches, _ := discount.Get("code_batches")
		if batches.Len() == 0 {
			continue
		}
		text, _ := discount.Get("id")
		if id, ok := commerce.ParseID(text.Text()); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// The numbers of categories and of excluded products that one range of products may name.
const (
	maxRangeCategories = 200
	maxExcluded        = 1000
)

// rangeRows are the members that choose the products of a discount, or those to buy and to get.
var rangeRows = []row[*commerce.ProductRange]{
	field.Optional("product_ids", listOf(productID), "", func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ProductIDs }),
	field.Optional("category_ids", atMost(listOf(categoryID), maxRangeCategories, "categories"),
		"The products of these categories and of all below them, beside those of product_ids; every product if both are empty.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.CategoryIDs }),
	field.Optional("excluded_product_ids", atMost(listOf(productID), maxExcluded, "products"), "Never these.",
		func(r *commerce.ProductRange) *[]uuid.UUID { return &r.ExcludedIDs }),
}
