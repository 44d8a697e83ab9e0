package blackbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// signedIn is the answer to a login or a registration.
type signedIn struct {
	Token     string
	ExpiresAt time.Time `json:"expires_at"`
	Contact   struct {
		ID          string
		Email       string
		DisplayName string `json:"display_name"`
	}
}

func (a answer) signedIn(status int) signedIn {
	a.t.Helper()
	a.wantStatus(status)
	var body signedIn
	if err := json.Unmarshal(a.body, &body); err != nil || len(body.Token) != 43 || body.Contact.ID == "" {
		a.t.Fatalf("%v\nwant: a token of 32 bytes and a contact (%v)", a, err)
	}
	return body
}

func credentials(email, password string) string {
	return fmt.Sprintf(`{"email":%q,"password":%q}`, email, password)
}

func (c client) login(email, password string) answer {
	c.t.Helper()
	return c.post("contacts/login", credentials(email, password))
}

func (c client) register(email string) signedIn {
	c.t.Helper()
	return c.post("contacts/register", credentials(email, adaPassword)).signedIn(201)
}

// wantUnresolved wants that a token does not resolve (any more).
func (c client) wantUnresolved(token string) {
	c.t.Helper()
	c.withToken(token).get(addressesPath).want(401, badCustomerToken)
}

// contacts serves the base store and returns a client whose key has every scope.
func contacts(t *testing.T, r *redistest.Server, flags ...string) client {
	t.Helper()
	return start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: flags}).client(t).withKey(keyAll)
}

// An export includes registered accounts. Its import has no address twice.
func TestAnExportHasRegisteredAccounts(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := contacts(t, r)
	kept, replaced := c.register("kept@example.com"), c.register("taken@example.com")
	c.withToken(kept.Token).newAddress(placed("work", "Kept place", true))
	imports(t, r, storeFile(t, base(), func(document object) {
		findByID(document["customers"].(list), ada)["email"] = "taken@example.com"
	})).wantStores(t, "imported")
	c.login("taken@example.com", adaPassword).signedIn(200) // Ada, as the document names her
	c.withToken(replaced.Token).get("contacts/me").wantStatus(200)
	document := exports(t, r, storeBase)
	if !strings.Contains(document, kept.Contact.ID) || !strings.Contains(document, "Kept place") || strings.Contains(document, replaced.Contact.ID) {
		t.Errorf("the export is\n%s", document)
	}
	other := redistest.Mini(t)
	if f := pipes(t, []byte(document), "import", "--redis", other.URL(), "-"); f.code != 0 {
		t.Fatalf("importing it: %s", f.stderr)
	}
	moved := start(t, options{redis: other.URL()}).client(t).withKey(keyAll)
	moved.withToken(moved.login("kept@example.com", adaPassword).signedIn(200).Token).wantBook("work Kept place*")
}
