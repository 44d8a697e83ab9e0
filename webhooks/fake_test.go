package webhooks

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/commerce"
)

const patience = 10 * time.Second

var secret = []byte("a secret of 24 bytes or more")

// outbox is an Outbox in memory. Its clock stands still while a delivery is due, then jumps to
// the next one. A day of retries takes no time.
type outbox struct {
	t      *testing.T
	wake   chan struct{}
	mu     sync.Mutex
	cond   *sync.Cond
	clock  time.Time
	queues []*queue
}

type queue struct {
	receiver commerce.Receiver
	waiting  []*waiting
	lease    string // empty if no deliverer has it
	released int    // turns that ended without an outcome of their delivery
}

type waiting struct {
	commerce.Delivery
	due time.Time
}

func newOutbox(t *testing.T) *outbox {
	o := &outbox{t: t, wake: make(chan struct{}, 1), clock: time.Now()}
	o.cond = sync.NewCond(&o.mu)
	return o
}

// add adds a receiver with waiting events.
func (o *outbox) add(url string, events int) *queue {
	q := &queue{receiver: commerce.Receiver{Store: uuid.UUID{1}, ID: fmt.Sprint(len(o.queues)), Webhook: commerce.Webhook{URL: url, Secrets: [][]byte{secret}}}}
	for i := range events {
		q.waiting = append(q.waiting, &waiting{commerce.Delivery{
			ID: fmt.Sprintf("msg_%d_%s", i, q.receiver.ID), Event: "stock.adjusted", Body: fmt.Appendf(nil, `{"n": %d}`, i), Since: o.clock,
		}, o.clock})
	}
	o.queues = append(o.queues, q)
	return q
}

func (o *outbox) Wake() <-chan struct{} { return o.wake }

func (o *outbox) Due() ([]commerce.Receiver, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var due []commerce.Receiver
	for {
		var next time.Time
		held := false
		for _, q := range o.queues {
			held = held || q.lease != ""
			for _, w := range q.waiting {
				switch {
				case q.lease == "" && !w.due.After(o.clock):
					r := q.receiver
					r.Lease = fmt.Sprint(o.clock.UnixNano())
					due = append(due, r)
				case next.IsZero() || w.due.Before(next):
					next = w.due
					continue
				default:
					continue
				}
				break
			}
		}
		if len(due) > 0 || held || next.IsZero() {
			return due, nil
		}
		o.clock = next
	}
}

func (o *outbox) find(r *commerce.Receiver) *queue {
	i := slices.IndexFunc(o.queues, func(q *queue) bool { return q.receiver.ID == r.ID })
	return o.queues[i]
}

func (q *queue) finish(last *commerce.Settlement, clock time.Time) {
	if last == nil {
		return
	}
	i := slices.IndexFunc(q.waiting, func(w *waiting) bool { return w.ID == last.Delivery.ID })
	if last.Again == 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		return
	}
	q.waiting[i].Failures++
	q.waiting[i].due = clock.Add(last.Again)
}

func (o *outbox) Next(r *commerce.Receiver, lease time.Duration, last *commerce.Settlement) (*commerce.Delivery, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.cond.Broadcast()
	q := o.find(r)
	if q.lease != "" && q.lease != r.Lease {
		return nil, nil
	}
	if lease <= 0 {
		o.t.Errorf("a lease of %v", lease)
	}
	q.finish(last, o.clock)
	for _, w := range q.waiting {
		if !w.due.After(o.clock) {
			q.lease = r.Lease
			leased := w.Delivery
			leased.Now = o.clock
			return &leased, nil
		}
	}
	q.lease = ""
	o.signal()
	return nil, nil
}

func (o *outbox) Release(r *commerce.Receiver, last *commerce.Settlement) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.cond.Broadcast()
	q := o.find(r)
	if last == nil {
		q.released++
	}
	q.finish(last, o.clock)
	q.lease = ""
	o.signal()
	return nil
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// await waits until a condition over the outbox holds.
func (o *outbox) await(event string, condition func() bool) {
	o.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		late = true
		o.cond.Broadcast()
	})
	defer timer.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for !condition() {
		if late {
			o.t.Fatalf("%s: not within %v", event, patience)
		}
		o.cond.Wait()
	}
}

func (o *outbox) empty() bool {
	return !slices.ContainsFunc(o.queues, func(q *queue) bool { return len(q.waiting) > 0 })
}

// logBook is a deliverer's log.
type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// deliverer starts a deliverer on the outbox. It may connect to private addresses.
func (o *outbox) deliverer(edits ...func(*Config)) (*Deliverer, *logBook) {
	log := &logBook{}
	config := Config{Outbox: o, AttemptTimeout: patience, AllowPrivate: true, Logger: slog.New(slog.NewTextHandler(log, nil))}
	for _, edit := range edits {
		edit(&config)
	}
	d := Start(config)
	o.t.Cleanup(func() { d.Stop(0) })
	return d, log
}

// received is one request that a receiver got.
type received struct {
	id, body string
	signed   error
}

// receiver is a real HTTP server. It verifies the signatures and counts simultaneous requests.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	got  []received
	now  int // simultaneous requests
	peak int // the maximum of now
}

// newReceiver starts a receiver whose n-th request is answered by answer(n, …).
func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	s := &receiver{}
	verifier, _ := standardwebhooks.NewWebhookRaw(secret)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.got)
		s.got = append(s.got, received{r.Header.Get("webhook-id"), string(body), verifier.VerifyIgnoringTimestamp(body, r.Header)})
		s.now++
		s.peak = max(s.peak, s.now)
		s.mu.Unlock()
		answer(n, w, r)
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *receiver) requests() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// atOnce is the maximum number of simultaneous requests.
func (s *receiver) atOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peak
}

func ok(int, http.ResponseWriter, *http.Request) {}
