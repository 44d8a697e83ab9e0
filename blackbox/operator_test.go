package blackbox_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

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

// Support sees carts and customers, of one store or of all stores.
func TestShow(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop, keyOther)})
	shop := n.client(t).withKey(keyAll)
	path := shop.fill()
	cart := strings.TrimPrefix(path, "commerce/carts/")
	shop.withToken(tokenAda).newAddress(placed("work", "Ada at work", true))
	want := []string{
		"status       active, version 5", "store        " + storeBase + " Base Tools", "e-mail       new@example.com", "metadata     n = 1.10", "(guest)",
		"line 1       2 piece Hammer [", "line 2       2.345 m", "total   ",
	}
	for _, args := range [][]string{{"cart", cart}, {"--store", storeBase, "cart", strings.ToUpper(cart)}} {
		for _, line := range want {
			name, rest, _ := strings.Cut(line, "  ")
			if text := operates(t, r, "show", args...).wants(t); !regexp.MustCompile(`(?m)^`+name+` +.*`+regexp.QuoteMeta(strings.TrimSpace(rest))).MatchString(text) && !strings.Contains(text, line) {
				t.Errorf("cartd show %q\n got: %s\nwant: a line %q", args, text, line)
			}
		}
	}
	for _, args := range [][]string{{"customer", ada}, {"--store", storeBase, "customer", strings.ToUpper(adaEmail)}} {
		operates(t, r, "show", args...).wants(t, ada, adaEmail, "b2c", "Ada at work", "set")
	}
	if text := operates(t, r, "show", "customer", "new@example.com").wants(t, "guest"); strings.Contains(text, "password") {
		t.Errorf("a guest has a password:\n%s", text)
	}
	for _, c := range []struct {
		args []string
		code int
		word string
	}{
		{[]string{"cart", unknownID}, 1, "there is no cart " + unknownID},
		{[]string{"--store", storeOther, "cart", cart}, 1, "there is no cart"},
		{[]string{"customer", "none@example.com"}, 1, "there is no customer"},
		{[]string{"--store", unknownID, "cart", cart}, 1, "there is no cart"},
		{[]string{"cart", "x"}, 2, "no id"},
		{[]string{"card", cart}, 2, "did you mean cart?"},
		{[]string{"cart"}, 2, "cartd show"},
		{[]string{"--store", "x", "cart", cart}, 2, "no id of a store"},
	} {
		operates(t, r, "show", c.args...).wantLine(t, c.code, c.word)
	}
}

// The arithmetic of what is shown holds, whatever the prices include: a line's total is after discounts,
// and subtotal, shipping total and taxes of an order add up to its total.
func TestShownAmountsAddUp(t *testing.T) {
	t.Parallel()
	for _, including := range []bool{true, false} {
		r := redistest.Mini(t)
		shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping, withDiscounts, setting("prices_include_tax", including))}}).client(t)
		path := shop.newCart()
		shop.add(path, cable, "2.5")
		shop.add(path, booklet, "1")
		shop.attach(path, "cable").wantStatus(200)
		rows := []string{": 2.5 × 3.33 EUR − 2.00 EUR discount = 6.33 EUR\n", ": 1 × 10.55 EUR = 10.55 EUR\n"}
		operates(t, r, "show", "cart", idOf(path)).wants(t, rows...)
		o := shop.checkOut(path, delivered).order(http.StatusCreated)
		text := operates(t, r, "show", "order", o.ID).wants(t, append(rows, "\nshipping  ", "\nshipping total  ")...)
		sum := 0
		for _, row := range regexp.MustCompile(`(?m)^(subtotal|shipping total|tax) .*?([0-9]+)\.([0-9]{2}) EUR$`).FindAllStringSubmatch(text, -1) {
			cents, _ := strconv.Atoi(row[2] + row[3])
			sum += cents
		}
		if want := fmt.Sprintf("\ntotal           %d.%02d EUR\n", sum/100, sum%100); !strings.Contains(text, want) || sum != int(o.Totals.Total.Amount) {
			t.Errorf("prices with tax %v: the rows come to %d of %d\n%s", including, sum, o.Totals.Total.Amount, text)
		}
		if shown := operates(t, r, "show", "order", "1").wants(t); shown != text {
			t.Errorf("the order with number 1 is shown as\n%s", shown)
		}
		operates(t, r, "show", "order", "2").wantOneLine(t, "there is no order 2")
		operates(t, r, "show", "order", "x").wantUsage(t, `"x" is no id: give the UUID or the number`)
	}
}

