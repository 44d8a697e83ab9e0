package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Plan has the settings of a world: the system, its scenario and the sizes.
type Plan struct {
	Case   string // the name of the result
	System string
	// Target is http://HOST:PORT or https://HOST:PORT, or several of them with commas: the nodes of one
	// system. A connection stays with one node unless Roam is true; then each of its requests goes to
	// the next node.
	Target   string
	Roam     bool
	Adapter  *Adapter
	Scenario Scenario
	// Keys are the API keys of the stores. Missing ones are those of the harness's own stores.
	Keys        []string
	Connections int
	// Carts is the number of carts, and the maximum of address books. Each customer has one.
	Carts   int
	Stores  int
	Seed    uint64
	Timeout time.Duration // of a request
	// Unjudged is true for a system that is no cart (the floor): its contents are read but not
	// compared.
	Unjudged  bool
	Processes Processes
	Progress  func(Progress) // called five times a second; may be nil
}

// nodes are the addresses of the plan's system.
func (p *Plan) nodes() []string { return strings.Split(p.Target, ",") }

// World has a plan's filled carts and the connections that use them. It can be loaded several times.
type World struct {
	plan     Plan
	scenario *Scenario
	articles []Article
	keys     []string
	mix      []op
	journey  []op
	weights  int
	nonce    string // makes the idempotency keys of this world unique
	// firstCustomer is the index of the first visitor's customer. It is random, so that runs rarely
	// use the same customers.
	firstCustomer int
	visitors      []*visitor
	crawlers      []*visitor
	hot           *record
	prepared      atomic.Int64
}

// NewWorld checks a plan and prepares its carts at full speed.
func NewWorld(ctx context.Context, plan Plan) (*World, error) {
	w := &World{plan: plan, scenario: &plan.Scenario, keys: plan.Keys, nonce: strconv.FormatInt(time.Now().UnixNano(), 36),
		firstCustomer: rand.IntN(customersPerStore)}
	if err := w.check(); err != nil {
		return nil, err
	}
	for len(w.keys) < plan.Stores {
		key := StoreKey(len(w.keys))
		if w.scenario.sells() {
			key = SaleKey(len(w.keys))
		}
		w.keys = append(w.keys, key)
	}
	for _, share := range w.scenario.Mix {
		o, _ := opNamed(share.Op)
		w.mix = append(w.mix, o)
	}
	for _, name := range w.scenario.Journey {
		o, _ := opNamed(name)
		w.journey = append(w.journey, o)
	}
	w.weights = w.scenario.total()
	if err := w.assign(); err != nil {
		return nil, err
	}
	return w, w.prepare(ctx)
}

func (w *World) check() error {
	p := &w.plan
	if err := p.Scenario.check(); err != nil {
		return err
	}
	standard, made := p.Adapter.articles()
	w.articles = standard
	if p.Scenario.Made {
		w.articles = made
	}
	switch {
	case p.Connections < 1 || p.Stores < 1:
		return errors.New("at least one connection and one store are needed")
	case p.Scenario.carts() && !p.Scenario.Hot && p.Carts < p.Connections:
		return fmt.Errorf("%d connections need at least as many carts: each cart is used by one at a time", p.Connections)
	case (p.Scenario.contacts() || p.Scenario.claims()) && p.Connections > customersPerStore*p.Stores:
		return fmt.Errorf("%d connections need as many customers, a store has %d", p.Connections, customersPerStore)
	case p.Scenario.Lines+min(p.Scenario.Extra, 1) > len(w.articles):
		return fmt.Errorf("carts of %d lines: the system has %d articles", p.Scenario.Lines, len(w.articles))
	}
	for _, state := range []string{statePaid, stateCancelled, stateEnded} {
		if p.Scenario.sells() && p.Adapter.States[state] == "" {
			return fmt.Errorf("scenario %s: adapter %s does not say how %s shows in an order", p.Scenario.Name, p.Adapter.Name, state)
		}
	}
	for _, o := range p.Scenario.ops() {
		if _, ok := p.Adapter.Operations[o.String()]; !ok {
			return fmt.Errorf("scenario %s: adapter %s cannot %s", p.Scenario.Name, p.Adapter.Name, o)
		}
	}
	return nil
}

// assign makes the visitors and gives each its carts and address books.
func (w *World) assign() error {
	p := &w.plan
	w.visitors = make([]*visitor, p.Connections)
	for k := range w.visitors {
		v, err := w.newVisitor(k)
		if err != nil {
			return err
		}
		w.visitors[k] = v
	}
	if err := w.newCrawlers(); err != nil {
		return err
	}
	if w.scenario.carts() && !w.scenario.Hot {
		for i := range p.Carts {
			v := w.visitors[i%p.Connections]
			v.carts = append(v.carts, &record{store: i % p.Stores})
		}
	}
	if w.scenario.contacts() {
		for i := range min(customersPerStore*p.Stores, max(p.Carts, p.Connections)) {
			v := w.visitors[i%p.Connections]
			v.books = append(v.books, &record{store: i % p.Stores, customer: i / p.Stores})
		}
	}
	return nil
}

// newVisitor makes the k-th visitor.
func (w *World) newVisitor(k int) (*visitor, error) {
	p := &w.plan
	c, err := newClient(p.nodes(), k, p.Roam, p.Adapter, p.Timeout)
	if err != nil {
		return nil, err
	}
	return &visitor{
		world: w, index: k, client: c, judge: judge{articles: w.articles, states: p.Adapter.States},
		rng: rand.New(rand.NewPCG(p.Seed, uint64(k))),
	}, nil
}

// prepare makes and fills the carts of all visitors.
func (w *World) prepare(ctx context.Context) error {
	if w.scenario.Hot {
		return w.prepareHot(ctx)
	}
	defer report(ctx, w.plan.Progress, func() Progress {
		return Progress{Case: w.plan.Case, Phase: "preparing", Done: w.prepared.Load(), Of: int64(w.plan.Carts)}
	})()
	failed := make(chan error, len(w.visitors))
	for _, v := range w.visitors {
		go func() { failed <- v.prepare(ctx) }()
	}
	var all []error
	for range w.visitors {
		if err := <-failed; err != nil && len(all) == 0 {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// prepareHot makes the shared cart and a ledger for each visitor.
func (w *World) prepareHot(ctx context.Context) error {
	first := w.visitors[0]
	w.hot = &record{}
	first.carts = []*record{w.hot}
	if err := first.prepare(ctx); err != nil {
		return err
	}
	for _, v := range w.visitors {
		v.carts = first.carts
		v.ledger = newLedger(len(w.hot.lines))
	}
	return nil
}

// Close ends the connections.
func (w *World) Close() {
	for _, v := range slices.Concat(w.visitors, w.crawlers) {
		v.client.Close()
	}
}
