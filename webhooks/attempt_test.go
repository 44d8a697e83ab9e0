package webhooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/commerce"
)

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
	client := newClient(true)
	receiver := &commerce.Receiver{ID: "1", Webhook: commerce.Webhook{URL: s.URL, Secrets: [][]byte{make([]byte, 32)}}}
	began := time.Now()
	err := attempt(t.Context(), client, receiver, &commerce.Delivery{ID: "msg_1", Body: []byte("{}"), Now: time.Now()})
	if took := time.Since(began); err != nil || took > maxAnswer*time.Millisecond/2 {
		t.Errorf("%v after %v, want none at once", err, took)
	}
}
