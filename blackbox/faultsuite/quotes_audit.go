package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// seenLine is a line of a quote or of its draft.
type seenLine struct {
	ID        string
	ProductID *string `json:"product_id"`
	Quantity  int64
	UnitPrice struct{ Amount int64 } `json:"unit_price"`
	LineTotal struct{ Amount int64 } `json:"line_total"`
}

// seenTerms are the amounts of a quote or of its draft.
type seenTerms struct {
	Lines  []seenLine
	Totals struct {
		Total     struct{ Amount int64 }
		Breakdown []model.TaxRow `json:"tax_breakdown"`
	}
	OrderTotal *struct{ Amount int64 } `json:"order_total"`
}

// seenQuote is the part of a quote that the suite checks.
type seenQuote struct {
	seenTerms
	ID, Status    string
	CustomerID    *string `json:"customer_id"`
	Number        *int
	Token         *string
	Version       int
	OfferMessage  *string                   `json:"offer_message"`
	ChangeRequest *struct{ Message string } `json:"change_request"`
	Declined      *string                   `json:"decline_reason"`
	Withdrawn     *string                   `json:"withdraw_reason"`
	OrderID       *string                   `json:"order_id"`
	Draft         *struct {
		seenTerms
		HoldStock    bool    `json:"hold_stock"`
		OfferMessage *string `json:"offer_message"`
	}
	History []struct {
		Event   string
		By      *string
		Version int
		Total   int64 `json:"total_amount"`
		Text    *string
	}
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (t *seenTerms) text() string {
	var lines []string
	for _, l := range t.Lines {
		lines = append(lines, lineText(l.ID, textOf(l.ProductID), l.Quantity, l.UnitPrice.Amount, l.LineTotal.Amount))
	}
	order := int64(-1)
	if t.OrderTotal != nil {
		order = t.OrderTotal.Amount
	}
	return fmt.Sprintf("%v total %d %v order %d", lines, t.Totals.Total.Amount, t.Totals.Breakdown, order)
}

// text and termsText are as those of wantedQuote.
func (q *seenQuote) text() string {
	var history []string
	for _, e := range q.History {
		history = append(history, fmt.Sprintf("%s %q by %q, version %d, %d", e.Event, textOf(e.Text), textOf(e.By), e.Version, e.Total))
	}
	text := fmt.Sprintf("%s\nhistory %q", q.termsText(), history)
	if d := q.Draft; d != nil {
		text += fmt.Sprintf("\ndraft %s hold %v message %q", d.seenTerms.text(), d.HoldStock, textOf(d.OfferMessage))
	}
	return text
}

func (q *seenQuote) termsText() string {
	change := ""
	if q.ChangeRequest != nil {
		change = q.ChangeRequest.Message
	}
	return fmt.Sprintf("%s account %v version %d %s message %q change %q reason %q order %q", q.Status, textOf(q.CustomerID) == model.QuotesAccount, q.Version,
		q.seenTerms.text(), textOf(q.OfferMessage), change,
		textOf(q.Declined)+textOf(q.Withdrawn), textOf(q.OrderID))
}

// audit compares quotes, lists, numbers, orders, stock, holds and events with the model.
func (q *Quotes) audit() {
	dice := rand.New(rand.NewPCG(q.Seed, 0))
	if len(q.Violations) > 0 {
		q.shownFor = "ended early"
		return // the model has lost what it knew
	}
	for _, h := range q.all {
		q.look(dice, h)
	}
	q.checkNumbers()
	q.checkLists(dice)
	q.checkQuoteOrders(dice)
	q.checkHolds(dice)
	q.checkEvents(q.receiver, q.events)
	if out, err := q.cluster.Command("check"); err != nil {
		q.violate("lists", "%v\n%s", err, out)
	}
	count := map[string]int{}
	for _, h := range q.all {
		count[h.want.status(time.Now())]++
	}
	happened := map[string]int{}
	for _, h := range q.storm.happened {
		happened[h.name]++
	}
	q.shownFor = fmt.Sprintf("%d quotes %v, %d events, faults %v, answers %v", len(q.all), count, q.receiver.total(), happened, q.done)
}

// checkNumbers wants the numbers of all that was ever offered to be 1, 2, 3 …
func (q *Quotes) checkNumbers() {
	var numbers []int
	for _, h := range q.all {
		if h.want.version > 0 {
			numbers = append(numbers, h.number)
		}
	}
	slices.Sort(numbers)
	for i, number := range numbers {
		if number != i+1 {
			q.violate("numbers without a gap", "quote %d of %d has the number %d", i+1, len(numbers), number)
			return
		}
	}
}

// checkLists compares the lists of the merchant with the model.
func (q *Quotes) checkLists(dice *rand.Rand) {
	for _, state := range []string{"all", "waiting", "offered", ofAccount} {
		began := time.Now()
		listed := map[string]int{}
		for before := ""; ; {
			var page struct {
				Data []struct{ ID string }
				Meta struct {
					NextBefore *string `json:"next_before"`
				}
			}
			a := q.request(dice, http.MethodGet, storeQuotes+"?per_page=100&state="+state+before, "", "", http.StatusOK)
			if err := json.Unmarshal(a.body, &page); err != nil {
				q.violate("lists", "%s: %v", state, err)
				return
			}
			for _, row := range page.Data {
				listed[row.ID]++
			}
			if page.Meta.NextBefore == nil {
				break
			}
			before = "&before=" + *page.Meta.NextBefore
		}
		for _, h := range q.all {
			was, is := h.stands(state, began), h.stands(state, time.Now())
			if n := listed[h.want.id]; n > 1 || (n == 1) != was && (n == 1) != is {
				q.violate("lists", "%s has quote %s %d times:\n%s", state, h.want.id, n, h.want.text(began))
			}
			delete(listed, h.want.id)
		}
		if len(listed) > 0 {
			q.violate("lists", "%s has quotes that no answer has shown: %v", state, listed)
		}
	}
}

// ofAccount is the list of the account's quotes.
const ofAccount = "all&customer_id=" + model.QuotesAccount

// stands reports whether a list has the quote.
func (h *heldQuote) stands(state string, at time.Time) bool {
	status := h.want.status(at)
	switch state {
	case "waiting":
		return status == quoteIsDraft || h.want.change != "" && (status == quoteOffered || status == quoteExpired)
	case "offered":
		return status == quoteOffered
	case ofAccount:
		return h.want.version > 0 && h.want.account
	}
	return h.want.version > 0
}

// checkQuoteOrders wants an order of each accepted quote, with its terms, and no other.
func (q *Quotes) checkQuoteOrders(dice *rand.Rand) {
	type order struct {
		ID      string
		Number  int
		QuoteID string `json:"quote_id"`
		Lines   []seenLine
		Totals  struct {
			Total     struct{ Amount int64 }
			Breakdown []model.TaxRow `json:"tax_breakdown"`
		}
	}
	orders, number := map[string]order{}, 0
	for after := 0; ; {
		var page struct {
			Data []order
			Meta struct {
				NextAfter *int `json:"next_after"`
			}
		}
		a := q.request(dice, http.MethodGet, fmt.Sprintf("/v1/api/orders?per_page=100&after=%d", after), "", "", http.StatusOK)
		if err := json.Unmarshal(a.body, &page); err != nil {
			q.violate("orders of quotes", "%v: %s", err, a.body)
			return
		}
		for _, o := range page.Data {
			if number++; o.Number != number {
				q.violate("numbers without a gap", "order %d of the list has the number %d", number, o.Number)
			}
			orders[o.ID] = o
		}
		if page.Meta.NextAfter == nil {
			break
		}
		after = *page.Meta.NextAfter
	}
	for _, h := range q.all {
		if h.want.ended != quoteAccepted {
			continue
		}
		o := orders[h.want.order]
		delete(orders, h.want.order)
		sums := h.want.terms.Sums()
		var got, want []string
		for i := range o.Lines {
			l := &o.Lines[i]
			got = append(got, lineText("", textOf(l.ProductID), l.Quantity, l.UnitPrice.Amount, l.LineTotal.Amount))
		}
		for i := range h.want.terms.Lines {
			l := &h.want.terms.Lines[i]
			want = append(want, lineText("", l.Product, l.Quantity, l.Price(), sums.Lines[i]))
		}
		if o.QuoteID != h.want.id || !slices.Equal(got, want) || o.Totals.Total.Amount != sums.Order || !slices.Equal(o.Totals.Breakdown, sums.OrderTaxes) {
			q.violate("orders of quotes", "quote %s has the order %+v, want %s, %d, %v", h.want.id, o, strings.Join(want, ", "), sums.Order, sums.OrderTaxes)
		}
	}
	if len(orders) > 0 {
		q.violate("orders of quotes", "orders of no accepted quote: %v", orders)
	}
}

// holdsEnd is the time in which the holds of offers that have ended by themselves are given back.
const holdsEnd = 20 * time.Second

// checkHolds compares the stock: on hand + sold = the stock at the start, and held = the holds of the open offers.
func (q *Quotes) checkHolds(dice *rand.Rand) {
	for product, stock := range map[string]int64{model.QuotesPlenty: model.QuotesPlentyStock, model.QuotesScarce: int64(q.scarce())} {
		for began := time.Now(); ; <-time.After(200 * ms) {
			held := int64(0)
			for _, h := range q.all {
				if h.want.status(time.Now()) == quoteOffered && h.want.terms.Hold {
					held += h.want.terms.Pieces(product)
				}
			}
			var page struct {
				Data []struct {
					OnHand int64 `json:"on_hand"`
					Held   int64
				}
			}
			a := q.request(dice, http.MethodGet, "/v1/api/stock/levels?ids[]="+product, "", "", http.StatusOK)
			if err := json.Unmarshal(a.body, &page); err != nil || len(page.Data) != 1 {
				q.violate("stock adds up", "%v: %s", err, a.body)
				break
			}
			level := page.Data[0]
			if level.OnHand+q.sold[product] != stock || level.OnHand < level.Held {
				q.violate("stock adds up", "%d of %s are sold, %d on hand and %d held, of %d", q.sold[product], product, level.OnHand, level.Held, stock)
				break
			}
			if level.Held == held {
				break
			}
			if time.Since(began) > holdsEnd {
				q.violate("held stock", "%d of %s are held, the open offers hold %d", level.Held, product, held)
				break
			}
		}
	}
}

// String is the run in one line, with its violations.
func (q *Quotes) String() string { return q.summary("%s", q.shownFor) }
