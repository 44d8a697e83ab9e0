//go:build long

package blackbox_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// trips notes the commands that nodes send for the base store's keys, by the kind of their first key.
// Each command of a request on an account is a round trip, because the next one waits for its reply.
type trips struct {
	t      *testing.T
	redis  *redis.Client
	lines  *bufio.Scanner
	marked int
}

// ownWork are the kinds of keys that nodes use by themselves: for deliveries, expired holds, and
// unpaid orders.
var ownWork = []string{"holds", "outbox", "webhook", "webhooks", "due", "due-turn"}

// kindOf returns the kind of the first key of a command; empty if it is no key of the base store, or
// if a node sends the command by itself.
func kindOf(command string) string {
	args := strings.Split(strings.Trim(command, `"`), `" "`)
	for i, arg := range args {
		key, mine := strings.CutPrefix(arg, "{"+storeBase+"}:")
		if !mine {
			continue
		}
		kind, _, _ := strings.Cut(key, ":")
		fanOut := kind == "head" && args[i-1] != "1" // of several keys
		if fanOut || slices.Contains(ownWork, kind) {
			return ""
		}
		return kind
	}
	return ""
}

// collect returns the trips since the last call.
func (w *trips) collect() string {
	w.t.Helper()
	w.marked++
	mark := fmt.Sprintf("mark %d", w.marked)
	w.redis.Echo(context.Background(), mark)
	var made []string
	for w.lines.Scan() {
		sender, command, _ := strings.Cut(w.lines.Text(), "] ")
		if strings.Contains(command, mark) {
			return strings.Join(made, " ")
		}
		if kind := kindOf(command); kind != "" && !strings.HasSuffix(sender, " lua") {
			made = append(made, kind)
		}
	}
	w.t.Fatalf("MONITOR ended: %v", w.lines.Err())
	return ""
}

// countTrips lets a real Redis show its commands (MONITOR) from now on.
func countTrips(t *testing.T, r *redistest.Server) *trips {
	t.Helper()
	conn, err := net.Dial("tcp", r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	w := &trips{t: t, redis: r.Client(), lines: bufio.NewScanner(conn)}
	w.lines.Buffer(nil, 1<<20)
	if _, err := conn.Write([]byte("MONITOR\r\n")); err != nil || !w.lines.Scan() || w.lines.Text() != "+OK" {
		t.Fatalf("MONITOR = %q, %v", w.lines.Text(), err)
	}
	w.collect()
	return w
}

// Known and unknown addresses take the same number of trips, so the time of an answer does not show
// which addresses have an account, even with a distant Redis. It makes no difference whether the node
// has the account's contact in memory, or an old state of it.
func TestLongKnownAndUnknownAddressesTakeTheSameTrips(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	other := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hooked)}}).client(t).withKey(keyAll)
	c := start(t, options{redis: r.URL()}).client(t).withKey(keyAll)
	c.get("me").wantStatus(200)
	path := c.newCart()
	c.patch(path, `{"email":"guest@example.com"}`).wantStatus(200)
	forgot := func(c client, email string) {
		c.post("contacts/forgot-password", `{"email":"`+email+`"}`).want(202, resetSent)
	}
	login := func(c client, email string) { c.login(email, "secret-password-wrong").wantStatus(422) }
	reset := func(c client, email string) {
		c.post("contacts/reset-password", resetBody("unknown", email, newPassword)).want(422, oneField("token", resetFailed, ""))
	}
	login(c, "first@example.com") // takes the sample of hashes of this minute
	w := countTrips(t, r)
	for _, row := range []struct {
		name    string
		call    func(c client, email string)
		unknown string // an address without an account
		trip    string // the trips for an address with an account
		want    string // the trips for the unknown address
	}{
		{"forgot-password", forgot, "guest@example.com", "grants email grants", "grants email head"},
		{"login", login, "nobody@example.com", "grants attempts email", "grants attempts email"},
		{"reset-password", reset, "guest@example.com", "grants email", "grants email"},
	} {
		email := row.name + "@example.com"
		other.register(email)
		known := func(state string) {
			t.Helper()
			w.collect()
			row.call(c, email)
			if got := w.collect(); got != row.trip {
				t.Errorf("%s of an account%s took the trips %q, want %q", row.name, state, got, row.trip)
			}
		}
		known(" whose contact is not in memory")
		known(" whose contact is in memory")
		row.call(other, email)
		known(" whose contact another node has changed")
		row.call(c, row.unknown)
		if got := w.collect(); got != row.want {
			t.Errorf("%s of %s took the trips %q, want %q", row.name, row.unknown, got, row.want)
		}
	}
	const often = "often@example.com"
	other.register(often)
	for range 3 {
		forgot(other, often)
	}
	for _, state := range []string{"not in memory", "in memory"} {
		w.collect()
		forgot(c, often)
		if got, want := w.collect(), "grants email grants"; got != want {
			t.Errorf("the fourth reset of an hour, of a contact %s, took the trips %q, want %q", state, got, want)
		}
	}
	body := resetBody(other.resetToken(r, adaEmail), adaEmail, newPassword)
	w.collect()
	c.post("contacts/reset-password", body).wantStatus(204)
	if got, want := w.collect(), "grants email grants"; got != want {
		t.Errorf("a reset took the trips %q, want %q", got, want)
	}
}
