package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cartd/internal/redistest"
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

func TestAnAddressHasEveryField(t *testing.T) {
	t.Parallel()
	c := serve(t, keyShop).withKey(keyAll).withToken(tokenAda)
	c.get(addressesPath).want(200, `{"data":[]}`)
	c.newAddress(placed("billing", "first", false))
	a := c.post(addressesPath, addressBody)
	id := a.address(201).ID
	a.want(201, `{"data":{"id":"`+id+`","type":"shipping","label":null,"is_default":false,"name":"Ada","street":"Dam 1","postal_code":"1012 JS","city":"Amsterdam","country":"NL","phone":null}}`)
	c.patch(addressesPath+"/"+strings.ToUpper(id), `{"type":" work ","label":" Büro\u200b","is_default":"1","name":"B","street":"S","postal_code":"P","city":"C","country":"nl","phone":"+31"}`).
		want(200, `{"data":{"id":"`+id+`","type":"work","label":"Büro","is_default":true,"name":"B","street":"S","postal_code":"P","city":"C","country":"nl","phone":"+31"}}`)
	c.wantBook("work B*", "billing first")
	if gone := c.remove(addressesPath + "/" + id).wantStatus(204); len(gone.body) != 0 {
		t.Errorf("%v\nwant: no body", gone)
	}
	c.remove(addressesPath + "/" + id).wantStatus(404)
	c.wantBook("billing first")
}

// Spec: Addresses, customers in place of contacts; Scopes named.
func TestCustomersIsContacts(t *testing.T) {
	t.Parallel()
	c := serve(t, keyShop).withKey(keyAll).withToken(tokenAda)
	made := c.once(retryKey).post("customers/me/addresses", addressBody)
	id := made.address(201).ID
	c.once(retryKey).post(addressesPath, addressBody).wantReplay(201).want(201, string(made.body))
	c.patch("customers/me/addresses/"+id, `{"city":"Delft"}`).wantStatus(200)
	c.get("customers/me/addresses").want(200, string(c.get(addressesPath).body))
	c.get("customers/me").want(200, string(c.get("contacts/me").body))
	c.remove("customers/me/addresses/" + id).wantStatus(204)
	c.wantBook()
	for _, scope := range []string{"contacts", "customers"} {
		file := storeFile(t, base(), func(document object) {
			document["api_keys"] = list{apiKey("r", "secret-key-r", scope+":read"), apiKey("w", "secret-key-w", scope+":write")}
		})
		c := serveFiles(t, file).withToken(tokenAda)
		for _, path := range []string{addressesPath, "customers/me/addresses"} {
			c.withKey("secret-key-r").get(path).wantStatus(200)
			c.withKey("secret-key-w").post(path, addressBody).wantStatus(201)
			c.withKey("secret-key-w").get(path).want(403, `{"message":"Invalid ability provided."}`)
			c.withKey("secret-key-r").post(path, addressBody).want(403, `{"message":"Invalid ability provided."}`)
		}
	}
}

// Spec: Address, rule 3: removed from the API, retained internally.
func TestADeletedAddressIsRetained(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)}).client(t).withKey(keyAll).withToken(tokenAda)
	path := shop.newAddress(placed("work", "A place to keep", true))
	shop.remove(path).wantStatus(204)
	shop.wantBook()
	deleted, err := r.Mini.ZMembers("{" + storeBase + "}:deleted:" + ada)
	if err != nil || len(deleted) != 1 || !strings.Contains(deleted[0], "A place to keep") {
		t.Errorf("retained: %q, %v; want the address with its time of deletion", deleted, err)
	}
	if export := exports(t, r, storeBase); strings.Contains(export, "A place to keep") {
		t.Error("an export shows a deleted address")
	}
}

// Addresses of another contact and of another store are unknown.
func TestAddressesOfOthersAreUnknown(t *testing.T) {
	t.Parallel()
	shop := serve(t, keyShop, keyOther)
	path := shop.withKey(keyAll).withToken(tokenAda).newAddress(addressBody)
	id := strings.TrimPrefix(path, addressesPath+"/")
	unknown := `{"message":"No query results for model [Address] ` + id + `"}`
	for _, other := range []client{shop.withKey(keyAll).withToken(tokenTess), shop.withKey(keyOther).withToken(tokenAda)} {
		other.patch(path, `{}`).want(404, unknown)
		other.remove(path).want(404, unknown)
		other.wantBook()
	}
}
