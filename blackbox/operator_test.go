package blackbox_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// operates runs an operator's command on a Redis.
func operates(t *testing.T, r *redistest.Server, command string, args ...string) finished {
	t.Helper()
	return runs(t, append([]string{command, "--redis", r.URL()}, args...)...)
}

// wants wants exit 0 with these words on standard output, and returns the output.
func (f finished) wants(t *testing.T, words ...string) string {
	t.Helper()
	if f.code != 0 || f.stderr != "" {
		t.Errorf("cartd %v\n got: exit %d\n%s%s\nwant: exit 0", f.args, f.code, f.stdout, f.stderr)
	}
	for _, word := range words {
		if !strings.Contains(f.stdout, word) {
			t.Errorf("cartd %v\n got: %s\nwant: %q in it", f.args, f.stdout, word)
		}
	}
	return f.stdout
}

// contentOf is a text of all keys and values in Redis.
func contentOf(t *testing.T, client *redis.Client) string {
	t.Helper()
	var all strings.Builder
	ctx := context.Background()
	keys := client.Keys(ctx, "*").Val()
	slices.Sort(keys)
	for _, key := range keys {
		all.WriteString(key + "\n")
		switch client.Type(ctx, key).Val() {
		case "string":
			all.WriteString(client.Get(ctx, key).Val())
		case "set":
			members := client.SMembers(ctx, key).Val()
			slices.Sort(members)
			all.WriteString(strings.Join(members, "\n"))
		case "zset":
			all.WriteString(strings.Join(client.ZRange(ctx, key, 0, -1).Val(), "\n"))
		case "list":
			all.WriteString(strings.Join(client.LRange(ctx, key, 0, -1).Val(), "\n"))
		case "hash":
			all.WriteString(fmt.Sprint(client.HGetAll(ctx, key).Val())) // in the order of the fields
		}
	}
	return all.String()
}

// After an erasure no key in Redis has a personal datum of the customer, and nodes that had the
// records in memory show none. Other customers keep all of theirs.
func TestEraseRemovesEveryPersonalDatum(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected,
		setting("quotes", object{"enabled": true, "acceptance_mode": "signature"}))}})
	guest := n.client(t).withKey(keyAll)
	asAda, asTess := guest.withToken(tokenAda), guest.withToken(tokenTess)
	bound, open, others := asAda.newCart(), guest.newCart(), asTess.newCart()
	asAda.add(bound, hammer, "2")
	asAda.patch(bound, `{"email":"`+adaEmail+`","metadata":{"note":"for Lady Lovelace"}}`).wantStatus(200)
	guest.patch(open, `{"email":"`+adaEmail+`","metadata":{"note":"Lovelace again"}}`).wantStatus(200)
	asTess.patch(others, `{"email":"tess@example.com","metadata":{"note":"of Tess"}}`).wantStatus(200)
	asAda.newAddress(placed("work", "Ada at work", true))
	asAda.remove(asAda.newAddress(placed("shipping", "Ada once", false))).wantStatus(204)
	asAda.patch("contacts/me", `{"last_name":"Lovelace","phone":"0101"}`).wantStatus(200)
	asTess.newAddress(placed("work", "Tess at work", true))
	sale := `{"email":"` + adaEmail + `","customer_note":"for Lady Lovelace","reference":"PO 1","billing_address":{"name":"Lovelace Ltd","street":"Ada at work","postal_code":"1","city":"London","country":"GB"}}`
	sold := []string{asAda.sells(sale), guest.sells(sale), asTess.sells(strings.ReplaceAll(sale, adaEmail, "tess@example.com"))}
	operates(t, r, "show", "order", sold[0]).wants(t, `"number": 1,`, adaEmail, "Lovelace Ltd", "for Lady Lovelace", `"name": "Hammer"`)
	offers := []string{asAda.offers(adaEmail, "Countess"), guest.offers(adaEmail, "Countess"), asTess.offers("tess@example.com", "Tess asks")}
	_, unanswered := asAda.ask("1")
	given := []string{adaEmail, "Ada once", adaHash, "Countess"}
	wantAll := func(text string, there bool, words ...string) {
		t.Helper()
		for _, word := range words {
			if strings.Contains(text, word) != there {
				t.Errorf("Redis holds %q: %v, want %v", word, !there, there)
			}
		}
	}
	wantAll(contentOf(t, r.Client()), true, given...)

	operates(t, r, "erase", "--store", storeBase, "--customer", ada, "--yes").
		wants(t, "carts: 2 (", "quotes: 3 (e-mail, name, company, VAT id, phone, messages, metadata, texts of lines, note, draft, signer's name, reasons, signature)",
			"orders: 4 (", "webhook events given up: 0 (", "contacts: 2 (", "next import would bring the data back")
	text := contentOf(t, r.Client())
	if left := strings.Count(text, "Lovelace Ltd"); left != 1 {
		t.Errorf("%d orders hold the address, want that of Tess alone", left)
	}
	wantAll(text, false, given...)
	wantAll(text, true, "tess@example.com", "of Tess", "Tess at work")
	for i, id := range sold[:2] {
		if shown := operates(t, r, "show", "order", id).wants(t, "GB", "PO 1", `"name": "Hammer"`); regexp.MustCompile("Ada|Lovelace|London").MatchString(shown) {
			t.Errorf("order %d shows\n%s", i, shown)
		}
	}
	operates(t, r, "show", "order", sold[2]).wants(t, "tess@example.com", "Lovelace Ltd")
	for i, token := range offers[:2] {
		q := guest.get("sales/quotes/by-token/" + token).bareQuote(200)
		if shown := operates(t, r, "show", "quote", q.ID).wants(t, `"status": "accepted"`, `"version": 5`, "RFQ 7",
			`"signature": null`); regexp.MustCompile("Ada|Countess").MatchString(shown) || q.Email != "" {
			t.Errorf("quote %d shows\n%s\nand %+v", i, shown, q)
		}
	}
	hers := guest.get("sales/quotes/by-token/" + offers[2]).bareQuote(200)
	operates(t, r, "show", "quote", hers.ID).wants(t, "tess@example.com", "Tess asks", `"bytes": `)
	guest.wantUnresolved(tokenAda)
	guest.login(adaEmail, adaPassword).wantStatus(422)
	asAda.get(bound).wantStatus(403) // no token of the erased customer resolves
	shown := guest.get(open).wantStatus(200)
	wantAll(string(shown.body), false, adaEmail, "Lovelace")
	guest.add(open, hammer, "1")
	wantAll(string(asTess.get(others).wantStatus(200).body), true, "tess@example.com", "of Tess")

	operates(t, r, "show", "customer", ada).wants(t, `"erased": true`)
	late := guest.post(unanswered.path()+"/accept", `{`+signed+`,"signer_name":"Countess","billing_address":`+strings.ReplaceAll(place, "Buyer", "Countess")+`}`)
	if late.accepted(201); strings.Count(string(late.body), `"email":null`) != 2 {
		t.Errorf("%s\nwant the e-mail of the quote and of its order null", late.body)
	}
	wantAll(contentOf(t, r.Client()), true, "Countess")
	for _, again := range []string{"1", "0"} { // a quote that was answered since, with its order
		operates(t, r, "erase", "--store", storeBase, "--customer", ada, "--yes").wants(t, "carts: 0 (", "quotes: "+again+" (",
			"orders: "+again+" (", "contacts: 0 (")
	}
	wantAll(contentOf(t, r.Client()), false, "Countess")
	guest.register(adaEmail) // the address is free again
}

