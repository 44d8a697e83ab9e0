package storefile

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// Export is the content of a document to write.
type Export struct {
	Settings []byte // the text of the document's pages
	// OnHand is the current stock, by product and variant.
	OnHand    map[uuid.UUID]commerce.Micros
	Keys      []commerce.APIKey
	Customers iter.Seq2[commerce.Customer, error]
	// Used is the number of orders that used each discount so far.
	Used map[uuid.UUID]int64
	// WithoutSecrets leaves out the secrets of webhooks. Secrets is the number of those that Write wrote.
	WithoutSecrets bool
	Secrets        int
	// component reports whether a made-to-measure product uses a product; nil if Settings has all products.
	component func(uuid.UUID) bool
}

// Write writes a document from which Parse reads the same store. Each key and each customer is one
// line. Keys, passwords and tokens are hashes; secrets of webhooks are in clear.
func (e *Export) Write(w io.Writer) error {
	settings, err := e.withCurrent(e.Settings)
	if err != nil {
		return err
	}
	out := &exportWriter{w: w}
	out.text("{\n  \"api_keys\": [")
	for i := range e.Keys {
		out.item(i, apiKey.Append(nil, e.Keys[i]))
	}
	out.text("\n  ],\n  \"customers\": [")
	var once exportedOnce
	i := 0
	for c, err := range e.Customers {
		if err != nil {
			return err
		}
		if !once.keep(&c) {
			continue
		}
		out.item(i, customer.Append(nil, c))
		i++
	}
	out.text("\n  ],")
	out.members(settings)
	return out.err
}

// exportedOnce has the written values that a document may have only once. Successive imports may
// have left two customers with the same value.
type exportedOnce struct {
	emails    register[string]
	addresses register[uuid.UUID]
	tokens    register[commerce.KeyHash]
}

// keep removes from a customer the tokens and address ids that are already written, and a password
// hash above the cost limits, which no login accepts. It returns false if the customer's e-mail
// address is already written: the customer is then left out.
func (o *exportedOnce) keep(c *commerce.Customer) bool {
	if !o.emails.first(c.Email) {
		return false
	}
	if tooCostly(c.PasswordHash) {
		c.PasswordHash = ""
	}
	for i := range c.Addresses {
		if id := &c.Addresses[i].ID; !o.addresses.first(*id) {
			*id = uuid.Nil
		}
	}
	c.Tokens = slices.DeleteFunc(c.Tokens, func(t commerce.CustomerToken) bool { return !o.tokens.first(t.Hash) })
	return true
}

// exportWriter keeps the first error.
type exportWriter struct {
	w   io.Writer
	err error
}

func (o *exportWriter) text(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// item writes one entry of a list.
func (o *exportWriter) item(i int, entry []byte) {
	if i > 0 {
		o.text(",")
	}
	o.text("\n    " + string(entry))
}

// members writes the settings' members and the document's end.
func (o *exportWriter) members(settings []byte) {
	var indented bytes.Buffer
	if err := json.Indent(&indented, settings, "", "  "); err != nil && o.err == nil {
		o.err = err
	}
	o.text(string(bytes.TrimPrefix(indented.Bytes(), []byte("{"))) + "\n")
}

// writable is the time itself, or the nearest time that RFC 3339 can write in UTC. With its zone, a
// document may give a time that is outside the years 0 to 9999 in UTC.
func writable(t time.Time) time.Time {
	switch t = t.UTC(); {
	case t.Year() < 0:
		return time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	case t.Year() > 9999:
		return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	return t
}

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
