package blackbox_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// An attribute without a facet is a warning: nearly all of its values differ.
func TestCheckWarnsOfIdentifyingAttributes(t *testing.T) {
	t.Parallel()
	var goods list
	for i := range 60 {
		goods = append(goods, product(itemID(i), fmt.Sprint("P", i), fmt.Sprint("p", i),
			object{"attributes": object{"EAN": fmt.Sprint("871", i), "Colour": "White"}}))
	}
	for count, warned := range map[int]bool{60: true, 50: false} {
		f := runs(t, "check", storeFile(t, base(), selling(goods[:count]...)))
		if got := strings.Contains(f.stdout, "warning: 1 attribute without a facet, because nearly all values differ: EAN (60 values) ("); f.code != 0 ||
			got != warned {
			t.Errorf("%d values: exit %d, warned %v\n%s%s", count, f.code, got, f.stdout, f.stderr)
		}
	}
}

// What breaks a bound that a later release brought is served as it is, and a change set that does not
// send it works.
func TestStoredTextsThatBreakBounds(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), managed, collected, office)}})
	n.client(t).withKey(keyAll).sells(`{"email":"a@b.example","reference":"RFQ 7 of A"}`)
	n.Stop()
	ctx, db := context.Background(), r.Client()
	rewritePages(t, db, func(text string) string { return strings.Replace(text, `"Hammer"`, `"Ham\nmer"`, 1) })
	orders := db.Keys(ctx, "*:order:*").Val()
	for _, key := range orders {
		db.Set(ctx, key, strings.Replace(db.Get(ctx, key).Val(), "RFQ 7 of A", "RFQ\x017 of A", 1), redis.KeepTTL)
	}
	operates(t, r, "check").wants(t, "store "+storeBase+": ok", "orders: 1 read", "this release reads all that is in Redis")

	shop := start(t, options{redis: r.URL()}).client(t)
	if got := shop.get("catalog/products/" + hammer).wantStatus(200); !strings.Contains(string(got.body), `"name":"Ham\nmer"`) {
		t.Errorf("the product is served as %s", got.body)
	}
	if got := shop.withKey(keyOffice).get("orders").wantStatus(200); !strings.Contains(string(got.body), `"reference":"RFQ\u00017 of A"`) {
		t.Errorf("the order is served as %s", got.body)
	}
	erp := shop.withKey(keyManage)
	erp.patch("catalog/products/"+hammer, `{"sku":"H\u0001"}`).want(422, oneField("sku", "The sku field must not contain control characters.", ""))
	erp.patch("catalog/products/"+hammer, `{"price_amount":2600}`).wantStatus(200)
	erp.patch("catalog/products/"+hammer, `{"name":"Ham\nmer"}`).want(422, oneField("name", "The name field must not contain control characters.", ""))
	erp.patch("catalog", `{"format":1,"set":{"products":[`+hammerEntry(2500)+`]}}`).wantStatus(200)
}

// rewritePages changes the texts of the pages of documents. A page is named by its text, so the records get the new names.
func rewritePages(t *testing.T, db *redis.Client, edit func(text string) string) {
	t.Helper()
	ctx := context.Background()
	for _, key := range db.Keys(ctx, "*:page:*").Val() {
		old, err := io.ReadAll(flate.NewReader(strings.NewReader(db.Get(ctx, key).Val()[1:])))
		if err != nil {
			t.Fatal(err)
		}
		text := edit(string(old))
		if text == string(old) {
			continue
		}
		was, is := sha256.Sum256(old), sha256.Sum256([]byte(text))
		value := bytes.NewBufferString("\x01")
		w, _ := flate.NewWriter(value, flate.BestSpeed)
		w.Write([]byte(text))
		w.Close()
		store, _, _ := strings.Cut(key, ":page:")
		db.Set(ctx, fmt.Sprintf("%s:page:%x", store, is[:16]), value.Bytes(), 0)
		db.Expire(ctx, key, time.Minute)
		record := db.Get(ctx, store+":store").Val()
		db.Set(ctx, store+":store", strings.Replace(record, string(was[:16]), string(is[:16]), 1), 0)
	}
}

// What is wrong with the pages of a document is named: a page that is missing, one that is in use and expires, and one
// that is not in use and does not.
func TestCheckFindsFaultyPages(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	imports(t, r, storeFile(t, base())).wantStores(t, "imported")
	imports(t, r, storeFile(t, base(), setting("name", "Another name"))).wantStores(t, "imported")
	operates(t, r, "check").wants(t, "store "+storeBase+": ok", "this release reads all that is in Redis")
	ctx, db := context.Background(), r.Client()
	var used, left string
	for _, key := range db.Keys(ctx, "*:page:*").Val() {
		if db.PTTL(ctx, key).Val() < 0 {
			used = key
		} else {
			left = key
		}
	}
	for _, c := range []struct {
		fault, key  string
		spoil, mend func()
	}{
		{"does not expire", left, func() { db.Persist(ctx, left) }, func() { db.Expire(ctx, left, time.Hour) }},
		{"expires, and", used, func() { db.Expire(ctx, used, time.Hour) }, func() { db.Persist(ctx, used) }},
		{used[strings.Index(used, ":page:")+6:], "", func() { db.Rename(ctx, used, "away") }, func() { db.Rename(ctx, "away", used) }},
	} {
		c.spoil()
		if f := operates(t, r, "check"); f.code != 1 || !strings.Contains(f.stderr, c.fault) || !strings.Contains(f.stderr, c.key) {
			t.Errorf("exit %d\n%s\nwant exit 1, %q and %q", f.code, f.stderr, c.fault, c.key)
		}
		c.mend()
	}
	operates(t, r, "check").wants(t, "this release reads all that is in Redis")
}

