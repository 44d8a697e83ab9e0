package model

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/google/uuid"
)

// Books are address books, one for each contact. A type has at most one default; every answered
// address is there exactly once.
var Books = &Kind{
	Name: "address book", Weight: 3, MaxCommands: 40, Absent: Book{}, Collection: "/v1/api/contacts/me/addresses", Single: true,
	Gone: http.StatusNotFound, Create: openBook, Read: readBook, Parse: parseBook,
	Commands: []*Command{readBook, addAddress, patchAddress, removeAddress},
}

// addressArgs are the fields of a request that the commands on addresses need. A nil field is not
// sent.
type addressArgs struct {
	id        uuid.UUID
	name      string
	kind      *string
	isDefault *bool
}

var addressTypes = []string{"shipping", "billing", "work"}

// opened counts the books that clients have begun.
var opened atomic.Int64

// openBook makes the first address of an unused contact.
var openBook = &Command{
	Name: "first address", Status: http.StatusCreated,
	Make: func(dice *rand.Rand, _ State) (Request, bool) {
		n := int(opened.Add(1))
		request := newAddress(dice)
		request.Token = contactToken(n)
		return request, n <= contacts
	},
	Apply: add, Refuses: noSuchAddress,
}

var readBook = &Command{
	Name: "list", Weight: 25, Reads: true, Status: http.StatusOK,
	Make:    func(*rand.Rand, State) (Request, bool) { return Request{Method: http.MethodGet}, true },
	Apply:   func(before State, _ Request) (State, bool) { return before, true },
	Refuses: func(State, Request, int) bool { return false },
}

var addAddress = &Command{
	Name: "add address", Weight: 30, Status: http.StatusCreated,
	Make:  func(dice *rand.Rand, _ State) (Request, bool) { return newAddress(dice), true },
	Apply: add, Refuses: noSuchAddress,
}

// newAddress is a request for a new address with a unique name.
func newAddress(dice *rand.Rand) Request {
	args := addressArgs{name: fmt.Sprintf("n%012x", dice.Uint64()>>16), kind: someType(dice), isDefault: sometimes(dice)}
	body := fmt.Sprintf(`{"name":%q,"type":%q,"is_default":%v,"street":"S 1","postal_code":"1","city":"C","country":"NL"}`, args.name, *args.kind, *args.isDefault)
	return Request{Method: http.MethodPost, Body: body, Args: args}
}

func someType(dice *rand.Rand) *string { return &addressTypes[dice.IntN(len(addressTypes))] }

func sometimes(dice *rand.Rand) *bool {
	yes := dice.IntN(2) == 0
	return &yes
}

func add(before State, r Request) (State, bool) {
	args := r.Args.(addressArgs)
	return before.(Book).with(func(all []Address) []Address {
		return alone(append(all, Address{Name: args.name, Type: *args.kind, Default: *args.isDefault}), len(all))
	}), true
}

// patchAddress changes the type, the default or both. Spec: PATCH body (Addresses).
var patchAddress = &Command{
	Name: "patch address", Weight: 25, Status: http.StatusOK,
	Make: func(dice *rand.Rand, seen State) (Request, bool) {
		a, ok := someAddress(dice, seen)
		args := addressArgs{id: a.ID, name: a.Name}
		body := `{"city":"D"`
		if dice.IntN(3) > 0 {
			args.isDefault = sometimes(dice)
			body += fmt.Sprintf(`,"is_default":%v`, *args.isDefault)
		}
		if dice.IntN(2) == 0 {
			args.kind = someType(dice)
			body += fmt.Sprintf(`,"type":%q`, *args.kind)
		}
		return Request{Method: http.MethodPatch, Path: "/" + a.ID.String(), Body: body + "}", Args: args}, ok
	},
	Apply: func(before State, r Request) (State, bool) {
		args, book := r.Args.(addressArgs), before.(Book)
		at := book.named(args.name)
		if at < 0 {
			return before, false
		}
		return book.with(func(all []Address) []Address {
			if all[at].ID = args.id; args.kind != nil {
				all[at].Type = *args.kind
			}
			if args.isDefault != nil {
				all[at].Default = *args.isDefault
			}
			return alone(all, at)
		}), true
	},
	Refuses: noSuchAddress,
}

// removeAddress deletes an address. No other address becomes the default.
var removeAddress = &Command{
	Name: "remove address", Weight: 12, Status: http.StatusNoContent,
	Make: func(dice *rand.Rand, seen State) (Request, bool) {
		a, ok := someAddress(dice, seen)
		return Request{Method: http.MethodDelete, Path: "/" + a.ID.String(), Args: addressArgs{id: a.ID, name: a.Name}}, ok
	},
	Apply: func(before State, r Request) (State, bool) {
		book := before.(Book)
		at := book.named(r.Args.(addressArgs).name)
		if at < 0 {
			return before, false
		}
		return book.with(func(all []Address) []Address { return slices.Delete(all, at, at+1) }), true
	},
	Refuses: noSuchAddress,
}

func someAddress(dice *rand.Rand, seen State) (Address, bool) {
	b, ok := seen.(Book)
	if !ok || len(b.Addresses) == 0 {
		return Address{}, false
	}
	return b.Addresses[dice.IntN(len(b.Addresses))], true
}

// noSuchAddress explains a 404: the address is not there. For a repeated addition: the first
// sending made the address, and it was deleted since.
func noSuchAddress(s State, r Request, status int) bool {
	return status == http.StatusNotFound && s.(Book).named(r.Args.(addressArgs).name) < 0
}

// contacts is the number of contacts of the suite's store. Each has a token.
const contacts = 6000

func contactToken(n int) string { return fmt.Sprintf("fault-suite-token-%d", n) }

// contactDocuments are the store document's customers.
func contactDocuments() (customers list) {
	for n := 1; n <= contacts; n++ {
		customers = append(customers, object{
			"id":     fmt.Sprintf("c0000000-0000-4000-8000-%012d", n),
			"email":  fmt.Sprintf("contact%d@example.com", n),
			"tokens": list{object{"token": contactToken(n), "expires_at": "2090-01-01T00:00:00Z"}},
		})
	}
	return customers
}
