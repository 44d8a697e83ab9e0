package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

// Quotes is a run of clerks who write quotes, and of their customers, while nodes, Redis and the network fail. A clerk makes one quote
// after another, by a customer's request, of nothing, of an order, or of another quote, some of them for an account with prices of its
// own, and sends random commands, some of them two at once. After each the quote is compared with a slow model (quotes_model.go). In the
// end lists, numbers, orders, stock, holds and events are, too.
type Quotes struct {
	repeater
	QuotesPlan
	course
	cluster  *cluster.Cluster
	receiver *receiver

	all      []*heldQuote
	orders   []soldQuote
	events   map[string]int
	sold     map[string]int64 // pieces
	done     map[string]int   // answers, by command, status and code
	shownFor string
}

// QuotesPlan is the plan of one run.
type QuotesPlan struct {
	Binary string
	Seed   uint64
	// The run has this number of quotes and of faults of the table.
	Quotes, Faults int
	Table          []Fault
	// Calm is the pause between two faults.
	Calm time.Duration
}

const (
	clerks = 16
	// clockSlack is the time by which a node's moment may differ from this process's.
	clockSlack = 300 * ms
	// shortOffer is the time of an offer that ends within the run.
	shortOffer = 2 * time.Second
)

// heldQuote is a quote with what its clerk knows of it. Only the clerk uses it, until the audit.
type heldQuote struct {
	want   wantedQuote
	token  string
	number int
}

// soldQuote is an order of a quote with what it was sold at.
type soldQuote struct {
	id      string
	terms   model.QuoteTerms
	account bool
}

// RunQuotes lets clerks and customers work on two nodes, with faults.
func RunQuotes(t testing.TB, plan QuotesPlan) *Quotes {
	t.Helper()
	q := newQuotes(t, plan, 2)
	q.late = q.tooLate
	var all sync.WaitGroup
	for i := range clerks {
		all.Go(func() {
			for dice := rand.New(rand.NewPCG(plan.Seed, uint64(1+i))); q.begin(); {
				q.serve(dice)
			}
		})
	}
	q.disturb()
	all.Wait()
	q.audit()
	return q
}

// newQuotes starts the nodes and the receiver.
func newQuotes(t testing.TB, plan QuotesPlan, nodes int) *Quotes {
	t.Helper()
	q := &Quotes{QuotesPlan: plan, receiver: receive(t), events: map[string]int{}, sold: map[string]int64{}, done: map[string]int{}}
	q.late = func(first time.Time) bool { return time.Since(first) > calmRetries }
	q.cluster = cluster.Start(t, cluster.Config{
		Binary: plan.Binary, Nodes: nodes, Seed: plan.Seed, Flags: append([]string{"--webhook-allow-private", "--webhook-timeout", "1s"}, marketFlags...),
		Documents: [][]byte{model.QuotesDocument(q.receiver.URL, q.scarce())},
	})
	q.connect(q.cluster)
	t.Cleanup(q.hangUp)
	q.course = newCourse(q.cluster, plan.Seed, plan.Quotes, plan.Faults, plan.Table, plan.Calm)
	return q
}

// scarce is the stock of model.QuotesScarce: less than the quotes ask for.
func (q *Quotes) scarce() int { return max(20, q.Quotes/4) }

// serve makes a quote and sends commands until it is accepted or gone, or has had enough of them.
func (q *Quotes) serve(dice *rand.Rand) {
	h := q.make(dice)
	if h == nil {
		return // it is noted
	}
	for range 6 + dice.IntN(14) {
		if h.want.ended == quoteGone || h.want.ended == quoteAccepted && dice.IntN(2) == 0 {
			return
		}
		var well bool
		if dice.IntN(4) == 0 && h.want.version > 0 {
			well = q.twoAtOnce(dice, h)
		} else {
			well = q.one(dice, h, q.someCommand(dice, h))
		}
		if !well {
			return
		}
		if dice.IntN(3) == 0 && !q.look(dice, h) {
			return
		}
	}
}

// request sends a request of the merchant or the customer until it is answered.
func (q *Quotes) request(dice *rand.Rand, method, path, body, once string, wanted ...int) answer {
	return q.repeat(dice, model.QuotesKey, path, model.Request{Method: method, Path: "", Body: body}, once, wanted...)
}

const (
	storeQuotes = "/v1/api/quotes"
	quoteLinks  = "/v1/api/sales/quotes/by-token/"
)

func (q *Quotes) expect(events ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range events {
		q.events[e]++
	}
}

// command sends a command until it is answered, always under an Idempotency-Key: a copy without one that was held back may come after
// later commands, and is then a change of its own.
func (q *Quotes) command(dice *rand.Rand, h *heldQuote, c quoteCommand) answer {
	path := storeQuotes + "/" + h.want.id
	if c.link {
		path = quoteLinks + h.token
	}
	once := someKey(dice)
	return q.request(dice, c.method, path+c.route, c.body, once, http.StatusOK, http.StatusCreated, http.StatusNoContent, http.StatusNotFound,
		http.StatusConflict, http.StatusGone, http.StatusUnprocessableEntity)
}

// is reports whether the answer is the one of this fate.
func (f *fate) is(a answer) bool {
	return a.status == f.status && (f.status < 400 || strings.Contains(string(a.body), f.code) && strings.Contains(string(a.body), f.rest))
}

