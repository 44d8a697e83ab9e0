package webhooks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
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

// The pauses double, with jitter, and end after a day.
func TestTheRetriesOfADay(t *testing.T) {
	for _, dice := range []float64{0, 0.5, 0.999} {
		var age, last time.Duration
		failures := 1
		for ; ; failures++ {
			wait, again := retryAfter(failures, age, dice)
			if !again {
				break
			}
			if doubled := 2 * last; last > 0 && wait != doubled && wait < longestRetry*3/4 {
				t.Errorf("retry %d comes after %v, want %v", failures, wait, doubled)
			}
			if wait > longestRetry*5/4 {
				t.Errorf("retry %d comes after %v, want at most %v and a quarter", failures, wait, longestRetry)
			}
			age, last = age+wait, wait
		}
		if age < giveUpAfter-longestRetry*5/4 || age > giveUpAfter || failures < 20 || failures > 30 {
			t.Errorf("dice %v: given up after %d failures in %v", dice, failures, age)
		}
	}
}

func TestTheJitterOfARetry(t *testing.T) {
	for dice, want := range map[float64]time.Duration{0: 6 * time.Second, 0.5: 8 * time.Second, 1: 10 * time.Second} {
		if got, again := retryAfter(4, 0, dice); got != want || !again {
			t.Errorf("retry 4 with dice %v comes after %v, %v; want %v", dice, got, again, want)
		}
	}
	if got, again := retryAfter(1<<40, 0, 0.5); got != longestRetry || !again {
		t.Errorf("after countless failures %v, %v", got, again)
	}
	if _, again := retryAfter(1, giveUpAfter, 0); again {
		t.Error("a delivery that is a day old is tried again")
	}
}

func TestPublicAddresses(t *testing.T) {
	for _, text := range strings.Fields(`
		93.184.216.34 1.1.1.1 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.169.0.1 198.17.0.1 223.255.255.255 169.253.0.1
		2606:4700::1111 2a00:1450:4001::8a ::ffff:93.184.216.34 64:ff9b::5db8:d822 2002:5db8:d822::1`) {
		if !public(netip.MustParseAddr(text)) {
			t.Errorf("%s is refused", text)
		}
	}
	for _, text := range strings.Fields(`
		127.0.0.1 127.255.0.9 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 100.127.255.255 0.0.0.0 0.1.2.3
		192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 192.88.99.1
		:: ::1 ::127.0.0.1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:0 ::ffff:0:10.0.0.1
		fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::1 ff0e::1 100::1 2001:db8::1 2001::1 2001:10::1 3fff::1 5f00::1
		64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1::1 2002:a00:1::1 2002:c0a8:101::1`) {
		if public(netip.MustParseAddr(text)) {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestADialerRefusesAddressesItCannotParse(t *testing.T) {
	for _, address := range []string{"", "93.184.216.34", "example.org:80", "[fe80::1%lo]:80", "127.0.0.1:80"} {
		if err := refusePrivate("tcp", address, nil); err != errPrivate {
			t.Errorf("refusePrivate(%q) = %v", address, err)
		}
	}
	if err := refusePrivate("tcp6", "[2606:4700::1111]:443", nil); err != nil {
		t.Errorf("a public address: %v", err)
	}
}
