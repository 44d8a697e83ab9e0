package faultsuite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"cartd/blackbox/faultsuite/model"
)

// make makes a quote; nil if there was no answer.
func (q *Quotes) make(dice *rand.Rand) *heldQuote {
	h := &heldQuote{}
	h.want.terms.Delivery = -1
	if dice.IntN(3) == 0 {
		return q.makeOfCart(dice, h)
	}
	t := model.QuoteTerms{Delivery: -1}
	body := `{"email":"buyer@example.com"}`
	if h.want.account = dice.IntN(3) == 0; h.want.account {
		body = fmt.Sprintf(`{"email":"buyer@example.com","customer_id":%q}`, model.QuotesAccount)
	}
	q.mu.Lock()
	var from *heldQuote
	switch n := dice.IntN(4); {
	case n == 0 && len(q.all) > 0: // its clerk may change it meanwhile, so the lines of the copy are written anew
		from = q.all[dice.IntN(len(q.all))]
		body = fmt.Sprintf(`{"from":{"quote_id":%q},"email":"buyer@example.com","customer_id":null,"country":null,"lines":[]}`, from.want.id)
		h.want.account = false
	case n == 1 && len(q.orders) > 0:
		sold := q.orders[dice.IntN(len(q.orders))]
		t, h.want.account = sold.terms.Sold(), sold.account
		body = fmt.Sprintf(`{"from":{"order_id":%q}}`, sold.id)
	}
	q.mu.Unlock()
	a := q.request(dice, http.MethodPost, storeQuotes, body, someKey(dice), http.StatusCreated, http.StatusNotFound)
	if a.status == http.StatusNotFound && from != nil { // the quote that is copied has gone
		a = q.request(dice, http.MethodPost, storeQuotes, `{"email":"buyer@example.com"}`, someKey(dice), http.StatusCreated)
	}
	h.want.draft = &t
	h.want.note("created", t.Sums().Goods, model.QuotesKeyName, "")
	return q.made(h, a)
}

// makeOfCart makes a quote of a customer's cart.
func (q *Quotes) makeOfCart(dice *rand.Rand, h *heldQuote) *heldQuote {
	var cart struct{ Data struct{ ID string } }
	_ = json.Unmarshal(q.request(dice, http.MethodPost, "/v1/api/commerce/carts", "", someKey(dice), http.StatusCreated).body, &cart) // the next request shows it
	path := "/v1/api/commerce/carts/" + cart.Data.ID
	l := model.QuoteLine{Product: []string{model.QuotesPlenty, model.QuotesUntracked}[dice.IntN(2)], Quantity: int64(1 + dice.IntN(12)), Own: -1}
	q.request(dice, http.MethodPost, path+"/lines", fmt.Sprintf(`{"product_id":%q,"quantity":%d}`, l.Product, l.Quantity), someKey(dice), http.StatusCreated)
	a := q.request(dice, http.MethodPost, path+"/quote-request", `{"email":"buyer@example.com","message":"Please."}`, someKey(dice), http.StatusCreated)
	var asked struct{ Data json.RawMessage }
	if json.Unmarshal(a.body, &asked) != nil {
		return nil
	}
	a.body = asked.Data
	terms := model.QuoteTerms{Lines: []model.QuoteLine{l}, Delivery: -1}.Priced()
	h.want.asked, h.want.terms, h.want.draft = true, terms, &terms
	h.want.note("requested", h.want.shown(), "", "Please.")
	if h = q.made(h, a); h != nil {
		q.expect(h.want.event("quote.requested"))
	}
	return h
}

// made keeps a new quote; nil if there was no answer.
func (q *Quotes) made(h *heldQuote, a answer) *heldQuote {
	var seen seenQuote
	if json.Unmarshal(a.body, &seen) != nil || seen.ID == "" {
		return nil // repeat has noted it
	}
	h.want.id = seen.ID
	h.adopt(&seen)
	q.mu.Lock()
	q.all = append(q.all, h)
	q.mu.Unlock()
	return h
}

// adopt takes over what the model cannot know: ids of new lines, the token, and the number.
func (h *heldQuote) adopt(seen *seenQuote) {
	ids := func(lines []model.QuoteLine, shown []seenLine) []model.QuoteLine {
		lines = slices.Clone(lines)
		for i := range min(len(lines), len(shown)) {
			if lines[i].ID == "" {
				lines[i].ID = shown[i].ID
			}
		}
		return lines
	}
	h.want.terms.Lines = ids(h.want.terms.Lines, seen.Lines)
	if h.want.draft != nil {
		draft := *h.want.draft
		if seen.Draft != nil {
			draft.Lines = ids(draft.Lines, seen.Draft.Lines)
		} else if h.want.version == 0 { // the answer to a request does not show the draft
			draft.Lines = ids(draft.Lines, seen.Lines)
		}
		h.want.draft = &draft
	}
	if seen.Token != nil {
		h.token = *seen.Token
	}
	if seen.Number != nil && h.number == 0 {
		h.number = *seen.Number
	}
}