// moments are the times at which a request that was sent and answered then may have been judged: only the end of an offer tells them
// apart.
func moments(began, ended time.Time) []time.Time {
	return []time.Time{began.Add(-clockSlack), ended.Add(clockSlack)}
}

// one sends a command. It returns false if the answer is no fate of the command.
func (q *Quotes) one(dice *rand.Rand, h *heldQuote, c quoteCommand) bool {
	began := time.Now()
	a := q.command(dice, h, c)
	if a.status == 0 {
		return false // repeat has noted it
	}
	for _, at := range moments(began, time.Now()) {
		for _, f := range c.fates(h.want, at) {
			if f.is(a) {
				q.take(h, c, &f, a)
				return q.compare(h, c.link, a, began)
			}
		}
	}
	q.violate("the answer of a quote", "%s %s %s of\n%s\nis answered %d %s", c.method, c.route, c.body, h.want.text(began), a.status, a.body)
	return false
}

// take carries a fate out on the model.
func (q *Quotes) take(h *heldQuote, c quoteCommand, f *fate, a answer) {
	h.want = f.next
	q.expect(f.events...)
	if f.taken != nil {
		h.want.order = orderOf(a)
		q.expect("order.placed " + h.want.order)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if f.taken != nil {
		q.orders = append(q.orders, soldQuote{h.want.order, h.want.terms, h.want.account})
	}
	q.done[strings.TrimSpace(fmt.Sprintf("%s%s %d %s", c.method, c.route, f.status, f.code))]++
	for product, n := range f.taken {
		q.sold[product] += n
		if n > 0 {
			q.events[stockEvent(product, "order", -int(n))]++
		}
	}
}

// twoAtOnce sends two commands at once, each to a node by chance. One is first, and the other finds the quote as the first has left it.
func (q *Quotes) twoAtOnce(dice *rand.Rand, h *heldQuote) bool {
	commands := [2]quoteCommand{q.customersCommand(dice, h), q.merchantsCommand(dice, h)}
	if dice.IntN(3) == 0 {
		commands[1] = q.customersCommand(dice, h)
	}
	var answers [2]answer
	var both sync.WaitGroup
	began := time.Now()
	for i, c := range commands {
		own := rand.New(rand.NewPCG(dice.Uint64(), uint64(i)))
		both.Go(func() { answers[i] = q.command(own, h, c) })
	}
	both.Wait()
	ended := time.Now()
	if answers[0].status == 0 || answers[1].status == 0 {
		return false // repeat has noted it
	}
	all := pairs(h.want, commands, answers, moments(began, ended))
	if len(all) > 0 {
		return q.takeOne(dice, h, all)
	}
	q.violate("two answers of a quote", "%s %s and %s %s of\n%s\nare answered %d %s\nand %d %s", commands[0].route, commands[0].body, commands[1].route,
		commands[1].body, h.want.text(began), answers[0].status, answers[0].body, answers[1].status, answers[1].body)
	return false
}

// pair is an order of two commands with what each has done.
type pair struct {
	commands [2]quoteCommand
	fates    [2]fate
	answers  [2]answer
}

// pairs are all orders and fates that give these answers.
func pairs(q wantedQuote, commands [2]quoteCommand, answers [2]answer, at []time.Time) (all []pair) {
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		p := pair{commands: [2]quoteCommand{commands[order[0]], commands[order[1]]}, answers: [2]answer{answers[order[0]], answers[order[1]]}}
		for _, then := range at {
			for _, p.fates[0] = range p.commands[0].fates(q, then) {
				if !p.fates[0].is(p.answers[0]) {
					continue
				}
				next := p.fates[0].next
				if p.fates[0].taken != nil {
					next.order = orderOf(p.answers[0])
				}
				for _, later := range at {
					for _, p.fates[1] = range p.commands[1].fates(next, later) {
						if p.fates[1].is(p.answers[1]) {
							all = append(all, p)
						}
					}
				}
			}
		}
	}
	return all
}

// takeOne reads the quote and takes the pair that has made it. It returns false if none has.
func (q *Quotes) takeOne(dice *rand.Rand, h *heldQuote, all []pair) bool {
	began := time.Now()
	a := q.request(dice, http.MethodGet, storeQuotes+"/"+h.want.id, "", "", http.StatusOK, http.StatusNotFound)
	var seen seenQuote
	if a.status == 0 {
		return false // repeat has noted it
	}
	chosen := all[0]
	if a.status == http.StatusOK && json.Unmarshal(a.body, &seen) == nil {
		for _, p := range all {
			made := *h
			made.want = p.fates[1].next
			if p.fates[1].taken != nil {
				made.want.order = orderOf(p.answers[1])
			}
			made.adopt(&seen)
			if made.shown(false, &seen, moments(began, time.Now())) == "" {
				chosen = p
				break
			}
		}
	}
	q.take(h, chosen.commands[0], &chosen.fates[0], chosen.answers[0])
	chosen.fates[1].next.order = h.want.order
	q.take(h, chosen.commands[1], &chosen.fates[1], chosen.answers[1])
	return q.look(dice, h)
}

// orderOf is the id of the order that an accept has made.
func orderOf(a answer) string {
	var sold struct{ Order struct{ ID string } }
	_ = json.Unmarshal(a.body, &sold) // without an id the comparison shows it
	return sold.Order.ID
}
