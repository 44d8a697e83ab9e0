package storefile

import (
	"slices"

	"cartd/internal/strictjson"
)

// composed is a stored object of which a change set replaces members: an entry of a change of one product, or the settings.
type composed struct {
	stored strictjson.Value
	// sent has the members that replace those of the stored object. Its id is that of the stored object, which stays.
	sent strictjson.Value
}

// of reports whether v is the stored object.
func (c *composed) of(v strictjson.Value) bool { return c != nil && &v[0] == &c.stored[0] }

// pairs are the members that result: those that were sent, also null, and the stored ones that they do not replace.
func (c *composed) pairs(yield func(name, value strictjson.Value) bool) {
	var sent []string
	for name, value := range c.sent.Pairs() {
		text := name.Text()
		if text == "id" {
			continue
		}
		sent = append(sent, text)
		if !yield(name, value) {
			return
		}
	}
	for name, value := range c.stored.Pairs() {
		if !slices.Contains(sent, name.Text()) && !yield(name, value) {
			return
		}
	}
}
