package blackbox_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"cartd/internal/redistest"
)

// shown is a record that cartd show prints.
type shown struct{ Data, Operator json.RawMessage }

// shows runs cartd show and returns the records. Each is indented.
func shows(t *testing.T, r *redistest.Server, args ...string) (all []shown) {
	t.Helper()
	text := operates(t, r, "show", args...).wants(t, "{\n  \"data\": ", "\n  \"operator\": {\n    \"", "\n}\n")
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var one shown
		if err := d.Decode(&one); err == io.EOF {
			return all
		} else if err != nil || one.Operator == nil {
			t.Fatalf("cartd show %q: %v\n%s", args, err, text)
		}
		all = append(all, one)
	}
}

// wantAs wants the data of the one record to be that of an answer, member for member, and values in the operator's part, by path.
func wantAs(t *testing.T, all []shown, answered []byte, operator map[string]string) {
	t.Helper()
	if len(all) != 1 {
		t.Fatalf("%d records are shown, want 1", len(all))
	}
	var data, want bytes.Buffer
	json.Compact(&data, all[0].Data)
	json.Compact(&want, answered)
	if data.String() != want.String() {
		t.Errorf("the data is\n%s\nwant\n%s", data.String(), want.String())
	}
	for path, value := range operator {
		if got := memberAt(all[0].Operator, strings.Split(path, ".")); got != value {
			t.Errorf("operator.%s is %s, want %s", path, got, value)
		}
	}
}

// Support sees carts and customers as the API shows them, of one store or of all stores.
func TestShow(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop, keyOther)})
	shop := n.client(t).withKey(keyAll)
	path, asAda := shop.fill(), shop.withToken(tokenAda)
	asAda.newAddress(placed("work", "Ada at work", true))
	asQuinn := shop.withToken(tokenQuinn) // the group makes quotes of all carts
	hers := asQuinn.newCart()
	asQuinn.add(hers, hammer, "2")
	asQuinn.patch(hers, `{"email":"quinn@example.com"}`).wantStatus(200)
	store := `{"id":"` + storeBase + `","name":"Base Tools"}`
	for _, c := range []struct {
		args     []string
		answer   []byte
		operator map[string]string
	}{
		{[]string{"cart", idOf(path)}, dataOf(shop.get(path)), map[string]string{"store": store, "key": `"{` + storeBase + `}:cart:` + idOf(path) + `"`, "version": "5", "customer.guest": "true", "holds": "[]"}},
		{[]string{"--store", storeBase, "cart", strings.ToUpper(idOf(path))}, dataOf(shop.get(path)), nil},
		{[]string{"cart", idOf(hers)}, dataOf(asQuinn.get(hers)), map[string]string{"customer": `{"id":"` + quinn + `","guest":false}`, "merged_into": "null"}},
		{[]string{"--store", storeBase, "customer", ada}, asAda.get("contacts/me").body, map[string]string{"store": store, "key": `"{` + storeBase + `}:contact:` + ada + `"`, "account": "true", "has_password": "true", "addresses.name": `["Ada at work"]`}},
		{[]string{"--store", storeBase, "customer", strings.ToUpper(adaEmail)}, asAda.get("contacts/me").body, map[string]string{"carts_count": "0"}},
	} {
		wantAs(t, shows(t, r, c.args...), c.answer, c.operator)
	}
	for _, secret := range []string{adaHash, tokenAda, tokenQuinn} {
		for _, args := range [][]string{{"customer", ada}, {"--table", "customer", ada}, {"customer", quinn}} {
			if text := operates(t, r, "show", args...).stdout; strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", sha256.Sum256([]byte(secret)))) {
				t.Errorf("cartd show %q prints a secret:\n%s", args, text)
			}
		}
	}
	if all := shows(t, r, "customer", "new@example.com"); len(all) != 1 || memberAt(all[0].Operator, []string{"has_password"}) != "false" || memberAt(all[0].Operator, []string{"account"}) != "false" {
		t.Errorf("a guest is shown as %s", all)
	}
	for _, c := range []struct {
		args []string
		code int
		word string
	}{
		{[]string{"cart", unknownID}, 1, "there is no cart " + unknownID},
		{[]string{"--store", storeOther, "cart", idOf(path)}, 1, "there is no cart"},
		{[]string{"customer", "none@example.com"}, 1, "there is no customer"},
		{[]string{"--store", unknownID, "cart", idOf(path)}, 1, "there is no cart"},
		{[]string{"cart", "x"}, 2, "no id"},
		{[]string{"card", idOf(path)}, 2, "did you mean cart?"},
		{[]string{"cart"}, 2, "cartd show"},
		{[]string{"--store", "x", "cart", idOf(path)}, 2, "no id of a store"},
	} {
		operates(t, r, "show", c.args...).wantLine(t, c.code, c.word)
	}
}

