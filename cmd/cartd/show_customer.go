package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/internal/field"
	"cartd/persistence/operator"
)

// maxShownRecords is the number of carts, orders or quotes of a customer that are shown.
const maxShownRecords = 100

// foundCustomer is a contact of a person; nil for a guest without one. The carts, orders and quotes are the person's.
type foundCustomer struct {
	*operator.Person
	contact *foundContact
}

var customerShown = shownAs(
	field.NullUnless(hasContact, field.Value("data", answers.Profile, "", func(f foundCustomer) answers.ProfileView {
		return answers.ProfileView{Contact: f.contact.State, Store: f.Store}
	})),
	field.Value("store", storeShown, "", func(f foundCustomer) *commerce.Store { return f.Store }),
	field.If(hasContact, field.Of(contactShown, func(f foundCustomer) *foundContact { return f.contact })),
	newestShown("carts", field.Object("", cartRowShown...), func(f foundCustomer) []*commerce.Cart { return f.Carts }, cartRowOf),
	newestShown("orders", answers.OrderRow, func(f foundCustomer) []*commerce.Order { return f.Orders }, orderRowOf),
	newestShown("quotes", answers.QuoteRow, func(f foundCustomer) []*commerce.Quote { return f.Quotes }, quoteRowOf),
)

func hasContact(f foundCustomer) bool { return f.contact != nil }

type foundContact = operator.Found[*commerce.Contact]

// contactShown is what operators see of a contact.
var contactShown = append(recordShown[*commerce.Contact]()[1:], // the store is the person's
	field.Value("account", answers.Boolean, "", func(f *foundContact) bool { return !f.State.Guest }),
	field.Value("erased", answers.Boolean, "", func(f *foundContact) bool { return f.State.Guest && f.State.Email == "" }),
	field.Member("approved", answers.Boolean, "", func(f *foundContact) *bool { return &f.State.Approved }),
	field.Value("has_password", answers.Boolean, "", func(f *foundContact) bool { return f.State.PasswordHash != "" }),
	field.Member("group_id", answers.UUIDOrNull, "", func(f *foundContact) *uuid.UUID { return &f.State.GroupID }),
	field.Member("last_activity_at", answers.Time, "", func(f *foundContact) *time.Time { return &f.State.UpdatedAt }),
	field.Member("addresses", field.List(answers.Address), "",
		func(f *foundContact) *[]commerce.Address { return &f.State.Addresses }),
)

// newestShown are the newest records of a person, and how many there are.
func newestShown[R, V any](name string, row answers.Kind[V], all func(foundCustomer) []R, view func(f foundCustomer, r R) V) answers.Field[foundCustomer] {
	count := func(f foundCustomer) int { return len(all(f)) }
	return field.Group(
		field.Value(name+"_count", answers.Integer, "", count),
		field.Self(name, field.Counted(row,
			func(f foundCustomer) int { return min(count(f), maxShownRecords) },
			func(f foundCustomer, i int) V { return view(f, all(f)[i]) }), ""))
}

// cartRowShown is a row of the list of carts with the cart's status: other carts than active ones are shown too.
var cartRowShown = append(slices.Clip(answers.CartRowFields),
	field.Value("status", answers.Text, "", func(v answers.CartRowView) string { return v.Cart.Status.String() }))

func cartRowOf(f foundCustomer, c *commerce.Cart) answers.CartRowView {
	var visitor commerce.Visitor
	if f.contact != nil && f.contact.State.ID == c.Customer.ID {
		visitor = visitorOf(f.contact.State)
	}
	var e commerce.Evaluation
	e.Evaluate(c, f.Store, visitor, f.Now)
	return answers.CartRowView{Cart: c, Total: e.Total}
}

func orderRowOf(_ foundCustomer, o *commerce.Order) engine.OrderRow { return engine.MakeOrderRow(o) }

func quoteRowOf(f foundCustomer, quote *commerce.Quote) answers.QuoteView {
	row := engine.MakeQuoteRow(quote)
	return answers.QuoteRowAt(&row, f.Now)
}

// showCustomer shows an account or guest by its id, or all customers with an e-mail address, with
// their carts, orders and quotes.
func showCustomer(q *query) error {
	progress := startProgress(q.stderr)
	progress.report("reading carts, orders and quotes")
	all, err := q.db.FindPerson(context.Background(), q.store, q.word)
	progress.done()
	for _, p := range all {
		if q.person {
			err = cmp.Or(err, showPerson(q, p))
			continue
		}
		contacts := p.Contacts
		if len(contacts) == 0 {
			contacts = []*foundContact{nil}
		}
		for _, contact := range contacts {
			err = cmp.Or(err, printRecord(q, customerShown, foundCustomer{p, contact}))
		}
	}
	return err
}

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
