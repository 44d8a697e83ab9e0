package bench

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// buyer is one connection, which serves one shopper after the other.
type buyer struct {
	sale  *flash
	index int
	*client
	steps    []exchange
	without  []exchange // the steps of a shopper whose code is used up
	values   values
	answer   answer
	receipts []receipt
	rec      *recorder
}

// receipt is what one shopper was told.
type receipt struct {
	outcome saleOutcome
	at      time.Time // of the last answer
	came    time.Time
	order   string
	amount  Amount
	values  values // to read the order as its shopper
}

// saleOutcome is what a shopper knows at the end of the visit.
type saleOutcome uint8

const (
	outcomeUnsure saleOutcome = iota
	outcomeSold
	outcomeSoldOut
)

// maxRetries is the number of times that a shopper repeats a refused step, or one that has to be
// repeated.
const maxRetries = 100

// retryPause is a shopper's pause after the server refused for lack of capacity, and ahead of a second
// repetition of a step that has to be repeated.
const retryPause = 100 * time.Millisecond

func newBuyer(s *flash, k int) (*buyer, error) {
	p := &s.plan
	c, err := newClient(strings.Split(p.Target, ","), k, p.Roam, p.Adapter, p.Timeout)
	if err != nil {
		return nil, err
	}
	b := &buyer{sale: s, index: k, client: c}
	for _, step := range p.Adapter.Flash.visit(p.Adapter.Flash.Steps) {
		b.steps = append(b.steps, step.compile(p.Adapter))
	}
	for _, step := range p.Adapter.Flash.visit(p.Adapter.Flash.WithoutCode) {
		b.without = append(b.without, step.compile(p.Adapter))
	}
	return b, nil
}

// reset forgets the shopper before.
func (b *buyer) reset() {
	p := &b.sale.plan
	b.values = values{}
	b.values.set(slotProduct, p.Adapter.Flash.Product)
	b.values.set(slotKey, p.Key)
	b.values.set(slotAdmin, p.Admin)
	b.values.set(slotAmount, fmt.Sprint(p.Adapter.Flash.Reduced))
	b.values.set(slotPage, "0")
}

// visit serves one shopper who came at a time, by a connection that was free from a time on. The
// latency of its first request counts from the arrival, that of the others from the answer before.
func (b *buyer) visit(ctx context.Context, came, free time.Time) {
	b.reset()
	got, intended, steps := receipt{came: came}, came, b.steps
	for i, tries := 0, 0; i < len(steps) && ctx.Err() == nil; {
		step := &steps[i]
		sent := time.Now()
		err := b.do(step.send, &b.values, false)
		got.at = time.Now()
		want, f := b.judge(step, err)
		b.rec.record(step.op, moments{intended, free, sent, got.at}, f)
		intended, free = got.at, got.at
		switch {
		case f != nil && f.kind != busy || tries == maxRetries:
			i = len(steps)
		case f != nil, want.means == again:
			if tries++; f != nil || tries > 1 {
				intended = got.at.Add(retryPause)
				waitUntil(ctx, realClock{}, intended)
			}
		case want.means == withoutCode:
			steps, i, tries = b.without, 0, 0
		case want.means == goOn:
			i, tries = i+1, 0
		default:
			b.close(&got, want.means)
			i = len(steps)
		}
	}
	b.receipts = append(b.receipts, got)
}

// busy is the kind of an answer that refused for lack of capacity: nothing was done.
const busy = "refused for lack of capacity"

// judge finds the expected answer in the response and keeps its values.
func (b *buyer) judge(step *exchange, err error) (*awaited, *fault) {
	if err != nil {
		return nil, transport(err)
	}
	b.rec.checked++
	status := b.response.StatusCode()
	want := step.match(&b.response, &b.answer)
	switch {
	case want != nil && want.store(&b.response, &b.values, &b.answer):
		return want, nil
	case want != nil:
		return nil, wrong("form", "%s lacks a value that the adapter keeps: %.300s", step.op, b.response.Body())
	case status == 429 || status == 503:
		return nil, &fault{kind: busy, example: fmt.Sprintf("%s: %d %.300s", step.op, status, b.response.Body())}
	case status >= 500:
		return nil, &fault{kind: fmt.Sprintf("status %d", status), example: fmt.Sprintf("%s: %.300s", step.op, b.response.Body())}
	}
	return nil, wrong(fmt.Sprintf("status %d", status), "%s is answered as the adapter does not expect: %.300s", step.op, b.response.Body())
}

// close ends a visit whose shopper knows the outcome.
func (b *buyer) close(r *receipt, m meaning) {
	if m == soldOut {
		r.outcome = outcomeSoldOut
		return
	}
	amount, _ := fixed(b.values[slotAmount], b.sale.plan.Adapter.Decimals)
	r.outcome, r.order, r.amount = outcomeSold, string(b.values[slotOrder]), Amount(amount)
	for i := range b.values {
		r.values[i] = append([]byte(nil), b.values[i]...)
	}
}