// dataOf is the data of an answer.
func dataOf(a answer) []byte {
	var body struct{ Data json.RawMessage }
	json.Unmarshal(a.body, &body)
	return body.Data
}

// Support sees an order as the merchant does, by its id or its number, and what of it is not in the API.
func TestShowOrder(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withShipping, withDiscounts, withStock, office)}}).client(t)
	merchant, path := shop.withKey(keyOffice), shop.newCart()
	shop.add(path, cable, "2.5")
	shop.attach(path, "cable").wantStatus(200)
	o := shop.checkOut(path, delivered).order(http.StatusCreated)
	answer := merchant.get("orders/" + o.ID).wantStatus(200).body
	wantAs(t, shows(t, r, "order", o.ID), answer, map[string]string{
		"version": "4", "customer": "null", "stock_taken": `[{"item":"` + cable + `","quantity":2.5}]`, "refunded_at": "null"})
	wantAs(t, shows(t, r, "order", "1"), answer, nil)
	operates(t, r, "show", "--table", "order", "1").wants(t, "\nnumber  ", "\ntotals.shipping_total  ", "operator.stock_taken.1  ")
	operates(t, r, "orders", "--store", storeBase, "--table").wants(t, "NUMBER  ID", "\n1       "+o.ID+"  20", "  placed  ", " EUR  buyer@example.com\n")
	operates(t, r, "show", "order", "2").wantOneLine(t, "there is no order 2")
	operates(t, r, "show", "order", "x").wantUsage(t, `"x" is no id: give the UUID or the number`)
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
	const escaped = `status  paid \u202egnp.exe\u2066 \u001b[2J \u009b31m \u2028z`
	shown := operates(t, r, "show", "order", o).wants(t, `a\n`+escaped)
	rows := operates(t, r, "show", "--table", "order", o).wants(t, `a\u000a`+escaped)
	listed := operates(t, r, "orders", "--store", storeBase).wants(t, `a\n`+escaped)
	for _, text := range []string{shown, rows, listed} {
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
	wants := func(args []string, operator map[string]string) {
		t.Helper()
		wantAs(t, shows(t, r, append(args, "quote", q.ID)...), shop.get("sales/quotes/by-token/"+q.Token).wantStatus(200).body, operator)
	}
	wants(nil, map[string]string{"store": `{"id":"` + storeBase + `","name":"Base Tools"}`, "customer": "null", "signature": "null",
		"shipping_discounts": `[{"name":"Three off","code":"SHIP","amount":{"amount":300,"currency":"EUR"},"percent":null}]`})
	none := filepath.Join(t.TempDir(), "none.png")
	operates(t, r, "show", "--signature", none, "quote", q.ID).wantOneLine(t, "quote "+q.ID+" has no signature")

	shop.post(q.path()+"/accept", signedAccept).accepted(201)
	picture, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(onePixel, "data:image/png;base64,"))
	size := fmt.Sprintf(`{"bytes":%d,"file":`, len(picture))
	wants([]string{"--store", storeBase}, map[string]string{"signature": size + "null}"})
	file := filepath.Join(t.TempDir(), "quote.png")
	wants([]string{"--signature", file}, map[string]string{"signature": size + strconv.Quote(file) + "}"})
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
	wants(nil, map[string]string{"signature": "null"})
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

