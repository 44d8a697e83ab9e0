package storefile

import (
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// withCurrent returns settings with the current numbers of a store: the stock on hand of products and variants, and how many orders
// used each discount, so that an import of the document elsewhere continues from there. An entry that is not in the maps keeps
// the document's number. A product that is sold by its parts, and is no component, has none of its own. The text stays canonical.
func (e *Export) withCurrent(settings []byte) ([]byte, error) {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil, err
	}
	component := e.component
	if component == nil {
		components := componentsOf(root)
		component = func(id uuid.UUID) bool { return components[id] }
	}
	w := canonicalWriter{withoutSecrets: e.WithoutSecrets, current: func(entry strictjson.Value, in, number *outline) []byte {
		key, _ := entry.Get(in.key().name)
		id, _ := commerce.ParseID(key.Text())
		given, isGiven := entry.Get(number.name)
		if number.has(currentStock) {
			now, known := e.OnHand[id]
			if hasParts(entry) && !component(id) {
				now, known = 0, true
			}
			if !known || given.Kind() == strictjson.Null && now == 0 {
				return nil
			}
			return AppendText(nil, now.String())
		}
		count, known := e.Used[id]
		if !known || !isGiven && count == 0 {
			return nil
		}
		return strconv.AppendInt(nil, count, 10)
	}}
	w.value(root, &documentOutline)
	e.Secrets = w.secrets
	return w.dst, nil
}

// hasParts reports whether a product has variants or a configurator.
func hasParts(product strictjson.Value) bool {
	variants, _ := product.Get("variants")
	configurator, _ := product.Get("configurator")
	return variants.Kind() == strictjson.Array && variants.Len() > 0 || configurator.Kind() == strictjson.Object
}

// componentsOf are the products that made-to-measure products of a document use.
func componentsOf(root strictjson.Value) map[uuid.UUID]bool {
	used := map[uuid.UUID]bool{}
	add := func(of strictjson.Value) {
		components, _ := of.Get("components")
		for _, component := range components.Items() {
			text, _ := component.Get("product_id")
			id, _ := commerce.ParseID(text.Text())
			used[id] = true
		}
	}
	products, _ := root.Get(productList)
	for _, product := range products.Items() {
		configurator, _ := product.Get("configurator")
		add(configurator)
		groups, _ := configurator.Get("groups")
		for _, group := range groups.Items() {
			choices, _ := group.Get("choices")
			for _, choice := range choices.Items() {
				add(choice)
			}
		}
	}
	return used
}

// setNumbers replaces the numbers of an object, whose members are those from start, by the current ones.
func (c *canonicalWriter) setNumbers(object strictjson.Value, of *outline, start int) {
	for i := range of.members {
		number := &of.members[i]
		if !number.has(currentStock | currentUses) {
			continue
		}
		value := c.current(object, of, number)
		if value == nil {
			continue
		}
		set := sortedMember{[]byte(number.name), AppendText(nil, number.name), value, nil}
		if at := slices.IndexFunc(c.members[start:], func(m sortedMember) bool { return m.of == number }); at >= 0 {
			c.members[start+at] = set
		} else {
			c.members = append(c.members, set)
		}
	}
}
