//go:build long

package blackbox_test

import (
	"strconv"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// One caller may fail five times a minute with one address.
func TestLongFiveFailedLoginsAMinute(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	now := time.Now()
	r.Mini.SetTime(now)
	file := storeFile(t, base())
	var nodes [2]client
	for i := range nodes {
		nodes[i] = start(t, options{redis: r.URL(), stores: []string{file}, flags: []string{"--trusted-proxies", "127.0.0.1"}}).client(t).withKey(keyAll)
	}
	c := nodes[0]
	refused := oneField("email", "These credentials do not match our records.", "")
	for i := range 5 {
		c.login(adaEmail, adaPassword).signedIn(200) // successes do not count
		nodes[i%2].login("Ada@example.com", "secret-password-wrong").want(422, refused).
			wantHeader("X-RateLimit-Limit", "5").wantHeader("X-RateLimit-Remaining", strconv.Itoa(4-i))
	}
	for _, password := range []string{"secret-password-wrong", adaPassword} {
		nodes[1].login(adaEmail, password).want(429, tooMany).wantHeader("Retry-After", "60").
			wantHeader("X-RateLimit-Limit", "5").wantHeader("X-RateLimit-Remaining", "0").
			wantHeader("X-RateLimit-Reset", strconv.FormatInt(now.Add(time.Minute+time.Second-time.Nanosecond).Unix(), 10))
	}
	c.login("tess@example.com", adaPassword).want(422, refused)                                         // another address
	c.withHeader("X-Forwarded-For", "192.0.2.7").login(adaEmail, adaPassword).signedIn(200)             // another caller
	c.withHeader("X-Forwarded-For", "2001:db8::1").login(adaEmail, "secret-password-x").wantStatus(422) // one /64 is one caller
	c.withHeader("X-Forwarded-For", "2001:db8::2").login(adaEmail, "secret-password-x").wantHeader("X-RateLimit-Remaining", "3")
	c.withToken(tokenAda).wantBook() // a session goes on
	r.Mini.SetTime(now.Add(time.Minute - time.Millisecond))
	c.login(adaEmail, adaPassword).want(429, tooMany)
	r.Mini.SetTime(now.Add(time.Minute))
	c.login(adaEmail, adaPassword).signedIn(200)
}

// Simultaneous logins do not get past the limit: five with the right password succeed at once, and as
// many fail as the limit allows.
func TestLongSimultaneousLogins(t *testing.T) {
	nodes := freshPair(t)
	for _, o := range together(5, func(i int) outcome {
		return nodes[i%2].withKey(keyAll).outcome("POST", "contacts/login", credentials(adaEmail, adaPassword))
	}) {
		if o.err != nil {
			t.Fatal(o.err)
		}
		o.signedIn(200)
	}
	failed := 0
	for _, o := range together(20, func(i int) outcome {
		return nodes[i%2].withKey(keyAll).outcome("POST", "contacts/login", credentials(adaEmail, "secret-password-wrong"))
	}) {
		switch {
		case o.err != nil:
			t.Fatal(o.err)
		case o.status == 422:
			failed++
		default:
			o.want(429, tooMany)
		}
	}
	if failed != 5 {
		t.Errorf("%d logins failed, want 5 and the rest refused", failed)
	}
}

// Refused logins are answered in steps of time, for known and for unknown addresses.
func TestLongRefusedLoginsAreAnsweredInStepsOfTime(t *testing.T) {
	t.Parallel()
	const step = 500 * time.Millisecond
	c := contacts(t, redistest.Mini(t))
	for _, email := range []string{adaEmail, "nobody@example.com", "tess@example.com"} {
		began := time.Now()
		c.login(email, "secret-password-wrong").wantStatus(422)
		if took := time.Since(began); took < step {
			t.Errorf("%s: refused after %v, want no earlier than %v", email, took, step)
		}
	}
}
