package blackbox_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/internal/redistest"
)

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// receiver receives webhooks. It wants every request signed, one id for each event, and one request
// at a time of each queue: changes of stock have one of their own.
type receiver struct {
	*httptest.Server
	t    *testing.T
	mu   sync.Mutex
	now  map[bool]int      // requests under way, of each queue
	seen int               // requests
	ids  map[string]string // of events
	got  map[string]bool   // events that were answered 2xx
}

// newReceiver starts a receiver that answers its n-th request by answer(n, …), which returns
// whether it accepts the event.
func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request) (taken bool)) *receiver {
	t.Helper()
	verifier, err := standardwebhooks.NewWebhook(hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	v := &receiver{t: t, now: map[bool]int{}, ids: map[string]string{}, got: map[string]bool{}}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		if err != nil {
			t.Errorf("%v: %v", r.Header, err)
		}
		n := v.begin(r.Header.Get("webhook-id"), string(body))
		taken := answer(n, w, r)
		v.end(string(body), taken)
	}))
	t.Cleanup(v.Close)
	return v
}

// ofStock reports whether an event is a change of stock.
func ofStock(event string) bool { return strings.Contains(event, `"event":"stock.adjusted"`) }

func (v *receiver) begin(id, event string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	queue := ofStock(event)
	if v.now[queue]++; v.now[queue] > 1 {
		v.t.Errorf("%d requests of a queue at a time", v.now[queue])
	}
	if known := v.ids[event]; known != "" && known != id {
		v.t.Errorf("%s comes as %s and as %s", event, known, id)
	}
	for other, known := range v.ids {
		if known == id && other != event {
			v.t.Errorf("%s is the id of %s and of %s", id, other, event)
		}
	}
	v.ids[event] = id
	v.seen++
	return v.seen - 1
}

func (v *receiver) end(event string, taken bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now[ofStock(event)]--
	if taken {
		v.got[event] = true
	}
}

// requests is the number of requests so far.
func (v *receiver) requests() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.seen
}

// events are the events that the receiver has accepted.
func (v *receiver) events() (all []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for event := range v.got {
		all = append(all, event)
	}
	return all
}

// hookedTo is the base store with webhooks at these receivers.
func hookedTo(receivers ...*receiver) func(object) {
	var hooks list
	for _, v := range receivers {
		hooks = append(hooks, object{"url": v.URL, "secret": hookSecret, "events": list{"contact.password_reset_requested", "stock.adjusted"}})
	}
	return setting("webhooks", hooks)
}

func takes(int, http.ResponseWriter, *http.Request) bool { return true }

// A node dies while it delivers an event. One receiver fails at first, another does not. Each gets
// every event, signed, under one id, from one node at a time.
func TestEventsArriveAlthoughANodeIsKilled(t *testing.T) {
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
func TestFailingEventsDoNotDelayOthers(t *testing.T) {
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
	n := start(t, options{redis: redistest.Real(t).URL(), stores: []string{storeFile(t, base(), withStock, hookedTo(v))}, flags: []string{"--webhook-allow-private"}})
	merchant := n.client(t).withKey(keyAll)
	for i := range events {
		merchant.post("catalog/stock-adjustments", adjustBody(hammer, strconv.Itoa(1+i))).wantStatus(http.StatusCreated)
	}
	poll(t, "all events but one", func() bool { return len(v.events()) == events-1 })
}

// Without the flag no event is sent to a private address. The request is answered all the same.
func TestNoEventIsSentToPrivateAddresses(t *testing.T) {
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
