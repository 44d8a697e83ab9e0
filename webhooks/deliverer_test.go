package webhooks

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

func TestADeliveryIsSigned(t *testing.T) {
	o := newOutbox(t)
	now := o.clock.Unix()
	s := newReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		at, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		if r.Method != "POST" || r.URL.Path != "/hook" || r.Header.Get("Content-Type") != "application/json" || at != now {
			t.Errorf("%s %s with %v, want a timestamp of %d", r.Method, r.URL, r.Header, now)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	o.add(s.URL+"/hook", 3)
	d, log := o.deliverer()
	o.await("three deliveries", o.empty)
	d.Stop(patience)
	for i, got := range s.requests() {
		if got.signed != nil || got.id != fmt.Sprintf("msg_%d_0", i) || got.body != fmt.Sprintf(`{"n": %d}`, i) {
			t.Errorf("delivery %d: %+v", i, got)
		}
	}
	if d.Counts() != (Counts{Delivered: 3}) || log.String() != "" || s.atOnce() != 1 {
		t.Errorf("%+v, %d at a time, log: %s", d.Counts(), s.atOnce(), log)
	}
}

// Only a 2xx answer in time is a success. After any other outcome the same delivery is repeated.
func TestAFailedDeliveryIsRepeated(t *testing.T) {
	elsewhere := newReceiver(t, ok)
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	status := func(code int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(code)
			_, _ = w.Write([]byte("answer-" + strings.Repeat("x", 1<<20)))
		}
	}
	raw := func(text string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			_, _ = conn.Write([]byte(text))
			conn.Close()
		}
	}
	for _, c := range []struct {
		name, reason string
		fails        func(http.ResponseWriter, *http.Request)
	}{
		{"500", "status 500", status(500)},
		{"302", "status 302", status(302)},
		{"304", "status 304", status(304)},
		{"slow", "no answer in time", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}},
		{"hangs up", "the connection broke", raw("")},
		{"no HTTP", "the connection broke", raw("answer-garbage\r\n\r\n")},
		{"endless header", "the connection broke", raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			s := newReceiver(t, func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 0 {
					c.fails(w, r)
				}
			})
			o.add(strings.Replace(s.URL, "//", "//user:url-secret@", 1)+"/url-secret?url-secret", 2)
			d, log := o.deliverer(func(config *Config) {
				if c.name == "slow" {
					config.AttemptTimeout = 2 * time.Second
				}
			})
			o.await("both deliveries", o.empty)
			got := s.requests()
			if len(got) != 3 || got[0].id != "msg_0_0" || got[1].id != "msg_1_0" || got[2].id != "msg_0_0" || got[2].signed != nil || got[2].body != got[0].body {
				t.Errorf("got %+v\nwant the first again after the second", got)
			}
			d.Stop(patience)
			if d.Counts() != (Counts{Delivered: 2, Failed: 1}) {
				t.Errorf("%+v", d.Counts())
			}
			text := log.String()
			failed, recovered, _ := strings.Cut(text, "\n")
			if !strings.Contains(failed, c.reason) || !strings.Contains(failed, " id=msg_0_0 ") || !strings.Contains(failed, " next_try=") ||
				!strings.Contains(recovered, "takes its events again") || strings.Count(text, "\n") != 2 || strings.Contains(text, "url-secret") ||
				strings.Contains(text, "answer-") {
				t.Errorf("the log says %s\nwant a line with %q, id and next try, one about the recovery, and nothing of address or answer", text, c.reason)
			}
		})
	}
	t.Cleanup(func() {
		if n := len(elsewhere.requests()); n != 0 {
			t.Errorf("%d redirects were followed", n)
		}
	})
}

func TestAReceiverThatIsDown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	o := newOutbox(t)
	began := o.clock
	q := o.add("http://"+l.Addr().String()+"/url-secret", 1)
	d, log := o.deliverer()
	o.await("the end", o.empty)
	d.Stop(patience)
	took := o.clock.Sub(began)
	if got := d.Counts(); got.GivenUp != 1 || got.Failed < 20 || got.Failed > 30 || got.Delivered != 0 {
		t.Errorf("%+v", got)
	}
	if took < 21*time.Hour || took > 24*time.Hour {
		t.Errorf("given up after %v, want about a day", took)
	}
	text := log.String()
	for _, want := range []string{"given up", "id=msg_0_" + q.receiver.ID, "event=stock.adjusted", "total=1", "no connection", q.receiver.Store.String()} {
		if strings.Count(text, want) < 1 {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != int(d.Counts().Failed) || strings.Count(text, "next_try=") != int(d.Counts().Failed)-1 ||
		strings.Contains(text, "url-secret") {
		t.Errorf("the log is\n%s\nwant a line for each failure, all but the last with the next try", text)
	}
}

// Receivers that hang do not delay the receiver of another store, however many they are and whether they
// are known to be troubled.
func TestReceiversDoNotWaitForEachOther(t *testing.T) {
	o := newOutbox(t)
	hold := make(chan struct{})
	defer close(hold)
	hangs := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	for range 99 {
		o.add(hangs.URL, 2)
	}
	s := newReceiver(t, ok)
	q := o.add(s.URL, 3*turnDeliveries)
	q.receiver.Store = uuid.UUID{2}
	began := time.Now()
	o.deliverer()
	o.await("the first delivery to the receiver that answers", func() bool { return len(q.waiting) < 3*turnDeliveries })
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the first delivery came after %v, want at most 2 s", took)
	}
	o.await("the deliveries to the receiver that answers", func() bool { return len(q.waiting) == 0 })
}

