package webhooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/commerce"
)

// A receiver may close a kept connection while the next event is on its way. That is no failure.
func TestAConnectionThatIsClosedBetweenEventsIsNoFailure(t *testing.T) {
	const events = 2 * turnDeliveries
	o := newOutbox(t)
	s := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		conn, text, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
		go func() {
			_, _ = text.ReadByte() // the first byte of the next request
			conn.Close()
		}()
	})
	o.add(s.URL, events)
	d, log := o.deliverer()
	o.await("all", o.empty)
	d.Stop(patience)
	for i, got := range s.requests() {
		if got.id != fmt.Sprintf("msg_%d_0", i) || got.signed != nil {
			t.Fatalf("request %d is %+v", i, got)
		}
	}
	if got := d.Counts(); got != (Counts{Delivered: events}) || log.String() != "" {
		t.Errorf("%+v, log: %s", got, log)
	}
}

// A delivery is signed with every secret of its webhook. A receiver that knows one of them
// accepts it.
func TestEverySecretSigns(t *testing.T) {
	old, next, other := []byte(strings.Repeat("o", 24)), []byte(strings.Repeat("n", 24)), []byte(strings.Repeat("x", 24))
	for _, c := range []struct {
		secrets [][]byte
		known   []byte
		accepts bool
	}{
		{[][]byte{old}, old, true},
		{[][]byte{old}, next, false},
		{[][]byte{old, next}, old, true},
		{[][]byte{old, next}, next, true},
		{[][]byte{old, next}, other, false},
	} {
		delivery := &commerce.Delivery{ID: "msg_1", Body: []byte(`{"event":"x"}`), Now: time.Now()}
		r, err := request(t.Context(), &commerce.Receiver{Webhook: commerce.Webhook{URL: "https://x", Secrets: c.secrets}}, delivery)
		if err != nil {
			t.Fatal(err)
		}
		verifier, err := standardwebhooks.NewWebhookRaw(c.known)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.Verify(delivery.Body, r.Header); (err == nil) != c.accepts {
			t.Errorf("signed with %q, verified with %q: %v", c.secrets, c.known, err)
		}
	}
}

// A request that fails on a kept connection is repeated once, even if more kept connections to
// the host exist by then.
func TestABrokenAttemptIsRepeatedOnce(t *testing.T) {
	var broken, kept atomic.Int64
	var client *http.Client
	receiver := func(url string) *commerce.Receiver {
		return &commerce.Receiver{ID: "1", Webhook: commerce.Webhook{URL: url, Secrets: [][]byte{make([]byte, 32)}}}
	}
	try := func(url string) error {
		return attempt(t.Context(), client, receiver(url), &commerce.Delivery{ID: "msg_1", Body: []byte("{}"), Now: time.Now()})
	}
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/broken" {
			return
		}
		broken.Add(1)
		if err := try(s.URL + "/kept"); err == nil { // its connection is kept
			kept.Add(1)
		}
		panic(http.ErrAbortHandler)
	}))
	defer s.Close()
	client = newClient(true, ignoreSurplus)
	defer client.CloseIdleConnections()
	if err := try(s.URL + "/kept"); err != nil {
		t.Fatal(err)
	}
	if err := try(s.URL + "/broken"); err == nil || broken.Load() != 2 || kept.Load() != 2 {
		t.Errorf("%v: sent %d times, %d connections kept; want an error, 2 and 2", err, broken.Load(), kept.Load())
	}
}

func TestAnAnswerMayHaveManyHeaders(t *testing.T) {
	o := newOutbox(t)
	s := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		for i := range 10 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 20<<10))
		}
	})
	o.add(s.URL, 2)
	d, _ := o.deliverer()
	o.await("both", o.empty)
	d.Stop(patience)
	if got := d.Counts(); got != (Counts{Delivered: 2}) {
		t.Errorf("%+v", got)
	}
}

// The status is the answer. A body without an end does not delay the attempt.
func TestAnAttemptDoesNotWaitForAnEndlessBody(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte("."))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	defer s.Close()
	client := newClient(true, ignoreSurplus)
	defer client.CloseIdleConnections()
	receiver := &commerce.Receiver{ID: "1", Webhook: commerce.Webhook{URL: s.URL, Secrets: [][]byte{make([]byte, 32)}}}
	began := time.Now()
	err := attempt(t.Context(), client, receiver, &commerce.Delivery{ID: "msg_1", Body: []byte("{}"), Now: time.Now()})
	if took := time.Since(began); err != nil || took > maxAnswer*time.Millisecond/2 {
		t.Errorf("%v after %v, want none at once", err, took)
	}
}
