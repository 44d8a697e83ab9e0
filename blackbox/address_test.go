package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

const (
	// maxAddresses is the maximum number of addresses of a contact.
	maxAddresses = 250

	addressesPath = "contacts/me/addresses"
	addressBody   = `{"name":"Ada","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`
)

// address is one address of an answer.
type address struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	IsDefault bool   `json:"is_default"`
	Name      string `json:"name"`
}

// placed is the body of a new address of a type, a default or not, under a name.
func placed(kind, name string, isDefault bool) string {
	return fmt.Sprintf(`{"type":%q,"is_default":%v,"name":%q,"street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL"}`, kind, isDefault, name)
}

// address reads the address of an answer.
func (a answer) address(status int) address {
	a.t.Helper()
	a.wantStatus(status)
	var body struct{ Data address }
	if err := json.Unmarshal(a.body, &body); err != nil || body.Data.ID == "" {
		a.t.Fatalf("%v\nwant: an address (%v)", a, err)
	}
	return body.Data
}

// newAddress makes an address and returns its path.
func (c client) newAddress(body string) string {
	c.t.Helper()
	return addressesPath + "/" + c.post(addressesPath, body).address(http.StatusCreated).ID
}

// book lists the contact's addresses.
func (c client) book() []address {
	c.t.Helper()
	a := c.get(addressesPath).wantStatus(http.StatusOK)
	var body struct{ Data []address }
	if err := json.Unmarshal(a.body, &body); err != nil || body.Data == nil {
		c.t.Fatalf("%v\nwant: a list (%v)", a, err)
	}
	return body.Data
}

// wantBook compares the list, each address as "type name", a default with an asterisk.
func (c client) wantBook(want ...string) {
	c.t.Helper()
	got := []string{}
	for _, a := range c.book() {
		text := a.Type + " " + a.Name
		if a.IsDefault {
			text += "*"
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		c.t.Errorf("the address book is %q, want %q", got, want)
	}
}
