package model

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/google/uuid"
)

// withDetails asks for the details of a cart, which have its tax country.
const withDetails = "?include=details"

// collection is the path that makes carts.
const collection = "/v1/api/commerce/carts"

// Carts are ordinary carts, with every command.
var Carts = &Kind{
	Name: "cart", Weight: 7, MaxCommands: 45, Absent: Cart{}, Collection: collection,
	Create: createCart, Read: readCart, Parse: parseCart,
	Commands: []*Command{readCart, addLine, changeLine, removeLine, setMetadata, setEmail, setCountry, addTooMuch, addPart, changeNothing},
}

// HotCarts take adds only, from all clients at once. They get too many commands for a search for
// their order, but every unit is accounted for.
var HotCarts = &Kind{
	Name: "hot cart", Weight: 1, MaxCommands: 400, Absent: Cart{}, Collection: collection,
	Create: createCart, Read: readCart, Parse: parseCart,
	Commands: []*Command{readCart, addLine},
	Ledger: &Ledger{
		Added: func(r Request) (string, int64) {
			args := r.Args.(lineArgs)
			return args.product.ID, args.quantity
		},
		Held: func(s State, item string) int64 {
			for _, l := range s.(Cart).Lines {
				if l.Product.ID == item {
					return l.Quantity
				}
			}
			return 0
		},
	},
}

// lineArgs are the fields of a request that the commands on lines need.
type lineArgs struct {
	line     uuid.UUID
	product  *Product
	quantity int64 // thousandths
}

// cartRow is a Command whose functions take carts. apply is nil if the command is never done.
// refuses is called only for carts that exist.
type cartRow struct {
	name   string
	weight int
	reads  bool
	status int
	// kept: the answer is the kept checkout, not the cart.
	kept    bool
	make    func(dice *rand.Rand, seen Cart) (Request, bool)
	apply   func(c Cart, r Request) (Cart, bool)
	refuses func(c Cart, r Request, status int) bool
}

// command makes a Command of the row. Every command but the creation answers 404 for a cart that
// does not exist. Spec: Cart errors.
func (row cartRow) command() *Command {
	return &Command{
		Name: row.name, Weight: row.weight, Reads: row.reads, Status: row.status,
		Make: func(dice *rand.Rand, seen State) (Request, bool) {
			r, ok := row.make(dice, seen.(Cart))
			if !row.kept {
				r.Path += withDetails
			}
			return r, ok
		},
		Apply: func(before State, r Request) (State, bool) {
			if c := before.(Cart); row.apply != nil && c.Exists {
				return row.apply(c, r)
			}
			return before, false
		},
		Refuses: func(s State, r Request, status int) bool {
			if c := s.(Cart); c.Exists {
				return row.refuses != nil && row.refuses(c, r, status)
			}
			return status == http.StatusNotFound
		},
	}
}

var createCart = &Command{
	Name: "create", Status: http.StatusCreated,
	Make: func(*rand.Rand, State) (Request, bool) {
		return Request{Method: http.MethodPost, Path: withDetails}, true
	},
	Apply: func(before State, _ Request) (State, bool) {
		return Cart{Exists: true, Country: home}, !before.(Cart).Exists
	},
	Refuses: func(State, Request, int) bool { return false },
}

var readCart = cartRow{
	name: "read", weight: 30, reads: true, status: http.StatusOK,
	make:  func(*rand.Rand, Cart) (Request, bool) { return Request{Method: http.MethodGet}, true },
	apply: func(c Cart, _ Request) (Cart, bool) { return c, true },
}.command()

// setMetadata replaces the whole map. Spec: PATCH body (Carts).
var setMetadata = cartRow{
	name: "metadata", weight: 8, status: http.StatusOK,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		metadata := fmt.Sprintf(`{"mark":%d}`, dice.IntN(1_000_000))
		return Request{Method: http.MethodPatch, Body: `{"metadata":` + metadata + `}`, Args: metadata}, true
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		c.Metadata = r.Args.(string)
		return c, true
	},
}.command()

// setEmail binds the cart to a guest customer, whose record is made in the same commit. Spec: PATCH
// body (Carts).
var setEmail = cartRow{
	name: "email", weight: 4, status: http.StatusOK,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		email := fmt.Sprintf("visitor%d@example.com", dice.IntN(5000))
		return Request{Method: http.MethodPatch, Body: `{"email":"` + email + `"}`, Args: email}, true
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		c.Email = r.Args.(string)
		return c, true
	},
}.command()

// setCountry keeps a country, whose taxes the cart has from then on. Spec: Tax by country.
var setCountry = cartRow{
	name: "country", weight: 8, status: http.StatusOK, kept: true,
	make: func(dice *rand.Rand, _ Cart) (Request, bool) {
		country := Countries[dice.IntN(len(Countries))]
		return Request{Method: http.MethodPatch, Path: "/checkout", Body: `{"country":"` + country + `"}`, Args: country}, true
	},
	apply: func(c Cart, r Request) (Cart, bool) {
		c.Country = r.Args.(string)
		return c, true
	},
}.command()
