package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/model"
)

// Market is a run of shoppers while nodes are killed and replies are lost. The shoppers fill carts,
// attach a limited code, and check out or request a quote and answer it; some do so twice at once.
// In the end the answers are compared with the orders.
type Market struct {
	repeater
	cluster *cluster.Cluster
	seed    uint64
	ends    time.Time
	kills   int

	answered map[string]string // order id → the order in its first answer
	short    int               // checkouts and accepts with too little stock
	quotes   []int             // their numbers
	promised int               // quotes with the code
}

const (
	shoppers      = 16
	marketRetries = 20 * time.Second
)

// marketFlags bound the time of answers and of Redis's silence. Each request names a caller of its
// own, so no limit of a caller refuses it.
var marketFlags = []string{"--request-timeout", "1500ms", "--redis-timeout", "500ms", "--trusted-proxies", "127.0.0.1"}

// RunMarket lets shoppers buy for a while on two nodes, with faults.
func RunMarket(t testing.TB, binary string, seed uint64, lasts time.Duration) *Market {
	t.Helper()
	m := &Market{seed: seed, answered: map[string]string{}}
	m.cluster = cluster.Start(t, cluster.Config{Binary: binary, Nodes: 2, Flags: marketFlags, Documents: [][]byte{model.MarketDocument()}, Seed: seed})
	m.connect(m.cluster)
	m.ends = time.Now().Add(lasts)
	m.late = func(time.Time) bool { return time.Now().After(m.ends.Add(marketRetries)) }
	var all sync.WaitGroup
	for i := range shoppers {
		all.Go(func() { m.shop(i) })
	}
	m.disturb(rand.New(rand.NewPCG(seed, 0)))
	all.Wait()
	m.audit()
	m.hangUp()
	return m
}

// disturb kills nodes and loses replies until the shoppers' time is over. It ends with all nodes
// running.
func (m *Market) disturb(dice *rand.Rand) {
	for time.Now().Before(m.ends) {
		n := m.cluster.Nodes[dice.IntN(len(m.cluster.Nodes))]
		switch dice.IntN(3) {
		case 0:
			n.Kill()
			m.kills++
			n.Start()
		case 1:
			n.Proxy.Set(cluster.Weather{Drop: 0.2})
		default:
			n.Proxy.Set(cluster.Weather{Cut: true})
		}
		<-time.After(time.Duration(50+dice.IntN(150)) * ms)
		n.Proxy.Heal()
		<-time.After(time.Duration(dice.IntN(100)) * ms)
	}
}

// shop buys until the time is over.
func (m *Market) shop(shopper int) {
	dice := rand.New(rand.NewPCG(m.seed, uint64(1+shopper)))
	for n := 0; time.Now().Before(m.ends); n++ {
		name := fmt.Sprintf("shopper %d, cart %d, ", shopper, n)
		cart := m.retry(dice, "POST", "/v1/api/commerce/carts", "", name+"the cart", http.StatusCreated)
		if cart.status != http.StatusCreated {
			return // retry has noted it
		}
		var made struct{ Data struct{ ID string } }
		_ = json.Unmarshal(cart.body, &made) // if it fails, the next request shows it
		path := "/v1/api/commerce/carts/" + made.Data.ID
		product := model.MarketProducts[dice.IntN(len(model.MarketProducts))]
		add := fmt.Sprintf(`{"product_id":%q,"quantity":%d}`, product, 1+dice.IntN(3))
		m.retry(dice, "POST", path+"/lines", add, name+"the line", http.StatusCreated)
		if dice.IntN(3) > 0 {
			m.retry(dice, "POST", path+"/discount", `{"code":"`+model.MarketCode+`"}`, name+"the code", http.StatusOK)
		}
		end := m.checkOut
		if dice.IntN(3) == 0 {
			quote := m.quote(dice, path, name)
			end = func(dice *rand.Rand, path string) { m.answerQuote(dice, path, quote) }
		}
		var all sync.WaitGroup
		for again := range 1 + dice.IntN(2) { // some shoppers click twice
			own := rand.New(rand.NewPCG(m.seed, uint64(1000*(1+shopper)+again)))
			all.Go(func() { end(own, path) })
		}
		all.Wait()
	}
}