// What is wrong with the lists of names and quotes is named, and cartd reindex makes it right: a search finds an account again, and the
// merchant's lists have the quotes.
func TestCheckFindsWrongEntriesOfIndexes(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), desk)}}).client(t)
	merchant := shop.withKey(keyDesk)
	var account struct{ Contact struct{ ID string } }
	shop.withKey(keyAll).post("contacts/register", `{"email":"dijk@example.com","password":"secret-password-new-4e4e","kind":"b2b","company_name":"Van Dijk","last_name":"Piet"}`).
		wantStatus(201).decode(&account)
	work := `{"email":"a@b.co","lines":[{"name":"Work","quantity":1,"unit_price_amount":100,"tax":"standard"}]}`
	write := func() storeQuote { return merchant.post(quoteDesk, work).storeQuote(201) }
	waiting, offered, left := write(), write(), write()
	merchant.post(offered.path("/offer"), `{}`).storeQuote(200)
	const right = "this release reads all that is in Redis"
	operates(t, r, "check").wants(t, right)

	ctx, db, in := context.Background(), r.Client(), "{"+storeBase+"}:"
	key := func(kind, id string) string { return in + kind + ":" + id }
	contact := key("contact", account.Contact.ID)
	db.Del(ctx, key("quote", left.ID)) // its entry leaves when the list is read
	operates(t, r, "check").wants(t, right)
	db.ZRem(ctx, in+"names", "van dijk\n"+account.Contact.ID)
	db.ZRem(ctx, in+"awaiting", account.Contact.ID)
	db.ZAdd(ctx, in+"names", redis.Z{Member: "van dam\n" + account.Contact.ID}, redis.Z{Member: "nobody\n" + unknownID})
	db.ZAdd(ctx, in+"quote-waiting", redis.Z{Member: offered.ID})
	db.ZRem(ctx, in+"quote-waiting", waiting.ID)
	db.ZRem(ctx, in+"quote-offered", offered.ID)
	wrong := []string{
		contact + ": " + in + "names lacks the entry of this record", contact + ": " + in + "awaiting lacks the entry of this record",
		contact + ": " + in + "names has an entry that this record does not have",
		key("contact", unknownID) + ": " + in + "names has an entry that this record does not have",
		key("quote", waiting.ID) + ": " + in + "quote-waiting lacks the entry of this record",
		key("quote", offered.ID) + ": " + in + "quote-waiting has an entry that this record does not have",
		key("quote", offered.ID) + ": " + in + "quote-offered lacks the entry of this record",
		"cartd check: wrong entries of indexes: 7: cartd reindex makes them right, of store " + storeBase,
	}
	f := operates(t, r, "check")
	if got := strings.Split(strings.TrimSpace(f.stderr), "\n"); f.code != 1 || len(got) != len(wrong) || strings.Contains(f.stderr, "dijk") ||
		!strings.Contains(f.stdout, right) {
		t.Errorf("exit %d\n%s\n%s", f.code, f.stdout, f.stderr)
	}
	for _, line := range wrong {
		if !strings.Contains(f.stderr, line+"\n") {
			t.Errorf("the check does not say %q:\n%s", line, f.stderr)
		}
	}
	operates(t, r, "reindex", "--store", storeBase).wants(t, "added 4 entries, removed 4")
	operates(t, r, "check").wants(t, right)
	operates(t, r, "reindex", "--store", storeBase).wants(t, "added 0 entries, removed 0")
	for path, id := range map[string]string{
		"contacts?q=van%20d": account.Contact.ID, "contacts?awaiting=true": account.Contact.ID, quoteDesk + "?state=waiting": waiting.ID,
		quoteDesk + "?state=offered": offered.ID,
	} {
		var page struct{ Data []struct{ ID string } }
		if merchant.get(path).wantStatus(200).decode(&page); len(page.Data) != 1 || page.Data[0].ID != id {
			t.Errorf("%s has %v, want %s", path, page.Data, id)
		}
	}
	merchant.patch(waiting.path(""), `{"internal_note":"Goes on."}`).storeQuote(200)
	if f := operates(t, r, "reindex", "--store", unknownID); f.code != 1 || !strings.Contains(f.stderr, "there is no such store") {
		t.Errorf("exit %d\n%s", f.code, f.stderr)
	}
}
