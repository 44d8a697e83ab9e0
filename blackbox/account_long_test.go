//go:build long

package blackbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// Two nodes get many registrations of one address at once and make one account.
func TestLongSimultaneousRegistrationsMakeOneAccount(t *testing.T) {
	nodes := freshPair(t)
	made := 0
	for _, o := range together(8, func(i int) outcome {
		return nodes[i%2].withKey(keyAll).outcome("POST", "contacts/register", credentials("one@example.com", adaPassword))
	}) {
		switch {
		case o.err != nil:
			t.Fatal(o.err)
		case o.status == 201:
			made++
		default:
			o.want(422, oneField("email", "The email has already been taken.", ""))
		}
	}
	if made != 1 {
		t.Errorf("%d accounts, want one", made)
	}
}

// The node hashes a limited number of passwords at a time. A request beyond the limit is refused
// and has no effect.
func TestLongFullHashPoolRefuses(t *testing.T) {
	t.Parallel()
	const requests = 60
	n := start(t, options{
		redis: redistest.Mini(t).URL(), stores: storeFiles(t, keyShop), env: []string{"GOMAXPROCS=1"},
		flags: []string{"--request-timeout", "5s"}, // so that a busy machine refuses requests that wait longer
	})
	c := n.client(t).withKey(keyAll)
	email := func(i int) string { return fmt.Sprintf("a%d@example.com", i) }
	refused := map[int]bool{}
	for i, o := range together(requests, func(i int) outcome {
		return c.outcome("POST", "contacts/register", credentials(email(i), adaPassword))
	}) {
		switch {
		case o.err != nil:
			t.Fatal(o.err)
		case o.status == 503:
			o.want(503, `{"message":"Service Unavailable"}`).wantHeader("Retry-After", "1")
			refused[i] = true
		case o.status == 504: // the hash took so long on a busy machine that the request's time was over
		default:
			o.signedIn(201)
		}
	}
	if len(refused) == 0 || len(refused) == requests {
		t.Fatalf("%d of %d were refused, want some and not all", len(refused), requests)
	}
	for i := range refused {
		c.register(email(i))
		return
	}
}

// However many wrong logins of one store wait for their hash, a login of another store is among the next.
func TestLongWrongLoginsOfAnotherStore(t *testing.T) {
	const guesses = 120
	n := start(t, options{
		redis: redistest.Mini(t).URL(), env: []string{"GOMAXPROCS=2"}, flags: []string{"--request-timeout", "10s"},
		stores: append(storeFiles(t, keyShop), storeFile(t, another(smallStore(1), smallKey(1), nil))),
	})
	guesser, customer := n.client(t).withKey(smallKey(1)), n.client(t).withKey(keyAll)
	customer.login(adaEmail, adaPassword).signedIn(200)
	full, burst := make(chan struct{}, guesses), make(chan time.Duration)
	go func() {
		began := time.Now()
		together(guesses, func(i int) outcome {
			o := guesser.outcome("POST", "contacts/login", credentials(fmt.Sprintf("a%d@example.com", i), "a wrong one"))
			if o.err == nil && o.status == 503 {
				full <- struct{}{}
			}
			return o
		})
		burst <- time.Since(began)
	}()
	<-full
	var worst time.Duration
	for range 3 {
		began := time.Now()
		customer.login(adaEmail, adaPassword).signedIn(200)
		worst = max(worst, time.Since(began))
	}
	if whole := <-burst; worst > whole/3 {
		t.Errorf("a login beside the guesses took %v, and all guesses %v", worst, whole)
	}
}

// Keys of an account with a wrong type or damaged bytes are answered 503 at once, and the log names
// them.
func TestLongAccountThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop)})
	c, ctx, client := n.client(t).withKey(keyAll), t.Context(), r.Client()
	token := c.login(adaEmail, adaPassword).signedIn(200).Token
	contact := "{" + storeBase + "}:contact:" + ada
	record := client.Get(ctx, contact).Val()
	for what, damage := range map[string]func(){
		"of another type": func() { client.Del(ctx, contact); client.RPush(ctx, contact, "x") },
		"damaged":         func() { client.Set(ctx, contact, record[:20], 0) },
	} {
		damage()
		began := time.Now()
		for _, a := range []answer{c.login(adaEmail, adaPassword), c.withToken(token).get(addressesPath),
			c.withToken(token).patch("contacts/me", `{"first_name":"Ada"}`)} {
			if a.status != 503 {
				t.Errorf("a contact %s: %v\nwant: 503", what, a)
			}
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("a contact %s: the answers took %v", what, took)
		}
	}
	client.Del(ctx, contact)
	client.Set(ctx, contact, record, 0)
	c.login(adaEmail, adaPassword).wantStatus(200)
	if log := fmt.Sprint(n.Log); strings.Count(log, contact) == 0 {
		t.Errorf("the log does not name %s:\n%s", contact, log)
	}
}
