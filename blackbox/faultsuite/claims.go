package faultsuite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// account is a customer with several carts. Several clients fill and claim the carts at a time.
type account struct {
	token string

	mu sync.Mutex
	// made are the ids of all its carts; open are those that no answer has shown as merged.
	made, open []string
	// answered counts the hammers of answered adds, asked those of all sent adds.
	answered, asked int
	// folded are the carts that claims have reported.
	folded map[string]bool
	// size is the number of open carts at which the next claim is sent.
	size int
}

// claimSize draws the size of an account's next claim: a few carts, or about as many as fit into
// one or two commits of a claim.
func claimSize(dice *rand.Rand) int {
	switch dice.IntN(8) {
	case 0:
		return 30 + dice.IntN(5)
	case 1:
		return 62 + dice.IntN(5)
	default:
		return 2 + dice.IntN(3)
	}
}

const (
	// accountClients is the number of clients of an account at a time.
	accountClients = 3
	// maxAsked is the number of hammers after which clients leave an account alone. All of them fit
	// into one cart.
	maxAsked = model.MaxHammers - accountClients
)

// desk opens one account after another.
type desk struct {
	mu      sync.Mutex
	current *account
}

// account returns the desk's account. It opens a new one if the last one is used up, and returns
// nil if none is left.
func (d *desk) account(s *Storm) *account {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current == nil || d.current.usedUp() {
		token, ok := model.NewAccount()
		if !ok {
			return nil
		}
		d.current = &account{token: token, folded: map[string]bool{}}
		s.mu.Lock()
		s.accounts = append(s.accounts, d.current)
		s.mu.Unlock()
	}
	return d.current
}

func (a *account) usedUp() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked >= maxAsked
}

// shop sends commands on the desk's accounts until the storm is over.
func (w *worker) shop(d *desk) {
	for !w.storm.over() {
		a := d.account(w.storm)
		if a == nil {
			return
		}
		cart, carts, size := a.pick(w.dice)
		switch n := w.dice.IntN(100); {
		case carts >= size && n < 50:
			w.claim(a, cart)
		case carts < 2 || carts < size && n < 80 || n < 5:
			w.open(a)
		default:
			w.add(a, cart)
		}
	}
}

// pick chooses one of the open carts. It returns their number, too, and the size of the next claim.
func (a *account) pick(dice *rand.Rand) (cart string, of, size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.size == 0 {
		a.size = claimSize(dice)
	}
	if len(a.open) > 0 {
		cart = a.open[dice.IntN(len(a.open))]
	}
	return cart, len(a.open), a.size
}

// send sends a command on a cart of the account. With a key it repeats the command until it has a
// definite answer.
func (w *worker) send(a *account, cart string, c *model.Command, key string) delivery {
	request, _ := c.Make(w.dice, nil)
	request.Token = a.token
	return w.deliver(model.AccountCarts, model.AccountCarts.Collection+cart, c, request, key)
}

// open makes a cart and binds it to the account.
func (w *worker) open(a *account) {
	made := w.send(a, "", model.AccountCarts.Create, w.newKey())
	if made.id == "" {
		return
	}
	cart := "/" + made.id
	bound := w.send(a, cart, model.BindCart, w.newKey())
	a.mu.Lock()
	defer a.mu.Unlock()
	if bound.succeeded {
		a.made, a.open = append(a.made, cart), append(a.open, cart)
	}
}

// sometimesKey is a key for some of the writes, empty for the others.
func (w *worker) sometimesKey() string {
	if w.dice.Float64() < keyed {
		return w.newKey()
	}
	return ""
}

// add puts a hammer into a cart.
func (w *worker) add(a *account, cart string) {
	a.mu.Lock()
	a.asked++
	a.mu.Unlock()
	d := w.send(a, cart, model.AddHammer, w.sometimesKey())
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.succeeded {
		a.answered++
	}
	w.dropClosed(a, cart, &d)
}

// dropClosed removes a cart that refuses a write from the open ones. The caller holds the lock.
func (w *worker) dropClosed(a *account, cart string, d *delivery) {
	if o := &d.ops[0]; o.Outcome == history.Refused {
		a.open = slices.DeleteFunc(a.open, func(other string) bool { return other == cart })
		if o.Status != http.StatusNotFound {
			w.storm.violate(history.Violation{Check: "statuses", Record: cart, Text: "refused a write:", Ops: d.ops})
		}
	}
}

// claim folds all other carts of the account into one. Its answer has all hammers of adds that were
// answered when the claim was sent.
func (w *worker) claim(a *account, cart string) {
	a.mu.Lock()
	before := a.answered
	a.size = 0
	a.mu.Unlock()
	d := w.send(a, cart, model.Claim, w.sometimesKey())
	a.mu.Lock()
	defer a.mu.Unlock()
	w.dropClosed(a, cart, &d)
	shown, ok := d.ops[0].Seen.(model.AccountCart)
	if !ok { // a refusal, a replay, or no answer
		return
	}
	if shown.Status != "active" || shown.Hammers < before || shown.Hammers > a.asked {
		w.storm.miscounted(cart, fmt.Sprintf("want at least the %d hammers answered earlier and at most the %d asked for", before, a.asked), d.ops...)
	}
	for _, id := range shown.Folded {
		if a.folded[id] {
			w.storm.miscounted(cart, id+" was folded twice:", d.ops...)
		}
		a.folded[id] = true
	}
}

func (s *Storm) miscounted(cart, text string, ops ...history.Op) {
	s.violate(history.Violation{Check: "every unit accounted for", Record: cart, Text: text, Ops: ops})
}

// checkAccounts claims a cart of each account once more. Then it has every hammer, all others are
// merged, and all nodes show the same.
func (s *Storm) checkAccounts() {
	next := make(chan *account)
	var all sync.WaitGroup
	for i := range readers {
		w := &worker{storm: s, dice: rand.New(rand.NewPCG(s.Seed, uint64(2000+i)))}
		all.Go(func() {
			for a := range next {
				w.check(a)
			}
		})
	}
	for _, a := range s.accounts {
		next <- a
	}
	close(next)
	all.Wait()
}

func (w *worker) check(a *account) {
	var last string
	for _, cart := range a.made {
		if w.seen(a, cart).Status == "active" {
			last = cart
		}
	}
	if last == "" {
		if len(a.made) > 0 {
			w.storm.miscounted(a.made[0], fmt.Sprintf("and %d more: none is active", len(a.made)-1))
		}
		return
	}
	w.claim(a, last)
	for _, cart := range a.made {
		w.storm.keep(&record{Record: history.Record{ID: cart[1:], Kind: model.AccountCarts}, token: a.token}) // for checkStock
		want := "merged"
		if cart == last {
			want = "active"
		}
		if c := w.seen(a, cart); c.Status != want || cart == last && (c.Hammers < a.answered || c.Hammers > a.asked) {
			w.storm.miscounted(cart, fmt.Sprintf("is %v; want it %s, and %d to %d hammers in the active one", c, want, a.answered, a.asked))
		}
	}
}

// seen is a cart as every node shows it. It is a violation if two nodes differ.
func (w *worker) seen(a *account, cart string) model.AccountCart {
	r := &record{Record: history.Record{ID: cart, Kind: model.AccountCarts}, path: model.AccountCarts.Collection + cart, token: a.token}
	w.storm.readEverywhere(r)
	c, _ := r.last().(model.AccountCart)
	return c
}
