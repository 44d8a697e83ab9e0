package blackbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

const day = 24 * time.Hour

// heldNovels is a draft with some novels, held until a time.
func heldNovels(quantity int, until time.Time) string {
	return fmt.Sprintf(`{"email":"a@b.co","hold_stock":true,"shipping":{"name":"Van","price_amount":0,"tax":"standard"},"valid_until":%q,`+
		`"lines":[{"product_id":%q,"quantity":%d}]}`, until.UTC().Format(time.RFC3339), novel, quantity)
}

// levelOf is the stock of a product as the merchant reads it.
func (c client) levelOf(product string) (level struct {
	Available float64
	OnHand    float64 `json:"on_hand"`
	Held      float64
}) {
	c.t.Helper()
	var page struct{ Data []json.RawMessage }
	c.get("stock/levels?ids[]=" + product).wantStatus(200).decode(&page)
	if len(page.Data) != 1 || json.Unmarshal(page.Data[0], &level) != nil {
		c.t.Fatalf("the levels are %s", page.Data)
	}
	return level
}

// Example 15: a node is killed between the commit of an offer and its answer. Repeated with its key there is one version,
// one hold and one event.
func TestOfferIsMadeOnceThoughItsAnswerIsLost(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	hook := newReceiver(t, func(int, http.ResponseWriter, *http.Request) bool { return true })
	file := storeFile(t, base(), desk, webhook(hook, "quote.offered", "quote.withdrawn"))
	flags := []string{"--webhook-allow-private"}
	first := start(t, options{redis: r.URL(), stores: []string{file}, flags: flags})
	shop := start(t, options{redis: r.URL(), stores: []string{file}, flags: flags}).client(t)
	desk := shop.withKey(keyDesk)
	q := desk.post(quoteDesk, heldNovels(10, time.Now().Add(10*day))).storeQuote(201)
	commits := interceptCommitsOf(t, r, "quote")
	killed := make(chan struct{})
	kept := func() string { return r.Client().Get(t.Context(), "{"+storeBase+"}:quote:"+q.ID).Val() }
	before := kept()
	commits.set(func(args []string) bool {
		if commits.run(args); kept() == before {
			return true // Redis has other facts: the node judges again
		}
		commits.set(nil)
		first.Kill()
		close(killed)
		return false
	})
	offer := desk.once("the offer")
	if a, err := offer.on(first).try("POST", q.path("/offer"), `{}`); err == nil {
		t.Fatalf("the killed node answers %v", a)
	}
	<-killed
	offer.post(q.path("/offer"), `{}`).wantReplay(200)
	if q = desk.get(q.path("")).storeQuote(200); q.Version != 1 || *q.Number != 1 || len(q.History) != 2 {
		t.Errorf("the quote is %+v", q)
	}
	if level := shop.withKey(keyReads).levelOf(novel); level.Held != 10 || level.OnHand != 48 {
		t.Errorf("the stock is %+v", level)
	}
	desk.post(q.path("/withdraw"), `{}`).storeQuote(200)
	poll(t, "event of the withdrawal", func() bool { return hook.counts("quote.withdrawn") == 1 })
	if n := hook.counts("quote.offered"); n != 1 {
		t.Errorf("%d events of the offer", n)
	}
	if level := shop.withKey(keyReads).levelOf(novel); level.Held != 0 {
		t.Errorf("the stock after the withdrawal is %+v", level)
	}
}

// webhook sends some events to a receiver.
func webhook(v *receiver, events ...string) func(object) {
	return setting("webhooks", list{object{"url": v.URL, "secret": hookSecret, "events": events}})
}

// counts returns how many events of a name were taken.
func (v *receiver) counts(event string) (n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for body := range v.got {
		if strings.Contains(body, `"event":"`+event+`"`) {
			n++
		}
	}
	return n
}

// A draft has at most half a MiB and 250 lines. The largest one is offered, begun anew as a copy of its terms, and offered again.
func TestBoundsOfADraft(t *testing.T) {
	t.Parallel()
	shop := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), desk, withWords)}}).client(t)
	desk := shop.withKey(keyDesk)
	q := desk.post(quoteDesk, `{"email":"a@b.co","shipping":{"name":"Van","price_amount":0,"tax":"standard"}}`).storeQuote(201)
	grown := func(more, bytes int) string {
		var lines []string
		for _, l := range q.Draft.Lines {
			lines = append(lines, fmt.Sprintf(`{"id":%q}`, l.ID))
		}
		for range more {
			lines = append(lines, wordyLine(len(lines), bytes))
		}
		return `{"lines":[` + strings.Join(lines, ",") + `]}`
	}
	desk.patch(q.path(""), grown(251, 10)).want(422, `{"message":"The lines field must not have more than 250 items.",`+
		`"errors":{"lines":["The lines field must not have more than 250 items."]}}`)
	// edge writes the largest body of a draft, by a length of a text, that is not refused.
	edge := func(longest int, body func(length int) string) {
		length := sort.Search(longest, func(n int) bool { return desk.patch(q.path(""), body(n+1)).status == 422 })
		if length == longest {
			t.Fatalf("a text of %d bytes is not refused", longest)
		}
		q = desk.patch(q.path(""), body(length)).storeQuote(200)
		before := desk.get(q.path(""))
		desk.patch(q.path(""), body(length+1)).want(422, tooLarge)
		desk.get(q.path("")).want(200, string(before.body))
	}
	named := func(length int) string { return `{"lines_discount_name":"` + strings.Repeat("x", length) + `"}` }
	q = desk.patch(q.path(""), grown(113, 4096)).storeQuote(200)
	last := len(q.Draft.Lines)
	edge(4096-5, func(length int) string {
		q.Draft.Lines = q.Draft.Lines[:last]
		return grown(1, 5+length)
	})
	edge(100, named)
	longest := len(q.Draft.LinesDiscountName) + 1
	q = desk.post(q.path("/offer"), `{}`).storeQuote(200)
	q = desk.patch(q.path(""), `{}`).storeQuote(200)
	desk.patch(q.path(""), named(longest)).want(422, tooLarge)
	desk.patch(q.path(""), `{"lines":[]}`).storeQuote(200)
	desk.patch(q.path(""), named(longest)).storeQuote(200)
	desk.request("DELETE", q.path("/draft"), "").wantStatus(204)
	q = desk.patch(q.path(""), `{}`).storeQuote(200)
	if q = desk.post(q.path("/offer"), `{}`).storeQuote(200); q.Version != 2 {
		t.Errorf("the version is %d", q.Version)
	}
	shop.post(q.link()+"/accept", `{"version":2,"shipping_address":`+home+`}`).accepted(201)
}
