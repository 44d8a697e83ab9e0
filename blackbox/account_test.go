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

// An import keeps the fields that a customer changed through the API. The other fields follow the
// document.
func TestAnImportKeepsWhatACustomerChanged(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base())}}).client(t).withKey(keyAll).withToken(tokenAda)
	c.patch("contacts/me", `{"last_name":"King"}`).wantStatus(200)
	path := c.newAddress(addressBody)
	imports(t, r, storeFile(t, base(), withPassword(ada, newPassword), func(document object) {
		customer := findByID(document["customers"].(list), ada)
		customer["first_name"], customer["last_name"], customer["phone"] = "Augusta", "Lovelace", "1"
		customer["addresses"] = list{}
	})).wantStores(t, "imported")
	if text := string(c.get("contacts/me").body); !strings.Contains(text, `"first_name":"Augusta","last_name":"King","phone":"1"`) {
		t.Errorf("the profile is %s", text)
	}
	c.patch(path, `{"city":"Delft"}`).wantStatus(200)
	c.login(adaEmail, adaPassword).signedIn(200)
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

func TestLogoutEndsOneTokenForGood(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	file := storeFile(t, base())
	c := start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyAll)
	issued := c.login(adaEmail, adaPassword).signedIn(200).Token
	for _, token := range []string{issued, tokenAda} {
		if gone := c.withToken(token).post("contacts/logout", "").wantStatus(204); len(gone.body) != 0 {
			t.Errorf("%v\nwant: no body", gone)
		}
		c.wantUnresolved(token)
		c.withToken(token).post("customers/logout", "").want(401, badCustomerToken)
	}
	changed := storeFile(t, base(), setting("name", "Another name"))
	imports(t, r, changed).wantStores(t, "imported")
	c.wantUnresolved(tokenAda) // an import does not bring it back
	c.withToken(tokenAda).get(c.newCart()).wantStatus(200)
	c.withToken(c.login(adaEmail, adaPassword).signedIn(200).Token).wantBook()
}

// A token resolves until its expiry by Redis's clock.
func TestATokenExpiresAfterThirtyDays(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := contacts(t, r)
	now := time.Now().Truncate(time.Second)
	r.Mini.SetTime(now)
	in := c.login(adaEmail, adaPassword).signedIn(200)
	if want := now.Add(30 * 24 * time.Hour).UTC(); !in.ExpiresAt.Equal(want) {
		t.Errorf("expires at %v, want %v", in.ExpiresAt, want)
	}
	r.Mini.SetTime(in.ExpiresAt.Add(-time.Millisecond))
	c.withToken(in.Token).wantBook()
	r.Mini.SetTime(in.ExpiresAt)
	c.wantUnresolved(in.Token)
}

// A login replaces a hash that costs more than a new one; a cheap hash stays. So do the password and the
// sessions.
func TestLoginReplacesADearHash(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	const email = "dear@example.com"
	const dear = "$2a$10$DgbzOgv4BrkWkTVfxMkhGeLWcr3qrebYmE3RhWsyRTJoZSYfR1O5W" // of cost 10
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), func(document object) {
		document["customers"] = append(document["customers"].(list), object{"id": unknownID, "email": email, "password_hash": dear})
	})}}).client(t).withKey(keyAll)
	hashed := func(id, with string) {
		t.Helper()
		record, err := r.Mini.Get("{" + storeBase + "}:contact:" + id)
		if err != nil || !strings.Contains(record, with) {
			t.Errorf("the record is %q, %v; want a hash %s", record, err, with)
		}
	}
	hashed(unknownID, "$2a$10$")
	first := c.login(email, "a dear password").signedIn(200)
	hashed(unknownID, "$argon2id$v=19$m=19456,t=2,p=1$")
	c.login(email, "a dear password").signedIn(200)
	c.withToken(first.Token).get("contacts/me").wantStatus(200)
	c.login(adaEmail, adaPassword).signedIn(200)
	hashed(ada, "$2a$04$")
}
