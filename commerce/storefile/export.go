package storefile

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
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
