//go:build long

package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// wantNoneOf wants a text without these secrets.
func wantNoneOf(t *testing.T, text string, hidden []string) {
	t.Helper()
	for _, secret := range hidden {
		if strings.Contains(text, secret) {
			t.Errorf("shows %q:\n%s", secret, short(text))
		}
	}
}

// Every account route, used correctly and wrongly, with and without Redis: no log line shows a
// password or a token, and no answer but the one that issues it.
func TestLongNoAccountRouteShowsASecret(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hooked)}, flags: []string{"--access-log", "--redis-timeout", "250ms"}})
	c := n.client(t).withKey(keyAll)
	issued := []string{c.register("secret@example.com").Token, c.login(adaEmail, adaPassword).signedIn(200).Token, c.resetToken(r, adaEmail)}
	bodies := []string{
		credentials(adaEmail, adaPassword), credentials(adaEmail, "secret-password-wrong"), `{"password":"secret-password-broken`,
		resetBody(issued[2], adaEmail, newPassword), resetBody("secret-token-reset", adaEmail, "secret-password-x"),
		`{"current_password":"` + adaPassword + `","password":"secret-password-y","password_confirmation":"secret-password-z"}`,
		`{"current_password":"` + newPassword + `","password":"` + adaPassword + `","password_confirmation":"` + adaPassword + `"}`,
	}
	calls := []string{
		"POST contacts/register", "POST contacts/login", "POST contacts/forgot-password", "POST contacts/reset-password",
		"PUT contacts/me/password", "PATCH contacts/me", "POST contacts/me/addresses", "GET contacts/me", "POST contacts/logout",
	}
	each := func(token string, bodies []string) {
		for _, call := range calls {
			method, path, _ := strings.Cut(call, " ")
			for _, body := range bodies {
				a := c.withToken(token).request(method, path, body)
				if text := string(a.body); !strings.Contains(text, `"token":`) || a.status > 201 {
					wantNoneOf(t, text, append(issued, secrets...))
				}
			}
		}
	}
	each(issued[1], bodies)
	each(wrongToken, bodies[:3])
	r.Kill()
	each(issued[1], bodies[:3])
	r.Restart()
	n.Stop()
	if !strings.Contains(n.Log.String(), `"route":"/v1/api/contacts/login"`) {
		t.Error("the access log lacks the requests: nothing is proved")
	}
	wantNoneOf(t, n.Log.String(), append(issued, secrets...))
	wantNoneOf(t, n.Log.String(), []string{adaEmail, "$argon2id$", "$2a$"})
}
