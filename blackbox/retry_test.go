package blackbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"cartd/internal/redistest"
)

const (
	// retryKey is a key that every route accepts.
	retryKey  = "5f0c6f0e8f3a4a539b1a3a1c5d0e7f11"
	keyReused = `{"message":"The idempotency key was used for another request.","code":"idempotency_key_reused"}`
	wrongKey  = `{"message":"The idempotency key is not valid."}`
)

// once sends requests with an Idempotency-Key.
func (c client) once(key string) client { return c.withHeader("Idempotency-Key", key) }

// wantReplay wants the replayed answer of an earlier request.
func (a answer) wantReplay(status int) answer {
	a.t.Helper()
	return a.wantStatus(status).wantHeader("Idempotent-Replayed", "true")
}

// repeatable are the writes, each on a cart with two hammers; {line} is their line.
var repeatable = []struct {
	call, body string
	status     int
	want       string // the lines afterwards
}{
	{"POST {cart}/lines", addBody(hammer, "1"), 201, "Hammer 3 × 1999 = 5997"},
	{"PATCH {cart}/lines/{line}", `{"quantity":5}`, 200, "Hammer 5 × 1999 = 9995"},
	{"DELETE {cart}/lines/{line}", "", 200, ""},
	{"PATCH {cart}", `{"email":"new@example.com"}`, 200, "Hammer 2 × 1999 = 3998"},
	{"POST {cart}/lines/batch", batchBody(addBody(hammer, "1"), addBody(hammer, "2")), 201, "Hammer 5 × 1999 = 9995"},
	{"POST {cart}/discount", `{"code":"new"}`, 200, "Hammer 2 × 1999 = 3998"},
	{"DELETE {cart}/discount", "", 200, "Hammer 2 × 1999 = 3998"},
}

// hammers makes a cart with two hammers and puts its ids into a call.
func (c client) hammers(call string) (path, method, at string) {
	c.t.Helper()
	path = c.newCart()
	line := c.add(path, hammer, "2").Lines[0].ID
	method, at, _ = strings.Cut(strings.NewReplacer("{cart}", path, "{line}", line).Replace(call), " ")
	return path, method, at
}

// Clients that hang up do not fill a mailbox. Their repetitions are answered.
func TestClientsThatHungUpMayRepeat(t *testing.T) {
	t.Parallel()
	const mailbox, clients = 4, 10
	r := redistest.Mini(t)
	shop := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--mailbox", fmt.Sprint(mailbox)}}).client(t)
	path := shop.newCart()
	h := interceptCommits(t, r).hold(t)
	var calls [clients]*inFlight
	for i := range calls {
		calls[i] = shop.once(fmt.Sprint("client ", i)).open("POST", path+"/lines", addBody(hammer, "1"))
	}
	<-h.arrived
	for _, call := range calls {
		call.HangUp()
	}
	h.release <- true
	for i := range clients {
		poll(t, "place in the mailbox", func() bool {
			return shop.once(fmt.Sprint("client ", i)).post(path+"/lines", addBody(hammer, "1")).status == http.StatusCreated
		})
	}
	shop.get(path).wantLines(200, fmt.Sprintf("Hammer %d × 1999 = %d", clients, clients*1999))
}
