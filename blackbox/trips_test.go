package blackbox_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2/server"

	"cartd/internal/redistest"
)

// trips notes the scripts that a node runs for a request on an account, by the kind of their first
// key. Each is a round trip, because the next one waits for its reply.
type trips struct {
	mu   sync.Mutex
	made []string
}

func countTrips(r *redistest.Server) *trips {
	w := &trips{}
	r.Mini.Server().SetPreHook(func(_ *server.Peer, command string, args ...string) bool {
		if command != "EVALSHA" || len(args) < 3 {
			return false
		}
		key, mine := strings.CutPrefix(args[2], "{"+storeBase+"}:")
		kind, _, _ := strings.Cut(key, ":")
		delivery := kind == "head" && args[1] != "1" // of several keys
		if mine && !delivery && kind != "holds" {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.made = append(w.made, kind)
		}
		return false
	})
	return w
}

// take returns and clears the trips since the last call.
func (w *trips) take() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := strings.Join(w.made, " ")
	w.made = nil
	return made
}

// Known and unknown addresses take the same number of trips, so the time of an answer does not show
// which addresses have an account, even with a distant Redis.
func TestKnownAndUnknownAddressesTakeTheSameTrips(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hooked)}, flags: []string{"--trusted-proxies", "127.0.0.1"}})
	c := n.client(t).withKey(keyAll)
	path := c.newCart()
	c.patch(path, `{"email":"guest@example.com"}`).wantStatus(200)
	w := countTrips(r)
	forgot := func(email string) { c.post("contacts/forgot-password", `{"email":"`+email+`"}`).want(202, resetSent) }
	login := func(email string) { c.login(email, "secret-password-wrong").wantStatus(422) }
	visitor := func(email string) {
		c.withHeader("X-Forwarded-For", "192.0.2.7").login(email, "secret-password-wrong").wantStatus(422)
	}
	reset := func(email string) {
		c.post("contacts/reset-password", resetBody("unknown", email, newPassword)).want(422, oneField("token", resetFailed, ""))
	}
	for _, row := range []struct {
		name string
		call func(email string)
		trip string // the last trip for an address with an account
		want string // the last trip for any other address
	}{
		{"forgot-password", forgot, "grants email grants", "grants email head"},
		{"login", login, "grants attempts email attempts", "grants attempts email attempts"},
		{"login through a proxy", visitor, "grants attempts email attempts", "grants attempts email attempts"},
		{"reset-password", reset, "grants email", "grants email"},
	} {
		row.call(adaEmail)
		if got := w.take(); got != row.trip {
			t.Errorf("%s of an account took the trips %q, want %q", row.name, got, row.trip)
		}
		for _, email := range []string{"nobody@example.com", "guest@example.com"} {
			row.call(email)
			if got := w.take(); got != row.want {
				t.Errorf("%s of %s took the trips %q, want %q", row.name, email, got, row.want)
			}
		}
	}
	forgot(adaEmail)
	forgot(adaEmail)
	w.take()
	forgot(adaEmail)
	if got, want := w.take(), "grants email grants"; got != want {
		t.Errorf("the fourth reset of an hour took the trips %q, want %q", got, want)
	}
}
