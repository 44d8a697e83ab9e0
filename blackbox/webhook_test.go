package blackbox_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
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
