//go:build long

package blackbox_test

import (
	"fmt"
	"net/http"
	"testing"
)

// Of simultaneous password changes one is done. The session that sends them all goes on, so the
// other changes are answered with their refusal, and its other requests are served.
func TestLongSessionGoesOnThroughItsPasswordChange(t *testing.T) {
	nodes := freshPair(t)
	in := nodes[0].withKey(keyAll).register("session@example.com")
	for i := range nodes {
		nodes[i] = nodes[i].withKey(keyAll).withToken(in.Token)
	}
	const changes, others = 3, 12
	got := together(changes+others, func(i int) outcome {
		c := nodes[i%2]
		switch {
		case i < changes:
			next := fmt.Sprintf("new-password-%d", i)
			return c.outcome("PUT", "contacts/me/password", fmt.Sprintf(`{"current_password":%q,"password":%q,"password_confirmation":%q}`, adaPassword, next, next))
		case i%3 == 0:
			return c.outcome("GET", "contacts/me/addresses", "")
		}
		var last outcome
		for n := range 20 { // about as long as the changes take
			if last = c.outcome("PATCH", "contacts/me", fmt.Sprintf(`{"phone":"%d"}`, n)); last.status != http.StatusOK {
				break
			}
		}
		return last
	})
	done := 0
	for i, o := range got {
		switch {
		case i >= changes && o.status != http.StatusOK, i < changes && o.status != http.StatusNoContent && o.status != http.StatusUnprocessableEntity:
			t.Errorf("request %d: %v (%v)", i, o.answer, o.err)
		case i < changes && o.status == http.StatusNoContent:
			done++
		}
	}
	if done != 1 {
		t.Errorf("%d password changes were done, want one", done)
	}
	nodes[1].get("contacts/me").wantStatus(http.StatusOK)
}
