//go:build long

package blackbox_test

import (
	"net/http"
	"os"
	"slices"
	"testing"

	"cartd/internal/redistest"
)

// A node takes renewed certificates, of another authority, by SIGHUP: its next connections use them.
func TestLongReloadTakesRenewedCertificates(t *testing.T) {
	t.Parallel()
	allowHangup()
	used, renewed := redistest.NewCertificates(t), redistest.NewCertificates(t)
	r := redistest.TLS(t, used)
	n := start(t, options{redis: "rediss://" + r.TLSAddr() + "/0", stores: storeFiles(t, keyShop),
		flags: []string{"--redis-cert", used.Cert, "--redis-key", used.Key, "--redis-ca", used.CA}})
	c := n.client(t)
	c.get("me").wantStatus(http.StatusOK)
	if line := n.reload(t); line.Msg != "reloaded" || len(line.Changed) != 0 {
		t.Errorf("the same certificates: %+v", line)
	}
	for to, from := range map[string]string{used.Cert: renewed.Cert, used.Key: renewed.Key, used.CA: renewed.CA} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if line := n.reload(t); line.Msg != "nothing was reloaded" { // Redis has the old ones
		t.Errorf("certificates that Redis does not accept: %+v", line)
	}
	set := r.Client().Do(t.Context(), "CONFIG", "SET", "tls-cert-file", used.Cert, "tls-key-file", used.Key, "tls-ca-cert-file", used.CA)
	if err := set.Err(); err != nil {
		t.Fatal(err)
	}
	if line := n.reload(t); line.Msg != "reloaded" || !slices.Equal(line.Changed, []string{"redis"}) {
		t.Errorf("renewed certificates: %+v", line)
	}
	if err := r.Client().Do(t.Context(), "CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal").Err(); err != nil {
		t.Fatal(err)
	}
	poll(t, "connections with the renewed certificates", func() bool {
		a, err := c.try("GET", "me", "")
		return err == nil && a.status == http.StatusOK
	})
}
