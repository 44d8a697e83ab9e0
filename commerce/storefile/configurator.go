package storefile

import (
	"fmt"

	"github.com/google/uuid"

	"cartd/commerce"
)

const (
	// maxLength bounds dimensions and breaks, in millimetres: a thousand kilometres.
	maxLength = 1_000_000_000
	// maxComponents is the number of different products that a configuration may use.
	maxComponents = 50
	// maxChoices is the number of choices that all groups of a product may have together. The time
	// to follow their requires grows with the square of this number.
	maxChoices = 1000
)

// configurator reads the configurator of one product.
type configurator struct {
	*document
	dimensions, groups, choices, matrices register[string]
	count                                 int // the number of choices
}

// configurator reads a product's configurator, nil if it is absent.
func (d *document) configurator(f field) *commerce.Configurator {
	if f.absent() {
		return nil
	}
	c := configurator{document: d}
	return c.read(f)
}

func (c *configurator) read(f field) *commerce.Configurator {
	o := f.object()
	defer o.close()
	dimensions, groups := o.get("dimensions"), o.get("groups")
	read := &commerce.Configurator{
		Dimensions: list(dimensions, c.dimension),
		Groups:     list(groups, c.choiceGroup),
		Matrices:   list(o.get("matrices"), c.matrix),
		Components: list(o.get("components"), c.component),
	}
	if c.count > maxChoices {
		groups.conflict(fmt.Sprintf("must have at most %d choices together, not %d", maxChoices, c.count))
	}
	if n := usableComponents(read); n > maxComponents {
		f.conflict(fmt.Sprintf("may use up to %d different component products at a time, at most %d are allowed", n, maxComponents))
	}
	return read
}

// usableComponents is an upper bound of the component products that one configuration can use. It
// adds the product's own components, the largest choice of each single-choice group and all choices
// of each other group. The true number is lower if groups share products or choices exclude each
// other.
func usableComponents(c *commerce.Configurator) int {
	own, all := products{}, products{}
	own.add(c.Components)
	all.add(c.Components)
	bound := len(own)
	for i := range c.Groups {
		group, largest := products{}, 0
		for _, choice := range c.Groups[i].Choices {
			one := products{}
			one.addOther(choice.Components, own)
			group.addOther(choice.Components, own)
			all.add(choice.Components)
			largest = max(largest, len(one))
		}
		if c.Groups[i].Multiple {
			largest = len(group)
		}
		bound += largest
	}
	return min(bound, len(all))
}

// products is a set of products.
type products map[uuid.UUID]bool

// addOther adds the products of components that are not in others.
func (p products) addOther(components []commerce.Component, others products) {
	for i := range components {
		if !others[components[i].ProductID] {
			p[components[i].ProductID] = true
		}
	}
}

func (p products) add(components []commerce.Component) {
	for i := range components {
		p[components[i].ProductID] = true
	}
}

func (c *configurator) dimension(f field) commerce.Dimension {
	o := f.object()
	defer o.close()
	shortest, longest := o.required("min"), o.required("max")
	dimension := commerce.Dimension{
		Key:   o.required("key").uniqueText(&c.dimensions),
		Label: o.required("label").text(),
		Unit:  o.get("unit").word("mm"),
		Step:  o.get("step").integer(1, maxLength, 1),
	}
	var fromOK, toOK bool
	dimension.Min, fromOK = shortest.within(0, maxLength)
	dimension.Max, toOK = longest.within(0, maxLength)
	if fromOK && toOK && dimension.Min > dimension.Max {
		longest.conflict("must be at least min")
	}
	return dimension
}

func (c *configurator) choiceGroup(f field) commerce.ChoiceGroup {
	o := f.object()
	defer o.close()
	return commerce.ChoiceGroup{
		ID:       o.required("id").uniqueText(&c.groups),
		Label:    o.required("label").text(),
		Required: o.get("required").boolean(false),
		Multiple: o.get("multiple").boolean(false),
		Choices:  list(o.get("choices"), c.choice),
	}
}

// choice reads a choice. It may require a choice that does not exist: it is then unavailable, which
// is no fault of the document.
func (c *configurator) choice(f field) commerce.Choice {
	o := f.object()
	defer o.close()
	c.count++
	return commerce.Choice{
		ID:            o.required("id").uniqueText(&c.choices),
		Label:         o.required("label").text(),
		Price:         c.choicePrice(o.get("price")),
		Requires:      list(o.get("requires"), field.text),
		Components:    list(o.get("components"), c.component),
		TriggersQuote: o.get("triggers_quote").boolean(false),
	}
}

// notOfType is the fault of a member that belongs to another type.
const notOfType = "does not belong to this type"

var choicePrices = makeForms(false,
	form{name: "fixed", requires: []string{"amount"}, refuses: []string{"percent"}, because: notOfType},
	form{name: "percent", requires: []string{"percent"}, refuses: []string{"amount"}, because: notOfType},
	form{name: "per_m2", requires: []string{"amount"}, refuses: []string{"percent"}, because: notOfType},
)

// choicePrice reads a choice's price, a fixed price of 0 if it is absent.
func (c *configurator) choicePrice(f field) commerce.ChoicePrice {
	o := f.object()
	defer o.close()
	kind := o.form(o.required("type"), choicePrices)
	price := commerce.ChoicePrice{
		Kind:    commerce.ChoicePriceKind(kind),
		Amount:  o.get("amount").amount(),
		Percent: o.get("percent").percent(0),
	}
	if price.Kind == commerce.PricePerM2 {
		c.needArea(o.get("type"))
	}
	return price
}

// needArea refuses a use of square metres if the configurator has fewer than two dimensions.
func (c *configurator) needArea(f field) {
	if len(c.dimensions) < 2 {
		f.conflict("needs a configurator with two dimensions")
	}
}

func (c *configurator) component(f field) commerce.Component {
	o := f.object()
	defer o.close()
	product := o.required("product_id")
	id, ok := product.id()
	if ok {
		c.components = append(c.components, reference{product, id})
	}
	return commerce.Component{
		ProductID: id,
		Quantity:  o.required("qty").usage(),
		Per:       c.per(o.get("per")),
	}
}

// per reads the measure that multiplies a component's quantity: a unit, a square metre or a metre of
// a dimension.
func (c *configurator) per(f field) string {
	per := f.text()
	switch {
	case per == "" || per == "unit":
		return "unit"
	case per == "m2":
		c.needArea(f)
	case !c.dimensions.has(per):
		f.conflict("must be unit, m2 or the key of a dimension")
	}
	return per
}
