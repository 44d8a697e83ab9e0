package storefile

import (
	"bytes"
	"encoding/hex"
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
	Settings []byte // as Document.Settings
	// OnHand is the current stock, by product and variant.
	OnHand    map[uuid.UUID]commerce.Micros
	Keys      []commerce.APIKey
	Customers iter.Seq2[commerce.Customer, error]
	// Used is the number of orders that used each discount so far.
	Used map[uuid.UUID]int64
}

// Write writes a document from which Parse reads the same store. Each key and each customer is one
// line. Keys, passwords and tokens are hashes.
func (e *Export) Write(w io.Writer) error {
	settings, err := unpack(e.Settings)
	if err == nil {
		settings, err = withCurrent(settings, e.OnHand, e.Used)
	}
	if err != nil {
		return err
	}
	out := &exportWriter{w: w}
	out.text("{\n  \"api_keys\": [")
	for i := range e.Keys {
		out.item(i, exportedKey(&e.Keys[i]))
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
		out.item(i, exportedCustomer(&c))
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
func (o *exportWriter) item(i int, v any) {
	text, err := json.Marshal(v)
	if err != nil && o.err == nil {
		o.err = err
	}
	if i > 0 {
		o.text(",")
	}
	o.text("\n    " + string(text))
}

// members writes the settings' members and the document's end.
func (o *exportWriter) members(settings []byte) {
	var indented bytes.Buffer
	if err := json.Indent(&indented, settings, "", "  "); err != nil && o.err == nil {
		o.err = err
	}
	o.text(string(bytes.TrimPrefix(indented.Bytes(), []byte("{"))) + "\n")
}

type keyRow struct {
	Name    string   `json:"name"`
	SHA256  string   `json:"key_sha256"`
	Scopes  []string `json:"scopes"`
	Revoked bool     `json:"revoked,omitempty"`
}

func exportedKey(k *commerce.APIKey) keyRow {
	return keyRow{Name: k.Name, SHA256: hex.EncodeToString(k.Hash[:]), Scopes: k.Scopes.Names(), Revoked: k.Revoked}
}

type customerRow struct {
	ID                 string       `json:"id"`
	Email              string       `json:"email"`
	FirstName          string       `json:"first_name,omitempty"`
	LastName           string       `json:"last_name,omitempty"`
	Phone              string       `json:"phone,omitempty"`
	Kind               string       `json:"kind"`
	CompanyName        string       `json:"company_name,omitempty"`
	RegistrationNumber string       `json:"registration_number,omitempty"`
	VATID              string       `json:"vat_id,omitempty"`
	ExternalID         string       `json:"external_id,omitempty"`
	GroupID            string       `json:"group_id,omitempty"`
	Approved           bool         `json:"approved"`
	PasswordHash       string       `json:"password_hash,omitempty"`
	Tokens             []tokenRow   `json:"tokens,omitempty"`
	Addresses          []addressRow `json:"addresses,omitempty"`
}

type tokenRow struct {
	SHA256    string    `json:"token_sha256"`
	ExpiresAt time.Time `json:"expires_at"`
}

type addressRow struct {
	ID         string `json:"id,omitempty"`
	Type       string `json:"type"`
	Label      string `json:"label,omitempty"`
	IsDefault  bool   `json:"is_default,omitempty"`
	Name       string `json:"name"`
	Street     string `json:"street"`
	PostalCode string `json:"postal_code"`
	City       string `json:"city"`
	Country    string `json:"country"`
	Phone      string `json:"phone,omitempty"`
}

func exportedCustomer(c *commerce.Customer) customerRow {
	row := customerRow{
		ID: c.ID.String(), Email: c.Email, FirstName: c.FirstName, LastName: c.LastName, Phone: c.Phone,
		Kind: "b2c", CompanyName: c.CompanyName, RegistrationNumber: c.RegistrationNumber, VATID: c.VATID,
		ExternalID: c.ExternalID, GroupID: idText(c.GroupID), Approved: c.Approved, PasswordHash: c.PasswordHash,
	}
	if c.B2B {
		row.Kind = "b2b"
	}
	for _, t := range c.Tokens {
		row.Tokens = append(row.Tokens, tokenRow{SHA256: hex.EncodeToString(t.Hash[:]), ExpiresAt: writable(t.ExpiresAt)})
	}
	for i := range c.Addresses {
		a := &c.Addresses[i]
		row.Addresses = append(row.Addresses, addressRow{
			ID: idText(a.ID), Type: a.Type, Label: a.Label, IsDefault: a.IsDefault, Name: a.Name, Street: a.Street,
			PostalCode: a.PostalCode, City: a.City, Country: a.Country, Phone: a.Phone,
		})
	}
	return row
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

// idText is an id in a document's form, "" for the zero id.
func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}
