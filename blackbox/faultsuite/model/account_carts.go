package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// AccountCarts are carts of one account. Clients add hammers to all of them, and claims fold them
// into one another. So they are checked together: the account's last active cart has every hammer.
var AccountCarts = &Kind{
	Name: "account's cart", Absent: AccountCart{}, Collection: collection, Parse: parseAccountCart,
	Create: accountCommand("open", http.StatusCreated, Request{Method: http.MethodPost}),
	Read: &Command{Name: "read", Reads: true, Status: http.StatusOK, Make: func(*rand.Rand, State) (Request, bool) {
		return Request{Method: http.MethodGet}, true
	}},
}

// AccountCart is the part of such a cart's answer that is checked.
type AccountCart struct {
	ID, Status string
	// Hammers are whole units. Folded are the carts in the report of a claim.
	Hammers int
	Folded  []string
}

// Same compares the fields that reads show.
func (c AccountCart) Same(other State) bool {
	o, ok := other.(AccountCart)
	return ok && c.ID == o.ID && c.Status == o.Status && c.Hammers == o.Hammers
}

// Shows compares the fields that reads show.
func (c AccountCart) Shows(seen State) (State, bool) { return c, c.Same(seen) }

func (c AccountCart) String() string {
	return fmt.Sprintf("%s cart %.8s, %d hammers, folded %v", c.Status, c.ID, c.Hammers, c.Folded)
}

// MaxHammers is the number of hammers that fit into one cart.
const MaxHammers = MaxQuantity / 1000

// NewAccount is the token of an account that has no carts yet; false if every account is used.
func NewAccount() (token string, ok bool) {
	n := int(opened.Add(1))
	return contactToken(n), n <= contacts
}

// Commands on an account's cart.
var (
	BindCart  = accountCommand("bind", http.StatusOK, Request{Method: http.MethodPatch, Body: `{"email":"claims@example.com"}`})
	AddHammer = accountCommand("add a hammer", http.StatusCreated,
		Request{Method: http.MethodPost, Path: "/lines", Body: fmt.Sprintf(`{"product_id":%q,"quantity":1}`, Products[0].ID)})
	Claim = accountCommand("claim", http.StatusOK, Request{Method: http.MethodPost, Path: "/claim?include=merge_report"})
)

func accountCommand(name string, status int, r Request) *Command {
	return &Command{Name: name, Status: status, Make: func(*rand.Rand, State) (Request, bool) { return r, true }}
}

// parseAccountCart reads a cart of any status, and the report of a claim.
func parseAccountCart(body []byte) (string, State, error) {
	var e struct {
		envelope
		Report []struct {
			Cart    string            `json:"cart_id"`
			Clamped []json.RawMessage `json:"clamped"`
			Dropped []json.RawMessage `json:"dropped"`
		} `json:"merge_report"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return "", nil, fmt.Errorf("not a cart envelope: %w", err)
	}
	cart := AccountCart{ID: e.Data.ID, Status: e.Data.Status}
	for i := range e.Data.Lines {
		l, err := e.Data.Lines[i].line()
		if err != nil {
			return "", nil, err
		}
		if l.Product != &Products[0] || i > 0 {
			return cart.ID, cart, fmt.Errorf("line %d of %s in a cart of hammers", i, l.Product.Name)
		}
		cart.Hammers += int(l.Quantity / 1000)
	}
	for _, folded := range e.Report {
		if len(folded.Clamped)+len(folded.Dropped) > 0 {
			return cart.ID, cart, fmt.Errorf("lost hammers of %s, where there is room for all", folded.Cart)
		}
		cart.Folded = append(cart.Folded, folded.Cart)
	}
	return cart.ID, cart, e.Data.Totals.check(e.Data.Lines, home)
}
