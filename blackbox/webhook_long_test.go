//go:build long

package blackbox_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cartd/internal/redistest"
)

// A node dies while it delivers an event. One receiver fails at first, another does not. Each gets
// every event, signed, under one id, from one node at a time.
func TestLongEventsArriveAlthoughANodeIsKilled(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	underWay := make(chan struct{})
	bad := newReceiver(t, func(n int, w http.ResponseWriter, r *http.Request) bool {
		switch n {
		case 0:
			close(underWay)
			<-r.Context().Done() // until the node dies
			return false
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
			return false
		}
		return true
	})
	good := newReceiver(t, takes)
	file := storeFile(t, base(), hookedTo(bad, good))
	flags := []string{"--webhook-timeout", "2s"}
	dies := start(t, options{redis: r.URL(), stores: []string{file}, flags: append(flags, "--webhook-allow-private")})
	lives := start(t, options{redis: r.URL(), flags: flags, env: []string{"CARTD_WEBHOOK_ALLOW_PRIVATE=true"}})
	c := dies.client(t).withKey(keyAll)
	c.post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent)
	<-underWay
	dies.Kill()
	c = c.on(lives)
	together(2, func(int) answer { return c.post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`) })
	poll(t, "all events at both receivers", func() bool { return len(bad.events()) == 3 && len(good.events()) == 3 })
	used := 0
	for _, event := range bad.events() {
		var reset struct{ Event, Token string }
		if err := json.Unmarshal([]byte(event), &reset); err != nil || reset.Event != "contact.password_reset_requested" {
			t.Errorf("the event is %s", event)
		}
		if c.post("contacts/reset-password", resetBody(reset.Token, adaEmail, newPassword)).status == 204 {
			used++
		}
	}
	if used != 1 {
		t.Errorf("%d tokens work, want one, which ends the others", used)
	}
	client := r.Client()
	poll(t, "an empty outbox", func() bool {
		return client.Exists(t.Context(), "{"+storeBase+"}:outbox", "{"+storeBase+"}:webhooks").Val() == 0
	})
}

// Failing events do not delay the others. One event always fails, every tenth fails once.
func TestLongFailingEventsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	const events = 200
	var mu sync.Mutex
	known := map[string]int{}
	v := newReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		id := r.Header.Get("webhook-id")
		nth, again := known[id]
		if !again {
			nth = len(known)
			known[id] = nth
		}
		if nth == 0 || nth%10 == 0 && !again {
			w.WriteHeader(http.StatusInternalServerError)
			return false
		}
		return true
	})
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, hookedTo(v))},
		flags: []string{"--webhook-allow-private"}})
	merchant := n.client(t).withKey(keyAll)
	for i := range events {
		merchant.post("catalog/stock-adjustments", adjustBody(hammer, strconv.Itoa(1+i))).wantStatus(http.StatusCreated)
	}
	poll(t, "all events but one", func() bool { return len(v.events()) == events-1 })
}

// Without the flag no event is sent to a private address. The request is answered all the same.
func TestLongNoEventIsSentToPrivateAddresses(t *testing.T) {
	t.Parallel()
	v := newReceiver(t, takes)
	n := start(t, options{redis: redistest.Mini(t).URL(), stores: []string{storeFile(t, base(), hookedTo(v))}})
	n.client(t).withKey(keyAll).post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent)
	poll(t, "the refusal in the log", func() bool { return strings.Contains(n.Log.String(), "--webhook-allow-private") })
	if seen := v.requests(); seen != 0 {
		t.Errorf("%d requests arrived", seen)
	}
	if code := n.Stop(); code != 0 {
		t.Errorf("exit status %d", code)
	}
}
