package main_test

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
	n.terminate(t)
	if n.log.String() == "" {
		t.Error("the node logged nothing at all")
	}
	n.log.wantNoSecrets(t)
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
