package main

import (
	"context"
	"time"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence/operator"
)

// personData is all that a store has of a person, for a request for access.
type personData struct {
	*operator.Person
	contacts []personContact
}

// personContact is an account or a guest of a person.
type personContact struct {
	contact *foundContact
	deleted []commerce.DeletedAddress
}

// personShown has every record whole, as the API shows it, and nothing that only operators see.
var personShown = field.Object("",
	field.Value("store", storeShown, "", func(p *personData) *commerce.Store { return p.Store }),
	field.Self("contacts", field.Counted(personContactShown, func(p *personData) int { return len(p.contacts) },
		func(p *personData, i int) personContact { return p.contacts[i] }), ""),
	field.Self("carts", field.Counted(personCartShown, func(p *personData) int { return len(p.Carts) }, (*personData).cart), ""),
	field.Self("orders", field.Counted(answers.StoreOrder, func(p *personData) int { return len(p.Orders) },
		func(p *personData, i int) *commerce.Order { return p.Orders[i] }), ""),
	field.Self("quotes", field.Counted(answers.Quote, func(p *personData) int { return len(p.Quotes) },
		func(p *personData, i int) answers.QuoteView { return answers.QuoteAt(p.Quotes[i], p.Now) }), ""),
)

var personContactShown = field.Object("",
	field.Value("account", answers.Boolean, "", func(c personContact) bool { return !c.contact.State.Guest }),
	field.Value("profile", answers.Profile, "", func(c personContact) answers.ProfileView {
		return answers.ProfileView{Contact: c.contact.State, Store: c.contact.Store}
	}),
	field.Member("addresses", field.List(answers.Address), "",
		func(c personContact) *[]commerce.Address { return &c.contact.State.Addresses }),
	field.Value("deleted_addresses", field.List(deletedShown), "",
		func(c personContact) []commerce.DeletedAddress { return c.deleted }),
)

var deletedShown = field.Object("",
	field.Member("deleted_at", answers.Time, "", func(d *commerce.DeletedAddress) *time.Time { return &d.At }),
	field.Value("address", answers.Address, "", func(d *commerce.DeletedAddress) *commerce.Address { return &d.Address }),
)

var personCartShown = field.Object("",
	field.Value("cart", answers.Cart, "", func(f foundCart) answers.CartView { return answers.CartView{Store: f.Store, Evaluation: f.evaluation} }),
	field.Value("checkout", field.OrNull(answers.KeptCheckout), "", func(f foundCart) *commerce.PreparedCheckout { return f.checkout }),
)

// cart is a cart as its customer sees it.
func (p *personData) cart(i int) foundCart {
	c := p.Carts[i]
	var visitor commerce.Visitor
	for _, one := range p.contacts {
		if one.contact.State.ID == c.Customer.ID {
			visitor = visitorOf(one.contact.State)
		}
	}
	return evaluated(&storedCart{Store: p.Store, State: c, Now: p.Now}, visitor)
}

// showPerson writes all that a person may ask for, as one object.
func showPerson(q *query, p *operator.Person) error {
	data := &personData{Person: p}
	for _, contact := range p.Contacts {
		deleted, err := q.db.DeletedAddresses(context.Background(), p.Store.ID, contact.State.ID)
		if err != nil {
			return err
		}
		data.contacts = append(data.contacts, personContact{contact, deleted})
	}
	return printRecord(q, personShown, data)
}
