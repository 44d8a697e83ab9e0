//go:build long

package blackbox_test

import (
	"fmt"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Of simultaneous uses of one reset token one counts.
func TestLongResetIsUsedOnceAtATime(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hooked)}}).client(t).withKey(keyAll)
	token := c.resetToken(r, adaEmail)
	used := 0
	for _, o := range together(6, func(i int) outcome {
		return c.outcome("POST", "contacts/reset-password", resetBody(token, adaEmail, fmt.Sprintf("%s-%d", newPassword, i)))
	}) {
		switch {
		case o.err != nil:
			t.Fatal(o.err)
		case o.status == 204:
			used++
		default:
			o.want(422, oneField("token", resetFailed, ""))
		}
	}
	if used != 1 {
		t.Errorf("used %d times, want once", used)
	}
}

// docs/api/customers.md#account: an account gets at most 3 mails an hour; further requests are 202,
// too. The last two tokens are valid, so that a stranger cannot block the account's reset.
func TestLongThreeResetsAnHour(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	now := time.Now()
	r.Mini.SetTime(now)
	file := storeFile(t, base(), hooked)
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyAll)
	}
	c := nodes[0]
	var tokens [3]string
	for i := range tokens {
		r.Mini.SetTime(now.Add(time.Duration(i) * time.Minute))
		tokens[i] = nodes[i%2].resetToken(r, adaEmail)
	}
	refused := func(after time.Duration) {
		t.Helper()
		r.Mini.SetTime(now.Add(after))
		before := len(outbox(t, r))
		for _, o := range together(4, func(i int) outcome {
			return nodes[i%2].outcome("POST", "contacts/forgot-password", `{"email":"`+adaEmail+`"}`)
		}) {
			if o.err != nil {
				t.Fatal(o.err)
			}
			o.want(202, resetSent)
		}
		if n := len(outbox(t, r)) - before; n != 0 {
			t.Errorf("after %v %d more mails are on their way, want none", after, n)
		}
	}
	refused(time.Hour - time.Second)
	c.post("contacts/reset-password", resetBody(tokens[0], adaEmail, newPassword)).want(422, oneField("token", resetFailed, ""))
	c.post("contacts/reset-password", resetBody(tokens[1], adaEmail, newPassword)).wantStatus(204)
	c.post("contacts/reset-password", resetBody(tokens[2], adaEmail, adaPassword)).want(422, oneField("token", resetFailed, ""))
	refused(time.Hour - time.Second) // a successful reset does not lower the count of mails
	r.Mini.SetTime(now.Add(time.Hour + time.Second))
	again := c.resetToken(r, adaEmail)
	c.post("contacts/reset-password", resetBody(again, adaEmail, adaPassword)).wantStatus(204)
}

// Of many simultaneous requests for a reset three send a mail.
func TestLongSimultaneousRequestsForAReset(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	file := storeFile(t, base(), hooked)
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}}).client(t).withKey(keyAll)
	}
	for _, o := range together(12, func(i int) outcome {
		return nodes[i%2].outcome("POST", "contacts/forgot-password", `{"email":"`+adaEmail+`"}`)
	}) {
		if o.err != nil {
			t.Fatal(o.err)
		}
		o.want(202, resetSent)
	}
	if n := len(outbox(t, r)); n != 3 {
		t.Errorf("%d mails are on their way, want 3", n)
	}
}
