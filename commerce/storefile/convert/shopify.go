package convert

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// noOptions is the value of Shopify's option Title of a product without variants.
const noOptions = "Default Title"

const (
	maxAttributeText = 255
	maxAttributeList = 20
)

// Shopify adds the products of Shopify's product export (Products, Export, CSV). The rows of one
// product have one Handle; the first has the product, further ones a variant or a picture. Errors: of
// a table that is no CSV, or lacks the column Handle.
func (d *Document) Shopify(file string, data []byte) error {
	d.file = file
	lacking := false
	s := &shopify{Document: d, gone: map[string]bool{}, options: map[string][]string{}}
	err := read(data, func(columns []string, r *row) {
		if lacking = !hasColumn(columns, "Handle"); !lacking {
			s.row(columns, r)
		}
	})
	if lacking {
		err = errors.New("it has no column Handle: give Shopify's own product export")
	}
	return wrapped(file, err)
}

// shopify reads one export.
type shopify struct {
	*Document
	// gone are the products that were left out. options are the names of each product's options, which
	// stand in its first row.
	gone    map[string]bool
	options map[string][]string
}

func (s *shopify) row(columns []string, r *row) {
	handle := r.get("Handle")
	switch {
	case handle == "":
		s.note(r.line, "the row was left out: Handle is empty")
		return
	case s.gone[handle]:
		return
	case strings.EqualFold(r.get("Gift Card"), "true"):
		s.gone[handle] = true
		s.note(r.line, "the product %q was left out: it is a gift card", handle)
		return
	}
	p, isNew := s.product(handle)
	if isNew {
		s.first(p, handle, r)
	}
	s.picture(p, r)
	if r.get("Option1 Value") != "" {
		s.goods(p, handle, r)
	}
	for _, silent := range []string{"Image Position", "Variant Weight Unit", "Variant Inventory Policy", "Variant Fulfillment Service", "Option2 Value", "Option3 Value", "Published", "Status", "Variant Grams", "Variant Taxable", "Variant Requires Shipping"} {
		r.get(silent)
	}
	if left := r.left(columns); len(left) > 0 {
		s.note(r.line, "not taken over: %s", strings.Join(left, ", "))
	}
}

// first reads the cells of a product's first row.
func (s *shopify) first(p *product, handle string, r *row) {
	if p.Name = r.get("Title"); p.Name == "" {
		p.Name = handle
	}
	p.Description = r.get("Body (HTML)")
	status, published := strings.ToLower(r.get("Status")), strings.ToLower(r.get("Published"))
	p.Active = published != "false" && (status == "" || status == "active")
	p.attribute("Brand", r.get("Vendor"))
	s.tags(p, r)
	for _, path := range []string{r.get("Product Category"), r.get("Type")} {
		if c := s.categoryOf(path); c != nil && !slices.Contains(p.CategoryIDs, c.ID) {
			p.CategoryIDs = append(p.CategoryIDs, c.ID)
		}
	}
	p.Tax = s.taxCode(s.Document.options.Tax)
	if strings.EqualFold(r.get("Variant Taxable"), "false") {
		p.Tax = s.taxCode("0")
	}
	p.RequiresShipping = !strings.EqualFold(r.get("Variant Requires Shipping"), "false")
	for n := 1; n <= 3; n++ {
		s.options[handle] = append(s.options[handle], r.get(fmt.Sprintf("Option%d Name", n)))
	}
}

// tags makes an attribute of the product's tags.
func (s *shopify) tags(p *product, r *row) {
	var tags []string
	for _, tag := range strings.Split(r.get("Tags"), ",") {
		if tag = strings.TrimSpace(tag); tag != "" && len(tag) <= maxAttributeText {
			tags = append(tags, tag)
		}
	}
	if len(tags) > maxAttributeList {
		s.note(r.line, "only the first %d of %d tags were taken over", maxAttributeList, len(tags))
		tags = tags[:maxAttributeList]
	}
	if tags == nil {
		return
	}
	p.attribute("Tags", "all")
	p.Attributes["Tags"] = tags
}

// picture adds the row's picture, at its position.
func (s *shopify) picture(p *product, r *row) {
	m, ok := mediumOf(r.get("Image Src"), r.get("Image Alt Text"))
	if !ok {
		return
	}
	at := len(p.Media)
	if n, err := strconv.Atoi(r.get("Image Position")); err == nil && n >= 1 {
		at = min(at, n-1)
	}
	p.Media = slices.Insert(p.Media, at, m)
}

func mediumOf(url, alt string) (medium, bool) {
	m := medium{URL: url}
	if alt != "" {
		m.Alt = &alt
	}
	return m, url != ""
}

// goods reads the cells of a variant, or of a product without variants.
func (s *shopify) goods(p *product, handle string, r *row) {
	var values []string
	for n := 1; n <= 3; n++ {
		if value := r.get(fmt.Sprintf("Option%d Value", n)); value != "" {
			values = append(values, value)
		}
	}
	to := &p.goods
	if len(values) != 1 || values[0] != noOptions {
		name := strings.Join(values, " / ")
		if p.hasVariant(name) {
			s.note(r.line, "the variant was left out: the product has %q already", name)
			return
		}
		to = s.variant(p, handle, name)
		for i, value := range values {
			to.attribute(s.options[handle][i], value)
		}
		if m, ok := mediumOf(r.get("Variant Image"), ""); ok {
			to.Media = []medium{m}
		}
	}
	to.SKU = strings.TrimPrefix(r.get("Variant SKU"), "'") // a quote that keeps spreadsheets from reading a number
	s.price(to, r, "Variant Price")
	s.weight(to, r, "Variant Grams")
	if barcode := strings.TrimPrefix(r.get("Variant Barcode"), "'"); barcode != "" {
		to.Metadata = map[string]any{"barcode": barcode}
	}
	quantity := r.get("Variant Inventory Qty")
	if r.get("Variant Inventory Tracker") == "" {
		return
	}
	if strings.HasPrefix(quantity, "-") {
		s.note(r.line, "the stock %s is below 0: it counts as 0", quantity)
		quantity = "0"
	}
	if quantity == "" {
		quantity = "0"
	}
	s.stock(p, to, r, quantity)
	if strings.EqualFold(r.get("Variant Inventory Policy"), "continue") {
		s.note(r.line, "it may be sold beyond its stock there; here a checkout without stock is refused")
	}
}
