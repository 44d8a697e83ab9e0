package main

import (
	"context"
	"time"

	"cartd/commerce"
	"cartd/internal/answers"
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
var personShown = answers.Object("",
	answers.Value("store", storeShown, "", func(p *personData) *commerce.Store { return p.Store }),
	answers.Self("contacts", answers.Counted(personContactShown, func(p *personData) int { return len(p.contacts) },
		func(p *personData, i int) personContact { return p.contacts[i] }), ""),
	answers.Self("carts", answers.Counted(personCartShown, func(p *personData) int { return len(p.Carts) }, (*personData).cart), ""),
	answers.Self("orders", answers.Counted(answers.StoreOrder, func(p *personData) int { return len(p.Orders) },
		func(p *personData, i int) *commerce.Order { return p.Orders[i] }), ""),
	answers.Self("quotes", answers.Counted(answers.Quote, func(p *personData) int { return len(p.Quotes) },
		func(p *personData, i int) answers.QuoteView { return answers.QuoteAt(p.Quotes[i], p.Now) }), ""),
)

var personContactShown = answers.Object("",
	answers.Value("account", answers.Boolean, "", func(c personContact) bool { return !c.contact.State.Guest }),
	answers.Value("profile", answers.Profile, "", func(c personContact) answers.ProfileView {
		return answers.ProfileView{Contact: c.contact.State, Store: c.contact.Store}
	}),
	answers.Member("addresses", answers.List(answers.Address), "",
		func(c personContact) *[]commerce.Address { return &c.contact.State.Addresses }),
	answers.Value("deleted_addresses", answers.List(deletedShown), "",
		func(c personContact) []commerce.DeletedAddress { return c.deleted }),
)

var deletedShown = answers.Object("",
	answers.Member("deleted_at", answers.Time, "", func(d *commerce.DeletedAddress) *time.Time { return &d.At }),
	answers.Value("address", answers.Address, "", func(d *commerce.DeletedAddress) *commerce.Address { return &d.Address }),
)

var personCartShown = answers.Object("",
	answers.Value("cart", answers.Cart, "", func(f foundCart) answers.CartView { return answers.CartView{Store: f.Store, Evaluation: f.evaluation} }),
	answers.Value("checkout", answers.OrNull(answers.KeptCheckout), "", func(f foundCart) *commerce.PreparedCheckout { return f.checkout }),
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