// Support sees the stock of a product and of each variant, and the carts that hold it.
func TestShowStock(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), withStock)}}).client(t).withKey(keyAll)
	first, second := shop.newCart(), shop.newCart()
	shop.add(first, hammer, "3")
	shop.add(second, hammer, "2")
	shop.add(second, gloves, "1", variant(glovesS))
	wants := func(id, answer string, operator map[string]string) []shown {
		t.Helper()
		all := shows(t, r, "stock", id)
		wantAs(t, all[:1], []byte(answer), operator)
		return all
	}
	row := func(product, variant, status, available string) string {
		return `{"product_id":"` + product + `","variant_id":` + variant + `,"stock_status":"` + status + `","available":` + available + `}`
	}
	wants(hammer, row(hammer, "null", "in_stock", "5"), map[string]string{"store.name": `"Base Tools"`, "product": `"Hammer"`, "on_hand": "10", "held": "5",
		"holds.cart_id": `["` + idOf(first) + `", "` + idOf(second) + `"]`, "holds.held": "[3, 2]"})
	small := map[string]string{"on_hand": "4", "held": "1", "holds.cart_id": `["` + idOf(second) + `"]`}
	wants(glovesS, row(gloves, `"`+glovesS+`"`, "in_stock", "3"), small)
	if all := wants(gloves, row(gloves, `"`+glovesS+`"`, "in_stock", "3"), small); len(all) < 2 || memberAt(all[1].Operator, []string{"on_hand"}) != "0" {
		t.Errorf("the variants are %s", all)
	}
	wants(paper, row(paper, "null", "untracked", "null"), map[string]string{"on_hand": "null", "held": "null"})
	operates(t, r, "show", "stock", unknownID).wantOneLine(t, "there is no stock "+unknownID)
	operates(t, r, "show", "stock", "x").wantUsage(t, "no id")
}

// Support sees the carts, orders and quotes of an account, and of a guest by the address alone.
func TestShowCustomerHasCartsOrdersAndQuotes(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	quotes := setting("quotes", object{"enabled": true, "acceptance_mode": "signature"})
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), collected, quotes)}})
	guest := n.client(t).withKey(keyAll)
	asAda := guest.withToken(tokenAda)
	open := asAda.newCart()
	asAda.add(open, hammer, "1")
	asAda.patch(open, `{"email":"`+adaEmail+`"}`).wantStatus(200)
	sold := asAda.sells(`{"email":"` + adaEmail + `"}`)
	_, asked := asAda.ask("1")
	guestOrder := guest.sells(`{"email":"Guest@Example.com"}`)
	_, guestQuote := guest.ask("2")
	guestCart := guest.newCart()
	guest.patch(guestCart, `{"email":"guest@example.com"}`).wantStatus(200)

	wants := func(operator map[string]string, args ...string) {
		t.Helper()
		all := shows(t, r, args...)
		wantAs(t, all, all[0].Data, operator)
	}
	ids := func(id string) string { return `["` + id + `"]` }
	for _, word := range []string{ada, adaEmail} {
		wants(map[string]string{"carts.lines_count": "[1, 1, 1]", "carts.status": `["converted", "converted", "active"]`, "orders.id": ids(sold), "orders_count": "1", "quotes.id": ids(asked.ID)}, "customer", word)
	}
	wants(map[string]string{"account": "false", "carts.id": ids(idOf(guestCart)), "orders.id": ids(guestOrder), "orders.number": "[2]", "quotes": "[]"},
		"--store", storeBase, "customer", "GUEST@example.com")
	wants(map[string]string{"quotes.id": `["` + guestQuote.ID + `", "` + asked.ID + `"]`, "quotes.number": "[2, 1]", "quotes.status": `["offered", "offered"]`}, "customer", "buyer@example.com")
	for _, key := range r.Client().Keys(t.Context(), "*:contact:*").Val() { // the guest's contact has expired
		if key != "{"+storeBase+"}:contact:"+ada {
			r.Client().Del(t.Context(), key)
		}
	}
	operates(t, r, "show", "customer", "guest@example.com").wants(t, `"data": null`, guestOrder)
}