// A hanging attempt gives its slot to another receiver until it ends. All turns together are bounded.
func TestHangingAttemptsLeaveRoom(t *testing.T) {
	s := newSlots()
	quick := func() int { return len(s.served) - s.strained - s.hanging }
	for i := range maxTurns {
		receiver := fmt.Sprint("hangs ", i)
		if !s.begin(receiver) {
			t.Fatalf("%s: %d served, %d hang", receiver, len(s.served), s.hanging)
		}
		hung := make(chan struct{})
		defer s.attempt(receiver, func() { close(hung) })()
		if of := s.served[receiver]; !s.lend(of, of.attempts) || quick() != 0 {
			t.Fatalf("%s: %d are quick", receiver, quick())
		}
	}
	if s.begin("one more") {
		t.Errorf("%d are served", len(s.served))
	}
	s.end("hangs 0")
	if s.hanging != maxTurns-1 || !s.begin("one more") {
		t.Errorf("after an end %d hang", s.hanging)
	}
	ended := s.attempt("one more", func() {})
	ended()
	if of := s.served["one more"]; s.lend(of, 1) || of.hangs || s.hanging != maxTurns-1 {
		t.Error("an attempt that has ended hangs")
	}
}

func TestTroubledReceiversLeaveRoom(t *testing.T) {
	s := newSlots()
	for i := range maxServed {
		if receiver := fmt.Sprint("bad ", i); s.note(receiver, true, false) || s.begin(receiver) != (i < maxStrained) {
			t.Fatalf("%s: %+v", receiver, len(s.served))
		}
	}
	for i := range maxServed {
		if receiver := fmt.Sprint("good ", i); !s.begin(receiver) || s.begin(receiver) {
			t.Fatalf("%s: %d served", receiver, len(s.served))
		}
	}
	s.end("good 0")
	s.end("bad 0")
	if !s.note("bad 0", false, false) || s.note("bad 0", false, false) || !s.begin("bad 0") || !s.begin("bad 40") || s.begin("bad 41") {
		t.Errorf("after two ends and a recovery: %d served, %d strained", len(s.served), s.strained)
	}
	for i := range maxTroubled {
		s.note(fmt.Sprint("more ", i), i%2 == 0, true)
	}
	if len(s.troubled) > maxTroubled {
		t.Errorf("%d are remembered", len(s.troubled))
	}
}

// Stop waits for the attempts under way and cancels an attempt that takes too long. Its delivery
// is due again, without a failure.
func TestAStopWaitsAndGivesUp(t *testing.T) {
	for _, patient := range []bool{true, false} {
		o := newOutbox(t)
		began, hold := make(chan struct{}, 1), make(chan struct{})
		s := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
			began <- struct{}{}
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		})
		q := o.add(s.URL, 2)
		d, log := o.deliverer()
		<-began
		stopped := make(chan struct{})
		wait := time.Millisecond
		if patient {
			wait = patience
		}
		go func() { d.Stop(wait); close(stopped) }()
		if patient {
			<-d.stopping
			close(hold)
		}
		<-stopped
		left, want := len(q.waiting), 2
		if patient {
			want = 1
		}
		if left != want || q.lease != "" || (q.released == 0) != patient || q.waiting[0].Failures != 0 || d.Counts().Failed != 0 || log.String() != "" {
			t.Errorf("patient %v: %d left, lease %q, released %d times, %+v, log %s", patient, left, q.lease, q.released, d.Counts(), log)
		}
	}
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	s := newReceiver(t, ok)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1.2.3"} {
		r := &commerce.Receiver{Webhook: commerce.Webhook{URL: "http://" + host + ":" + port, Secrets: [][]byte{secret}}}
		err := attempt(t.Context(), newClient(false), r, &commerce.Delivery{ID: "msg_1", Body: []byte("{}")})
		if err == nil || !strings.Contains(reason(err), "--webhook-allow-private") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if got := s.requests(); len(got) != 0 {
		t.Errorf("the receiver got %+v, want no request", got)
	}
	r := &commerce.Receiver{Webhook: commerce.Webhook{URL: "http://localhost:" + port, Secrets: [][]byte{secret}}}
	if err := attempt(t.Context(), newClient(true), r, &commerce.Delivery{ID: "msg_1", Body: []byte("{}")}); err != nil || len(s.requests()) != 1 {
		t.Errorf("allowed: %v", err)
	}
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	if newClient(false).Transport.(*http.Transport).Proxy != nil {
		t.Error("the transport uses the environment's proxy, which may connect to any address")
	}
}

func TestReasons(t *testing.T) {
	s := newReceiver(t, ok)
	tlsServer := httptest.NewTLSServer(http.NotFoundHandler())
	defer tlsServer.Close()
	tlsServer.Config.ErrorLog = log.New(io.Discard, "", 0)
	r := &commerce.Receiver{Webhook: commerce.Webhook{Secrets: [][]byte{secret}}}
	for url, want := range map[string]string{
		"http://no-such-host.invalid":                    "the name cannot be resolved",
		strings.Replace(s.URL, "http://", "https://", 1): "the connection broke",
		tlsServer.URL: "the certificate is not valid",
	} {
		r.URL = url
		err := attempt(t.Context(), newClient(true), r, &commerce.Delivery{ID: "msg_1", Body: []byte("{}")})
		if err == nil || reason(err) != want {
			t.Errorf("%s: reason(%v) = %q, want %q", url, err, reason(err), want)
		}
	}
}
