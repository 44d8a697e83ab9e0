//go:build long

package blackbox_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"cartd/blackbox"
	"cartd/internal/redistest"
)

// commitBefore is the last commit of the release before, whose records all have format 2.
const commitBefore = "1414c272"

// programBefore builds that commit from the history. CARTD_BEFORE names a built program instead.
func programBefore(t *testing.T) string {
	t.Helper()
	if program := os.Getenv("CARTD_BEFORE"); program != "" {
		return program
	}
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	sources := t.TempDir()
	archive, program := filepath.Join(sources, "sources.tar"), filepath.Join(t.TempDir(), "cartd")
	for _, command := range []struct {
		dir  string
		args []string
	}{
		{root, []string{"git", "archive", "--output", archive, commitBefore}},
		{sources, []string{"tar", "-xf", archive}},
		{sources, []string{"go", "build", "-trimpath", "-o", program, "./cmd/cartd"}},
	} {
		run := exec.Command(command.args[0], command.args[1:]...)
		run.Dir = command.dir
		if output, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s\nThe test needs the history (git fetch --unshallow), or the program in CARTD_BEFORE.", command.args, err, output)
		}
	}
	return program
}

// mixedTime is how long both builds serve together.
const mixedTime = 15 * time.Second

// A node of the release before and one of today serve the same carts, orders and quotes under load. No
// request fails, nothing is lost, and each reads what the other writes. A record that uses a new part is
// 503 at the node of the release before, which changes nothing of it, until the part is gone.
func TestLongReleaseBefore(t *testing.T) {
	r := redistest.Real(t)
	behind := []string{"--trusted-proxies", "127.0.0.1/32"} // answers to quotes are limited by the caller's address
	o := options{redis: r.URL(), stores: []string{storeFile(t, base(), collected)}, flags: behind}
	old := exec.Command(programBefore(t), o.args()...)
	old.Env = []string{"CARTD_REDIS_TIMEOUT=8s"}
	before, now := listens(t, old), start(t, options{redis: r.URL(), flags: behind})
	before.before = true
	end := time.Now().Add(mixedTime)
	for i := range 6 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			b := &bothBuilds{t: t, dice: rand.New(rand.NewPCG(uint64(i), 43))}
			email := fmt.Sprintf("shopper%d@example.com", i)
			shop := now.client(t).withKey(keyAll)
			token := shop.post("contacts/register", `{"email":`+quoted(email)+`,"password":"`+newPassword+`"}`).wantStatus(201)
			var registered struct{ Token string }
			token.decode(&registered)
			b.now = shop.withToken(registered.Token)
			b.before = b.now.on(before)
			for round := 0; round < 4 || time.Now().Before(end); round++ {
				b.merge()
				b.order()
				b.quote()
				b.newParts()
			}
			b.wantAllKept()
		})
	}
}

// bothBuilds is a customer whose requests go to a node of either build.
type bothBuilds struct {
	t           *testing.T
	dice        *rand.Rand
	before, now client
	// seen are the last answers of today's build, by their paths.
	seen   map[string]answer
	orders int
}

// either returns a client of one of the two nodes.
func (b *bothBuilds) either() client {
	if b.dice.IntN(2) == 0 {
		return b.before
	}
	return b.now
}

// cart makes a cart with an e-mail, metadata and lines, each by one of the nodes.
func (b *bothBuilds) cart() (path string) {
	b.t.Helper()
	path = b.either().newCart()
	b.either().patch(path, `{"email":"a@example.com","metadata":{"source":"newsletter","gift":true}}`).wantStatus(200)
	b.either().post(path+"/lines", `{"product_id":"`+gloves+`","variant_id":"`+glovesS+`","quantity":2}`).wantStatus(201)
	b.either().add(path, cable, "2.5")
	b.agree(path)
	return path
}

// agree reads a record by both nodes: each member that the release before shows is the same today. A
// later read by the node of today answers the same again.
func (b *bothBuilds) agree(path string) answer {
	b.t.Helper()
	now := b.now.get(path).wantStatus(200)
	old := b.before.get(path).wantStatus(200)
	var today, earlier any
	now.decode(&today)
	old.decode(&earlier)
	if diff := missing(earlier, today, ""); diff != "" {
		b.t.Errorf("%s: %s\nbefore: %s\n today: %s", path, diff, old.body, now.body)
	}
	b.now.get(path).want(200, string(now.body))
	if b.seen == nil {
		b.seen = map[string]answer{}
	}
	b.seen[path] = now
	return now
}

// missing returns a member of the answer of the release before that today's answer has not.
func missing(earlier, today any, at string) string {
	switch e := earlier.(type) {
	case object:
		t, is := today.(object)
		for name, value := range e {
			if member, has := t[name]; !is || !has {
				return at + "." + name + " is missing"
			} else if diff := missing(value, member, at+"."+name); diff != "" {
				return diff
			}
		}
		return ""
	case list:
		t, is := today.(list)
		if !is || len(t) != len(e) {
			return at + " has another length"
		}
		for i := range e {
			if diff := missing(e[i], t[i], fmt.Sprintf("%s.%d", at, i)); diff != "" {
				return diff
			}
		}
		return ""
	}
	if !reflect.DeepEqual(earlier, today) {
		return fmt.Sprintf("%s is %v, and was %v", at, today, earlier)
	}
	return ""
}