// checkOut sends a checkout until it has a definite answer.
func (m *Market) checkOut(dice *rand.Rand, path string) {
	for {
		a := m.retry(dice, "POST", path+"/checkout", "{}", "", http.StatusCreated, http.StatusOK, http.StatusConflict)
		switch {
		case a.status == http.StatusConflict && strings.Contains(string(a.body), `"CART_CHANGED"`):
			continue
		case a.status == http.StatusConflict:
			m.mu.Lock()
			m.short++
			m.mu.Unlock()
		case a.status != 0:
			m.note(a.body)
		}
		return
	}
}

// quote requests a quote of a cart until it has one, and returns its path.
func (m *Market) quote(dice *rand.Rand, path, name string) string {
	for {
		a := m.retry(dice, "POST", path+"/quote-request", "{}", name+"the quote", http.StatusCreated, http.StatusConflict)
		if a.status == http.StatusConflict { // the code is used up
			continue
		}
		var asked struct {
			Data struct {
				Number    int
				Token     string
				Discounts []json.RawMessage
			}
		}
		_ = json.Unmarshal(a.body, &asked) // if it fails, the next request shows it
		m.mu.Lock()
		m.quotes = append(m.quotes, asked.Data.Number)
		if len(asked.Data.Discounts) > 0 {
			m.promised++
		}
		m.mu.Unlock()
		return "/v1/api/sales/quotes/by-token/" + asked.Data.Token
	}
}

// answerQuote accepts or declines a quote until it has a definite answer. An accepted quote and its
// cart have the same order.
func (m *Market) answerQuote(dice *rand.Rand, cart, quote string) {
	if dice.IntN(4) == 0 {
		m.retry(dice, "POST", quote+"/decline", "", "", http.StatusOK, http.StatusConflict)
		return
	}
	a := m.retry(dice, "POST", quote+"/accept", "", "", http.StatusCreated, http.StatusConflict)
	switch {
	case strings.Contains(string(a.body), `"OUT_OF_STOCK"`):
		m.mu.Lock()
		m.short++
		m.mu.Unlock()
	case a.status == http.StatusCreated, strings.Contains(string(a.body), `"ALREADY_CONVERTED"`):
		m.note(m.retry(dice, "POST", cart+"/checkout", "", "", http.StatusOK).body)
		if a.status == http.StatusCreated {
			_, order, _ := strings.Cut(string(a.body), `,"order":`)
			m.note([]byte(`{"data":` + order))
		}
	}
}

// marketOrder is the part of an order that the suite checks.
type marketOrder struct {
	ID        string
	Number    int
	CartID    string  `json:"cart_id"`
	QuoteID   *string `json:"quote_id"`
	Discounts []json.RawMessage
	Lines     []struct {
		ProductID   string `json:"product_id"`
		Quantity    int
		Backordered bool
		From        *string `json:"available_from"`
	}
}

// note notes the order of an answer. All answers must show the same order.
func (m *Market) note(body []byte) {
	var envelope struct{ Data json.RawMessage }
	var o marketOrder
	if json.Unmarshal(body, &envelope) != nil || json.Unmarshal(envelope.Data, &o) != nil || o.ID == "" {
		m.violate("an order", "the answer is %s", body)
		return
	}
	m.mu.Lock()
	before, known := m.answered[o.ID]
	if !known {
		m.answered[o.ID] = string(envelope.Data)
	}
	m.mu.Unlock()
	if known && before != string(envelope.Data) {
		m.violate("one order a cart", "%s is answered as\n%s\nand as\n%s", o.ID, before, envelope.Data)
	}
}

// retry repeats a request of the account until the answer has one of these statuses.
func (m *Market) retry(dice *rand.Rand, method, path, body, once string, wanted ...int) answer {
	return m.repeat(dice, model.MarketKey, path, model.Request{Method: method, Body: body, Token: model.MarketToken}, once, wanted...)
}

