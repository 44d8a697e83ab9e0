package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// visitor is one connection with carts of its own. It sends one request after the other. The seed and
// the visitor's index alone decide its requests.
type visitor struct {
	world *World
	index int
	rng   *rand.Rand
	*client
	judge
	values  values
	carts   []*record
	books   []*record
	sold    []*record // orders
	created []*record // carts that the operation create has made
	current *record   // the cart of the journey under way
	strides int       // the number of its operations so far
	ledger  *ledger   // nil unless all visitors share a cart
	again   *step     // the step to send a second time
	guest   *record   // the next cart to claim, nil until it is made
	sent    int64     // the number of requests; texts and keys contain it
	rec     *recorder
	// crawl counts who was refused, in a run with crawlers; shoppers is the number of the visitor's journeys.
	crawl    Crawl
	shoppers int
}

// perform sends a step and judges its answer. If there is no readable answer, v.answer is empty
// afterwards.
func (v *visitor) perform(s *step) (answered time.Time, f *fault) {
	v.fill(s)
	v.answer = answer{lines: v.answer.lines[:0]}
	err := v.do(v.sends[s.op], &v.values, s.once != nil)
	answered = time.Now()
	if v.ledger == nil { // otherwise the visitors share the record
		s.rec.touched = true
	}
	if err != nil {
		v.unknown(s)
		return answered, transport(err)
	}
	out, f := v.sends[s.op].outcome(v.response.StatusCode())
	switch out {
	case unknown:
		v.unknown(s)
	case done:
		f = v.review(s)
	}
	if f != nil && out != done {
		f.example = strings.TrimSpace(fmt.Sprintf("%s: %s %.300s", s.op, f.example, v.response.Body()))
	}
	return answered, f
}

// fill sets the slots of a step's templates.
func (v *visitor) fill(s *step) {
	v.values.set(slotCart, s.rec.id)
	v.values.set(slotPage, s.rec.id)
	if s.line >= 0 && s.line < len(s.rec.lines) && !s.repeat {
		v.values.set(slotLine, s.rec.lines[s.line].id)
	}
	a := &v.world.articles[s.article]
	v.values.set(slotProduct, a.Product)
	v.values.set(slotConfiguration, a.Configuration)
	v.values[slotQuantity] = s.quantity.append(v.values[slotQuantity][:0])
	v.values.set(slotKey, v.world.keys[s.rec.store])
	if s.op.token() {
		v.values.set(slotToken, customerToken(s.rec.store, s.rec.customer))
	}
	if s.op.sale() {
		v.values.set(slotOrder, s.rec.order)
		v.values.set(slotAmount, strconv.FormatInt(int64(s.rec.amount), 10))
		v.values.set(slotAdmin, SaleAdmin(s.rec.store))
	}
	if s.op.address() {
		v.values.set(slotText, s.text)
		mark := "false"
		if s.mark {
			mark = "true"
		}
		v.values.set(slotMark, mark)
	}
	v.values[slotOnce] = append(v.values[slotOnce][:0], s.once...)
}

// review reads and judges an answer that has the expected status.
func (v *visitor) review(s *step) *fault {
	send := v.sends[s.op]
	if send.shape != nil {
		if err := scan(v.response.Body(), send.shape, &v.answer); err != nil {
			v.unknown(s)
			v.answer = answer{}
			return wrong("form", "%s: %v: %.300s", s.op, err, v.response.Body())
		}
	}
	if v.rec != nil {
		v.rec.checked++
	}
	if v.world.plan.Unjudged {
		v.adopt(s)
		return nil
	}
	shared := v.ledger != nil && s.rec == v.world.hot
	var f *fault
	if shared {
		f = v.ledger.review(&v.judge, s, send.checks)
	} else {
		f = v.judge.review(s, send.checks)
	}
	if f != nil {
		return f
	}
	v.learn(s)
	return nil
}

// learn stores the values that only the answer has, and decides whether to repeat the step.
func (v *visitor) learn(s *step) {
	if s.op == opCreate && !s.repeat {
		s.rec.id = string(v.answer.id)
		if v.rec != nil {
			v.created = append(v.created, s.rec)
		}
	}
	switch s.op {
	case opCode:
		s.rec.coded = true
	case opCheckout:
		v.keepOrder(s.rec)
	case opPay:
		s.rec.state = statePaid
	case opCancel:
		s.rec.state = stateCancelled
	}
	if s.once != nil && !s.repeat && v.rng.IntN(100) < v.world.scenario.Repeats {
		v.again = s
	}
}

// adopt copies the lines of a system that is not judged, if their number has changed.
func (v *visitor) adopt(s *step) {
	v.learn(s)
	if v.answer.hasLines && len(v.answer.lines) != len(s.rec.lines) && (v.ledger == nil || v.rec == nil) {
		v.believe(s)
		return
	}
	if s.op == opAddressAdd && len(s.rec.lines) < bookSize {
		s.rec.lines = append(s.rec.lines, line{id: string(v.answer.line.id)})
	}
}

// unknown records a step with an unknown outcome.
func (v *visitor) unknown(s *step) {
	if v.ledger != nil && s.rec == v.world.hot {
		v.ledger.unknown(s)
		return
	}
	s.rec.unknown(s)
}

// prepare makes the visitor's carts and fills them, and reads its address books.
func (v *visitor) prepare(ctx context.Context) error {
	for _, rec := range v.carts {
		if err := v.must(ctx, &step{op: opCreate, rec: rec, line: -1}); err != nil {
			return err
		}
		for i := 0; i < v.world.scenario.Lines && len(rec.lines) < v.world.scenario.Lines; i++ {
			article := v.fresh(rec)
			add := &step{op: v.world.scenario.add(), rec: rec, line: -1, article: article, quantity: v.amount(article, 3)}
			if err := v.must(ctx, add); err != nil {
				return err
			}
		}
		rec.touched = false
		v.world.prepared.Add(1)
	}
	for _, rec := range v.books {
		rec.blind = true // earlier runs may have left addresses
		if err := v.must(ctx, &step{op: opAddressList, rec: rec, line: -1}); err != nil {
			return err
		}
		rec.touched = false
	}
	return nil
}

// must performs a step of the preparation. Its errors end the run.
func (v *visitor) must(ctx context.Context, s *step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, f := v.perform(s); f != nil {
		return fmt.Errorf("preparing: %s: %s", f.kind, f.example)
	}
	return nil
}

// refusedPause is the pause after the server refused a connection.
const refusedPause = 100 * time.Millisecond

// serve sends the requests of the schedule until none is left.
func (v *visitor) serve(ctx context.Context, due schedule) {
	for {
		free := time.Now()
		intended, ok := due.next(ctx, v.index)
		if !ok {
			return
		}
		s := v.next()
		sent := time.Now()
		answered, f := v.perform(s)
		v.rec.record(s.op, moments{intended, free, sent, answered}, f)
		v.asked(s.op, f)
		if f != nil && f.kind == noConnection {
			waitUntil(ctx, realClock{}, answered.Add(refusedPause))
		}
	}
}
