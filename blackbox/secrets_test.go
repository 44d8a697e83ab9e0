package blackbox_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Keys, tokens, passwords: no log of a whole run shows one, whatever happens.
func TestNoLogShowsASecret(t *testing.T) {
	t.Parallel()
	file := storeFile(t, base(), func(document object) {
		findByID(document["customers"].(list), ada)["password"] = adaPassword
	})
	r := redistest.Real(t)
	if err := r.Client().ConfigSet(context.Background(), "requirepass", "secret-key-redis").Err(); err != nil {
		t.Fatal(err)
	}
	url := strings.Replace(r.URL(), "redis://", "redis://:secret-key-redis@", 1)
	n := start(t, options{redis: url, stores: []string{file}})
	shop := n.client(t)
	path := shop.withToken(tokenAda).fill()
	shop.withKey(keyRevoked).get(path)
	shop.withKey("secret-key-wrong").withToken("secret-token-wrong").get(path)
	shop.withToken(tokenExpired).patch(path, `{"email":`)
	shop.post(path+"/lines", addBody(hammer, "1", strings.Repeat(" ", maxBody)+`"x":1`))
	sendGarbage(t, n.addr, "GET /v1/api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+keyShop+"\r\nbroken header\r\n\r\n")
	sendGarbage(t, n.addr, "GET /v1/api/me HTTP/9.9\r\nAuthorization: Bearer "+keyShop+"\r\nContent-Length: -1\r\n\r\n")
	r.Kill()
	shop.get(path).wantStatus(http.StatusServiceUnavailable)
	shop.withToken(tokenAda).post(path+"/lines", addBody(hammer, "1")).wantStatus(http.StatusServiceUnavailable)
	n.Stop()
	if n.Log.String() == "" {
		t.Error("the node logged nothing at all")
	}
	wantNoSecretsIn(t, n.Log.String())
}

// Every account route, well and badly used, while Redis is there and while it is not:
// no log line and no answer but the one that issues it shows a password or a token.
func TestNoAccountRouteShowsASecret(t *testing.T) {
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
	each := func() {
		for _, token := range []string{issued[1], wrongToken} {
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
	}
	each()
	r.Kill()
	each()
	r.Restart()
	n.Stop()
	if !strings.Contains(n.Log.String(), `"route":"/v1/api/contacts/login"`) {
		t.Error("the access log lacks the requests: nothing is proved")
	}
	wantNoneOf(t, n.Log.String(), append(issued, secrets...))
	wantNoneOf(t, n.Log.String(), []string{adaEmail, "$argon2id$"})
}

// wantNoneOf wants that a text shows none of these.
func wantNoneOf(t *testing.T, text string, hidden []string) {
	t.Helper()
	for _, secret := range hidden {
		if strings.Contains(text, secret) {
			t.Errorf("shows %q:\n%s", secret, short(text))
		}
	}
}

// sendGarbage writes bytes that are no request and waits until the node has
// answered or hung up.
func sendGarbage(t *testing.T, addr, text string) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, requestTimeout)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	_, _ = conn.Read(make([]byte, 1024)) // an answer or the end of the connection
}

func wantNoSecretsIn(t testing.TB, text string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the output shows the secret %q:\n%s", secret, text)
		}
	}
}