// audit compares the answers with the stored orders.
func (m *Market) audit() {
	dice := rand.New(rand.NewPCG(m.seed, 0))
	orders := m.orders(dice)
	sold, discounted, carts := map[string]int{}, m.promised, map[string]string{}
	for i, o := range orders {
		if o.Number != i+1 {
			m.violate("numbers without a gap", "order %d of %d has the number %d", i+1, len(orders), o.Number)
			break
		}
		if other := carts[o.CartID]; other != "" {
			m.violate("one order a cart", "cart %s has the orders %s and %s", o.CartID, other, o.ID)
		}
		carts[o.CartID] = o.ID
		for _, l := range o.Lines {
			sold[l.ProductID] += l.Quantity
		}
		for _, l := range o.Lines { // the stock falls in the order of the numbers
			waits := sold[l.ProductID] > model.MarketStock
			if l.Backordered != waits || (l.From != nil) != waits || waits && *l.From != model.MarketFrom {
				m.violate("orders say what waits", "%d of %s are sold up to order %d, whose line is %+v", sold[l.ProductID], l.ProductID, o.Number, l)
			}
		}
		if len(o.Discounts) > 0 && o.QuoteID == nil {
			discounted++
		}
	}
	slices.Sort(m.quotes)
	for i, number := range m.quotes {
		if number != i+1 {
			m.violate("numbers without a gap", "quote %d of %d has the number %d", i+1, len(m.quotes), number)
			break
		}
	}
	if discounted > model.MarketUses {
		m.violate("the usage limit", "%d orders and quotes have used the code, of at most %d", discounted, model.MarketUses)
	}
	for _, product := range model.MarketProducts {
		var level struct {
			OnHand int `json:"on_hand"`
		}
		a := m.retry(dice, "POST", "/v1/api/catalog/stock-adjustments", fmt.Sprintf(`{"product_id":%q,"quantity":1}`, product), product, http.StatusCreated)
		if err := json.Unmarshal(a.body, &level); err != nil || sold[product]+level.OnHand-1 != model.MarketStock || level.OnHand-1 < -model.MarketLimit {
			m.violate("stock adds up", "%d of %s are sold and %d on hand, of %d with %d more ahead",
				sold[product], product, level.OnHand-1, model.MarketStock, model.MarketLimit)
		}
	}
	for id, answered := range m.answered {
		if !slices.ContainsFunc(orders, func(o marketOrder) bool { return o.ID == id }) {
			m.violate("every order readable", "order %s is in no list", id)
			continue
		}
		if a := m.retry(dice, "GET", "/v1/api/commerce/orders/"+id, "", "", http.StatusOK); string(a.body) != answered {
			m.violate("every order readable", "order %s is read as\n%s\nand was answered as\n%s", id, a.body, answered)
		}
	}
}

// orders reads all orders, sorted by number.
func (m *Market) orders(dice *rand.Rand) (all []marketOrder) {
	for page := 1; ; page++ {
		var list struct{ Data []marketOrder }
		a := m.retry(dice, "GET", fmt.Sprintf("/v1/api/commerce/orders?per_page=100&page=%d", page), "", "", http.StatusOK)
		if err := json.Unmarshal(a.body, &list); err != nil || len(list.Data) == 0 {
			break
		}
		for _, row := range list.Data {
			var o marketOrder
			one := m.retry(dice, "GET", "/v1/api/commerce/orders/"+row.ID, "", "", http.StatusOK)
			if err := json.Unmarshal(one.body, &o); err != nil {
				m.violate("every order readable", "order %s is %s", row.ID, one.body)
			}
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b marketOrder) int { return a.Number - b.Number })
	return all
}

// String is the run in one line, with its violations.
func (m *Market) String() string {
	return m.summary("%d quotes, %d orders answered, %d times short of stock, %d nodes killed", len(m.quotes), len(m.answered), m.short, m.kills)
}