// Texts that a shopper wrote cannot move an operator's cursor, begin a line or turn its direction.
func TestShownTextsAreQuoted(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected)}}).client(t)
	const stored = "\x1b[2J \u009b31m \u2028z" // as earlier releases took it
	standIn := strings.Repeat("z", len(stored))
	o := shop.sells(`{"email":"buyer@example.com","customer_note":"a\nstatus  paid \u202egnp.exe\u2066 ` + standIn + `"}`)
	key, ctx := "{"+storeBase+"}:order:"+o, context.Background()
	r.Client().Set(ctx, key, strings.Replace(r.Client().Get(ctx, key).Val(), standIn, stored, 1), 0)
	shown := operates(t, r, "show", "order", o).wants(t, `a\u000astatus  paid \u202egnp.exe\u2066 \u001b[2J \u009b31m \u2028z`)
	listed := operates(t, r, "orders", "--store", storeBase).wants(t, `\u202egnp.exe\u2066 \u001b[2J \u009b31m \u2028z`)
	for _, text := range []string{shown, listed} {
		if at := strings.IndexFunc(text, func(c rune) bool {
			return c != '\n' && unicode.In(c, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
		}); at >= 0 {
			t.Errorf("%q is in\n%q", text[at:], text)
		}
	}
}

// Support sees a quote in its present state, and its signature as a file.
func TestShowQuote(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	quotes := setting("quotes", object{"enabled": true, "acceptance_mode": "signature", "cart_threshold_amount": 1000})
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping, withDiscounts, quotes), storeFile(t, another(storeOther, keyOther, nil))}}).client(t)
	path := shop.newCart()
	shop.add(path, hammer, "2")
	shop.attach(path, "SHIP").wantStatus(200)
	q := shop.post(path+"/quote-request", `{"email":"buyer@example.com","name":"Buyer","company_name":"Buyers","phone":"020","message":"Soon","reference":"RFQ 7"}`).quote(201)
	wants := func(args []string, rows ...string) {
		t.Helper()
		text := operates(t, r, "show", append(args, "quote", q.ID)...).wants(t)
		for _, row := range rows {
			name, rest, _ := strings.Cut(row, ": ")
			if !regexp.MustCompile(`(?m)^` + name + ` +` + regexp.QuoteMeta(rest)).MatchString(text) {
				t.Errorf("cartd show %q quote\n got: %s\nwant: a row %q", args, text, row)
			}
		}
	}
	open := []string{
		"quote: " + q.ID + ", number 1\n", "store: " + storeBase + " Base Tools\n", "accepted by: a signature\n", "cart: " + strings.TrimPrefix(path, "commerce/carts/"),
		"e-mail: buyer@example.com\n", "name: Buyer\n", "company: Buyers\n", "phone: 020\n", "message: Soon\n", "reference: RFQ 7\n", "reasons: cart_threshold\n",
		"line 1: 2 piece Hammer [", "discount: Three off (shipping): 3.00 EUR\n", "subtotal: 33.04 EUR\n", "tax: 21 % of 33.04 EUR: 6.94 EUR\n", "total: 39.98 EUR\n",
	}
	wants(nil, append(open, "status: offered, version ")...)
	none := filepath.Join(t.TempDir(), "none.png")
	operates(t, r, "show", "--signature", none, "quote", q.ID).wantOneLine(t, "quote "+q.ID+" has no signature")

	_, o := shop.post(q.path()+"/accept", signedAccept).accepted(201)
	picture, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(onePixel, "data:image/png;base64,"))
	size := fmt.Sprintf("signature: %d bytes of PNG", len(picture))
	closed := append(open, "status: accepted, version ", "accepted: 20", "order: "+o.ID+"\n", "signer: Buyer\n")
	wants([]string{"--store", storeBase}, append(closed, size+": --signature FILE writes them\n")...)
	file := filepath.Join(t.TempDir(), "quote.png")
	wants([]string{"--signature", file}, append(closed, size+", written to "+file+"\n")...)
	if written, err := os.ReadFile(file); err != nil || string(written) != string(picture) {
		t.Errorf("the file holds %q, %v; want %q", written, err, picture)
	}
	if _, err := os.Stat(none); !os.IsNotExist(err) {
		t.Errorf("a file of no signature: %v", err)
	}

	nowhere := filepath.Join(t.TempDir(), "none", "quote.png")
	operates(t, r, "show", "--signature", nowhere, "quote", q.ID).wantOneLine(t, "--signature "+nowhere+": no such file or directory")

	_, q = shop.ask("1")
	shop.post(q.path()+"/decline", `{"reason":"Too dear"}`).bareQuote(200)
	wants(nil, "status: declined, version ", "declined: 20", "why: Too dear\n")
	for _, c := range []struct {
		args []string
		code int
		word string
	}{
		{[]string{"quote", unknownID}, 1, "there is no quote " + unknownID},
		{[]string{"--store", storeOther, "quote", q.ID}, 1, "there is no quote"},
		{[]string{"--", "quote", "-" + q.Token}, 2, "no id"}, // a token may begin with a dash
		{[]string{"--signature", file, "cart", q.ID}, 2, "--signature writes the signature of a quote"},
	} {
		operates(t, r, "show", c.args...).wantLine(t, c.code, c.word)
	}
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
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected, setting("quotes", object{"enabled": true, "acceptance_mode": "signature"}))}})
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
	operates(t, r, "show", "order", sold[0]).wants(t, "number 1", adaEmail, "Lovelace Ltd", "for Lady Lovelace", "2 piece Hammer")
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

	operates(t, r, "erase", "--store", storeBase, "--customer", ada).
		wants(t, "carts: 2 (", "quotes: 3 (e-mail, name, company, phone, message, metadata, signer's name, reason of the decline, signature)", "orders: 4 (", "webhook events given up: 0 (", "contacts: 2 (", "next import would bring the data back")
	text := contentOf(t, r.Client())
	if left := strings.Count(text, "Lovelace Ltd"); left != 1 {
		t.Errorf("%d orders hold the address, want that of Tess alone", left)
	}
	wantAll(text, false, given...)
	wantAll(text, true, "tess@example.com", "of Tess", "Tess at work")
	for i, id := range sold[:2] {
		if shown := operates(t, r, "show", "order", id).wants(t, "GB", "PO 1", "2 piece Hammer"); regexp.MustCompile("Ada|Lovelace|London").MatchString(shown) {
			t.Errorf("order %d shows\n%s", i, shown)
		}
	}
	operates(t, r, "show", "order", sold[2]).wants(t, "tess@example.com", "Lovelace Ltd")
	for i, token := range offers[:2] {
		q := guest.get("sales/quotes/by-token/" + token).bareQuote(200)
		if shown := operates(t, r, "show", "quote", q.ID).wants(t, "accepted, version 5", "RFQ 7", "1 piece Hammer"); regexp.MustCompile("Ada|Countess|PNG").MatchString(shown) || q.Email != "" {
			t.Errorf("quote %d shows\n%s\nand %+v", i, shown, q)
		}
	}
	hers := guest.get("sales/quotes/by-token/" + offers[2]).bareQuote(200)
	operates(t, r, "show", "quote", hers.ID).wants(t, "tess@example.com", "Tess asks", "PNG")
	guest.wantUnresolved(tokenAda)
	guest.login(adaEmail, adaPassword).wantStatus(422)
	asAda.get(bound).wantStatus(403) // no token of the erased customer resolves
	shown := guest.get(open).wantStatus(200)
	wantAll(string(shown.body), false, adaEmail, "Lovelace")
	guest.add(open, hammer, "1")
	wantAll(string(asTess.get(others).wantStatus(200).body), true, "tess@example.com", "of Tess")

	operates(t, r, "show", "customer", ada).wants(t, "erased")
	late := guest.post(unanswered.path()+"/accept", `{`+signed+`,"signer_name":"Countess","billing_address":`+strings.ReplaceAll(place, "Buyer", "Countess")+`}`)
	if late.accepted(201); strings.Count(string(late.body), `"email":null`) != 2 {
		t.Errorf("%s\nwant the e-mail of the quote and of its order null", late.body)
	}
	wantAll(contentOf(t, r.Client()), true, "Countess")
	for _, again := range []string{"1", "0"} { // a quote that was answered since, with its order
		operates(t, r, "erase", "--store", storeBase, "--customer", ada).wants(t, "carts: 0 (", "quotes: "+again+" (", "orders: "+again+" (", "contacts: 0 (")
	}
	wantAll(contentOf(t, r.Client()), false, "Countess")
	guest.register(adaEmail) // the address is free again
}

func TestABadErasureIsOneLine(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	before := stored(t, r.Client())
	for _, c := range []struct {
		args []string
		code int
		word string
	}{
		{[]string{"--customer", ada}, 2, "--store"},
		{[]string{"--store", storeBase}, 2, "--customer"},
		{[]string{"--store", storeBase, "--customer", "x"}, 2, "--customer must be an id or an e-mail address"},
		{[]string{"--store", storeBase, "--customer", unknownID}, 1, "there is no customer"},
		{[]string{"--store", unknownID, "--customer", ada}, 1, "no such store"},
	} {
		operates(t, r, "erase", c.args...).wantLine(t, c.code, c.word)
	}
	wantStored(t, r.Client(), before)
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
	q := c.post(path+"/quote-request", `{"email":"`+email+`","name":"`+name+`","company_name":"`+name+`","phone":"`+name+`","message":"`+name+`","reference":"RFQ 7"}`).quote(201)
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
