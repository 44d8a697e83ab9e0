//go:build long

package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// An own document has a mailbox with --demo-mailbox only: its mails let a reader log in as any customer.
func TestLongTheDemoShowsNoMailsOfAnOwnCatalogue(t *testing.T) {
	t.Parallel()
	file := ownDocument(t)
	for _, c := range []struct {
		flags, stores []string
		box, deliver  int
	}{
		{[]string{"--demo"}, []string{file}, 404, 404},
		{[]string{"--demo", "--demo-mailbox"}, []string{file}, 200, 401},
		{[]string{"--demo"}, nil, 200, 401},
	} {
		n := start(t, options{redis: "embedded", stores: c.stores, flags: c.flags})
		for path, status := range map[string]int{"/mail/box": c.box, "/mail": c.deliver} {
			answer, err := http.Post(n.base+path, "application/json", strings.NewReader(`{"email":"ada@example.com"}`))
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != status {
				t.Errorf("%v: POST %s: got %d, want %d", c.flags, path, answer.StatusCode, status)
			}
		}
	}
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--demo-mailbox").wantUsage(t, "--demo-mailbox belongs to --demo with --store")
}

// The demo's keys are public: they replace no store, and a store without them is not taken for the demo's.
func TestLongTheDemoTakesNoStoreOver(t *testing.T) {
	t.Parallel()
	file := ownDocument(t)
	refused := runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo", "--store", file, "--store-replace")
	refused.wantUsage(t, "leave --store-replace out")
	r := redistest.Mini(t)
	start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey("own-storefront-key").get("me").wantStatus(200)
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", r.URL(), "--demo", "--store", file).wantOneLine(t, "in Redis already, with other content")
	shop := start(t, options{redis: r.URL()}).client(t)
	shop.withKey("demo-storefront-key").get("me").wantStatus(401)
}