// A test event reaches its receiver signed, and the command shows the answer. The list counts the
// waiting events.
func TestWebhooksAreListedAndTested(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	good := newReceiver(t, takes)
	bad := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusTeapot)
		return false
	})
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hookedTo(good, bad))}}) // the node delivers to no private address
	c := n.client(t).withKey(keyAll)
	c.post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent)
	var listed string
	for deadline := time.Now().Add(requestTimeout); strings.Count(listed, "  0        1  ") != 2 && time.Now().Before(deadline); {
		listed = operates(t, r, "webhooks", "--store", storeBase).wants(t)
	}
	row := regexp.MustCompile(`(?m)^([0-9a-f]{16}) +127\.0\.0\.1:\d+ +0 +1 +20\S+ \S+Z +0 +1 +contact\.password_reset_requested\n([0-9a-f]{16}):stock +127\.0\.0\.1:\d+ +0 +0 +- +0 +1 +stock\.adjusted$`)
	rows := row.FindAllStringSubmatch(listed, -1)
	if len(rows) != 2 {
		t.Fatalf("the list is\n%s\nwant two webhooks with a delivery that is tried again", listed)
	}
	tests := func(more ...string) finished {
		return operates(t, r, "webhooks", append([]string{"--store", storeBase, "--test"}, more...)...)
	}
	if f := tests("--webhook-allow-private"); f.code != 1 || !strings.Contains(f.stdout, ": delivered, ") || !strings.Contains(f.stdout, ": status 418, ") {
		t.Errorf("cartd webhooks --test: exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
	if events := good.events(); len(events) != 1 || !strings.Contains(events[0], `"event":"webhook.test"`) || !strings.Contains(events[0], storeBase) {
		t.Errorf("the receiver has %q", events)
	}
	if f := tests("--webhook", rows[1][1]); !strings.HasPrefix(f.stdout, rows[1][1]+" 127.0.0.1:") || strings.Count(f.stdout, "\n") != 1 {
		t.Errorf("cartd webhooks --test --webhook %s: %s", rows[1][1], f.stdout)
	}
	if f := tests(); f.code != 1 || strings.Count(f.stdout, "the address is private: see --webhook-allow-private") != 2 {
		t.Errorf("cartd webhooks --test: exit %d\n%s%s", f.code, f.stdout, f.stderr)
	}
	operates(t, r, "webhooks", "--store", storeBase, "--resend").wants(t, rows[0][1], "sent again: 0 events")
	operates(t, r, "webhooks", "--store", storeBase, "--webhook", "x").wantOneLine(t, `no webhook "x"`)
	operates(t, r, "webhooks", "--store", storeBase, "--test", "--resend").wantUsage(t, "give one of")
	operates(t, r, "webhooks").wantUsage(t, "--store")
}

// offers requests a quote under a name, accepts it with a signature and returns its token.
func (c client) offers(email, name string) (token string) {
	c.t.Helper()
	path := c.newCart()
	c.add(path, hammer, "1")
	q := c.post(path+"/quote-request", `{"email":"`+email+`","name":"`+name+`","company_name":"`+name+`","phone":"`+name+`","message":"`+name+
		`","reference":"RFQ 7"}`).quote(201)
	c.post(q.path()+"/accept", `{`+signed+`,"signer_name":"`+name+`"}`).accepted(201)
	return q.Token
}

// sells makes a cart of two hammers, checks it out and returns the order's id.
func (c client) sells(body string) string {
	c.t.Helper()
	path := c.newCart()
	c.add(path, hammer, "2")
	return c.checkOut(path, body).order(http.StatusCreated).ID
}
