package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence"
)

// showCustomer shows an account or guest by its id, or all customers with an e-mail address.
func showCustomer(q *query) error {
	if id, ok := commerce.ParseID(q.word); ok {
		found, err := q.db.FindContact(context.Background(), q.store, id)
		if err != nil {
			return err
		}
		q.customer(found)
		return nil
	}
	all, err := q.db.FindContacts(context.Background(), q.store, commerce.LowerEmail(q.word))
	for i, found := range all {
		if i > 0 {
			fmt.Fprintln(q.out)
		}
		q.customer(found)
	}
	return err
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