// merge claims a cart, which folds the customer's other one.
func (b *bothBuilds) merge() {
	b.t.Helper()
	folded, kept := b.cart(), b.either().newCart()
	claimer := b.either()
	claimed := claimer.post(kept+"/claim", "").cart(200)
	if len(claimed.Lines) != 2 || b.agree(folded).cart(200).Status != "merged" || len(b.agree(kept).cart(200).Lines) != 2 {
		b.t.Errorf("the claimed cart is %+v", claimed)
	}
	_, details := b.now.details(folded)
	if into := details.MergedInto; into == nil || *into != idOf(kept) {
		b.t.Errorf("%s was merged into %v, want %s", folded, into, kept)
	}
	b.either().checkOut(kept, "{}").order(201) // the next claim finds none
	b.orders++
}

// withNames are the members of orders and quotes that come from cart and document.
type withNames struct {
	ID       string
	Metadata object
	Lines    []struct {
		VariantName *string `json:"variant_name"`
		Unit        *string
	}
}

// wantNames fails the test unless an order or a quote has the cart's metadata and its lines' names.
func (a answer) wantNames() {
	a.t.Helper()
	var got withNames
	a.decode(&got)
	if got.Metadata["source"] != "newsletter" || len(got.Lines) != 2 || got.Lines[0].VariantName == nil || got.Lines[1].Unit == nil {
		a.t.Errorf("%v\nwant the metadata, a variant's name and a unit", a)
	}
}

// order sells a cart by either node.
func (b *bothBuilds) order() {
	b.t.Helper()
	path, seller := b.cart(), b.either()
	placed := seller.checkOut(path, "{}").order(201)
	b.orders++
	if repeated := b.either().checkOut(path, "{}").order(200); repeated.ID != placed.ID {
		b.t.Errorf("the cart is sold as %s and as %s", placed.ID, repeated.ID)
	}
	b.agree("commerce/orders/" + placed.ID).wantNames()
}

// newParts keeps a checkout with a cart, and sells it. Only the node of today serves the cart meanwhile;
// both nodes serve it again when nothing is kept any more, and its order.
func (b *bothBuilds) newParts() {
	b.t.Helper()
	path := b.cart()
	note := fmt.Sprintf("ring %d times", b.dice.IntN(100))
	keep := func(body string) { b.t.Helper(); b.now.patch(path+"/checkout", body).wantStatus(200) }
	keep(`{"customer_note":` + quoted(note) + `,"reference":"R-1"}`)
	for range 3 {
		b.before.get(path).wantStatus(503)
		b.before.post(path+"/lines", `{"product_id":"`+cable+`","quantity":1}`).wantStatus(503)
		b.before.patch(path, `{"metadata":null}`).wantStatus(503)
		b.before.checkOut(path, "{}").wantStatus(503)
		b.now.add(path, cable, "1")
	}
	if lines := b.now.get(path).cart(200).Lines; b.now.get(path+"/checkout").note() != note || len(lines) != 2 || lines[1].Quantity != "5.5" {
		b.t.Errorf("the cart has %+v, and keeps %q, want %q", lines, b.now.get(path+"/checkout").note(), note)
	}
	if b.dice.IntN(2) == 0 {
		keep(`{"customer_note":null,"reference":null}`)
		b.agree(path)
		b.either().checkOut(path, "{}").order(201)
	} else if sold := b.now.checkOut(path, "{}").wantStatus(201); sold.note() != note {
		b.t.Errorf("the order has the note %q, want %q", sold.note(), note)
	}
	b.agree(path) // the sold cart keeps nothing
	b.orders++
}

// note is the customer's note in an answer with data.
func (a answer) note() string {
	a.t.Helper()
	var envelope struct {
		Data struct {
			Note string `json:"customer_note"`
		}
	}
	a.decode(&envelope)
	return envelope.Data.Note
}

// quote requests a quote by either node, which either node accepts or declines.
func (b *bothBuilds) quote() {
	b.t.Helper()
	path, requester := b.cart(), b.either()
	answerer := b.either().withHeader("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", b.dice.IntN(256), b.dice.IntN(256), b.dice.IntN(256)))
	asked := requester.post(path+"/quote-request", "{}").quote(201)
	b.agree(asked.path()).wantNames()
	if b.dice.IntN(3) == 0 {
		answerer.post(asked.path()+"/decline", `{"reason":"late"}`).bareQuote(200)
		b.agree(asked.path())
		return
	}
	accepted, sold := answerer.post(asked.path()+"/accept", `{"signer_name":"A. Buyer",`+signed+`}`).accepted(201)
	b.orders++
	b.agree(asked.path())
	b.agree("commerce/orders/" + sold.ID).wantNames()
	if accepted.Status != "accepted" || accepted.OrderID == nil || *accepted.OrderID != sold.ID {
		b.t.Errorf("the quote is %+v", accepted)
	}
}

// wantAllKept reads every record again by both nodes, and counts the orders.
func (b *bothBuilds) wantAllKept() {
	b.t.Helper()
	for path, last := range b.seen {
		again := b.agree(path)
		if string(again.body) != string(last.body) && again.cartStatus() == last.cartStatus() {
			b.t.Errorf("%s: %s\nwas %s", path, again.body, last.body)
		}
	}
	for _, c := range []client{b.before, b.now} {
		if _, total := c.orders(""); total != b.orders {
			b.t.Errorf("%d orders, want %d", total, b.orders)
		}
	}
	b.t.Logf("%d orders, %d records", b.orders, len(b.seen))
}

// cartStatus is the status of a cart, empty for another record: a cart is sold after it was seen.
func (a answer) cartStatus() string {
	var envelope struct{ Data struct{ Status string } }
	if json.Unmarshal(a.body, &envelope) != nil {
		return ""
	}
	return envelope.Data.Status
}
