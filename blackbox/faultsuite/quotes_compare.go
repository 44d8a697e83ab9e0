package faultsuite

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"time"
)

// compare compares an answer with the model. It returns false if they differ.
func (q *Quotes) compare(h *heldQuote, link bool, a answer, began time.Time) bool {
	if a.status >= 300 || a.status == http.StatusNoContent {
		return true
	}
	var seen seenQuote
	body := a.body
	if a.status == http.StatusCreated {
		var accepted struct{ Quote json.RawMessage }
		_ = json.Unmarshal(body, &accepted) // without a quote the comparison shows it
		body = accepted.Quote
	}
	if err := json.Unmarshal(body, &seen); err != nil {
		q.violate("terms and draft", "%v: %s", err, a.body)
		return false
	}
	return q.shows(h, link, &seen, began)
}

// shows compares what was read with the model.
func (q *Quotes) shows(h *heldQuote, link bool, seen *seenQuote, began time.Time) bool {
	h.adopt(seen)
	if want := h.shown(link, seen, moments(began, time.Now())); want != "" {
		q.violate("terms and draft", "quote %s is shown as\n%s\nwant\n%s", h.want.id, seen.text(), want)
		return false
	}
	if seen.Number != nil && *seen.Number != h.number || (seen.Number == nil) != (h.want.version == 0) {
		q.violate("numbers without a gap", "quote %s has the number %v, and had %d", h.want.id, seen.Number, h.number)
		return false
	}
	return true
}

// shown is empty if the quote is shown as the model has it at one of the times; else it is what the model has.
func (h *heldQuote) shown(link bool, seen *seenQuote, at []time.Time) (want string) {
	for _, then := range at {
		got := seen.text()
		want = h.want.text(then)
		if link {
			got, want = seen.termsText(), h.want.termsText(then)
		}
		if got == want {
			return ""
		}
	}
	return want
}

// look reads the quote a few times, as merchant and as customer, from any node.
func (q *Quotes) look(dice *rand.Rand, h *heldQuote) bool {
	for range 2 {
		began := time.Now()
		a := q.request(dice, http.MethodGet, storeQuotes+"/"+h.want.id, "", "", http.StatusOK, http.StatusNotFound)
		switch {
		case a.status == 0:
			return false
		case (a.status == http.StatusNotFound) != (h.want.ended == quoteGone):
			q.violate("terms and draft", "quote %s, %s, is answered %d", h.want.id, h.want.status(began), a.status)
			return false
		case a.status == http.StatusNotFound:
			return true
		case !q.compare(h, false, a, began):
			return false
		}
	}
	if h.want.version == 0 {
		return true
	}
	began := time.Now()
	a := q.request(dice, http.MethodGet, quoteLinks+h.token, "", "", http.StatusOK)
	return a.status != 0 && q.compare(h, true, a, began)
}
