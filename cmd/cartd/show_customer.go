package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// maxShownRecords is the number of carts, orders or quotes of a customer that are shown.
const maxShownRecords = 100

// showCustomer shows an account or guest by its id, or all customers with an e-mail address, with
// their carts, orders and quotes.
func showCustomer(q *query) error {
	progress := startProgress(q.stderr)
	progress.report("reading carts, orders and quotes")
	all, err := q.db.FindPerson(context.Background(), q.store, q.word)
	progress.done()
	for i, p := range all {
		if i > 0 {
			fmt.Fprintln(q.out)
		}
		if len(p.Contacts) == 0 {
			q.row("customer", "a guest without a contact")
			q.row("store", "%s %s", p.Store.ID, shownName(p.Store.Name))
		}
		for j, found := range p.Contacts {
			if j > 0 {
				fmt.Fprintln(q.out)
			}
			q.customer(found)
		}
		q.records(p)
	}
	return err
}

// records shows the carts, orders and quotes of a customer, one a row.
func (q *query) records(p *persistence.Person) {
	for i, c := range p.Carts {
		if q.shows(i, len(p.Carts), "cart") {
			q.row("cart", "%s %s, %s, made %s", c.ID, c.Status, numberOf(len(c.Lines), "line"), shownTime(c.CreatedAt))
		}
	}
	for i, o := range p.Orders {
		if q.shows(i, len(p.Orders), "order") {
			q.row("order", "%s number %d, %s, placed %s", o.ID, o.Number, shownAmount(o.Totals.Total), shownTime(o.PlacedAt))
		}
	}
	for i, quote := range p.Quotes {
		if q.shows(i, len(p.Quotes), "quote") {
			q.row("quote", "%s number %d, %s, made %s", quote.ID, quote.Number, quote.Status(p.Now), shownTime(quote.CreatedAt))
		}
	}
}

// shows reports whether the record with this index is shown. It counts those that are not.
func (q *query) shows(i, all int, kind string) bool {
	if i == maxShownRecords {
		q.row(kind, "and %d older ones", all-i)
	}
	return i < maxShownRecords
}

func (q *query) customer(found *persistence.Found[*commerce.Contact]) {
	c := found.State
	kind := c.Kind()
	switch {
	case c.Guest && c.Email == "":
		kind = "erased"
	case c.Guest:
		kind = "guest"
	case c.B2B && !c.Approved:
		kind += ", awaiting approval"
	}
	q.row("customer", "%s", c.ID)
	q.row("store", "%s %s", found.Store.ID, shownName(found.Store.Name))
	q.row("kind", "%s", kind)
	q.row("e-mail", "%s", c.Email)
	q.row("name", "%s", strings.TrimSpace(c.FirstName+" "+c.LastName))
	q.row("phone", "%s", c.Phone)
	q.row("company", "%s", c.CompanyName)
	q.row("registration", "%s", c.RegistrationNumber)
	q.row("VAT id", "%s", c.VATID)
	q.row("external id", "%s", c.ExternalID)
	if c.GroupID != uuid.Nil {
		name := "not in the document any more"
		if group := found.Store.Group(c.GroupID); group != nil {
			name = group.Name
		}
		q.row("group", "%s %s", c.GroupID, name)
	}
	q.row("made", "%s", shownTime(c.CreatedAt))
	q.row("last write", "%s", shownTime(c.UpdatedAt))
	if !c.Guest {
		q.row("password", "%s", map[bool]string{true: "set", false: "none: cannot log in"}[c.PasswordHash != ""])
	}
	for i := range c.Addresses {
		a := &c.Addresses[i]
		standard := ""
		if a.IsDefault {
			standard = ", default"
		}
		q.row("address", "%s (%s%s): %s", a.ID, a.Type, standard, shownAddress(a))
	}
}

func nonEmpty(texts ...string) (kept []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}
