package faultsuite

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// wantedQuote is a quote as the model has it. A change makes another one.
type wantedQuote struct {
	id      string
	asked   bool // by a customer
	account bool // it is model.QuotesAccount's
	version int
	terms   model.QuoteTerms
	draft   *model.QuoteTerms // nil without one
	// ended is why it is not on offer: declined, withdrawn, accepted, gone; empty if it is or never was. reason is the text of it.
	ended, reason string
	order         string
	change        string
	history       []string
}

// The ends of a quote.
const (
	quoteDeclined  = "declined"
	quoteWithdrawn = "withdrawn"
	quoteAccepted  = "accepted"
	quoteGone      = "gone"
	quoteOffered   = "offered"
	quoteExpired   = "expired"
	quoteIsDraft   = "draft"
)

// status is the status at a time.
func (q *wantedQuote) status(at time.Time) string {
	switch {
	case q.ended != "":
		return q.ended
	case q.version == 0:
		return quoteIsDraft
	case !q.terms.Until.IsZero() && !at.Before(q.terms.Until):
		return quoteExpired
	}
	return quoteOffered
}

// shown is the total that the quote shows.
func (q *wantedQuote) shown() int64 {
	sums := q.terms.Sums()
	if q.terms.Delivery >= 0 {
		return sums.Order
	}
	return sums.Goods
}

// note adds an entry to the history.
func (q *wantedQuote) note(event string, total int64, by, text string) {
	q.history = append(slices.Clip(q.history), fmt.Sprintf("%s %q by %q, version %d, %d", event, text, by, q.version, total))
}

// fate is one thing that a request may do to a quote.
type fate struct {
	status int
	// code is in the answer of a refusal; rest is a further text in it.
	code, rest string
	next       wantedQuote
	events     []string
	// taken are the pieces that an accept takes.
	taken map[string]int64
}

func refused(q wantedQuote, status int, code, rest string) []fate {
	return []fate{{status: status, code: code, rest: rest, next: q}}
}

func (q *wantedQuote) event(name string) string { return quoteEvent(name, q.id, q.version, q.shown()) }

// quoteCommand is a request and what it may do to a quote that it finds at a time.
type quoteCommand struct {
	method, route, body string
	link                bool // by the customer's link
	fates               func(q wantedQuote, at time.Time) []fate
}

// closed is the refusal of everything after an accept; nil ahead of it.
func (q *wantedQuote) closed() []fate {
	switch q.ended {
	case quoteAccepted:
		return refused(*q, http.StatusConflict, "ALREADY_CONVERTED", q.order)
	case quoteGone:
		return refused(*q, http.StatusNotFound, "", "[Quote]")
	}
	return nil
}

// unanswerable is the refusal of a customer's answer; nil if the quote is on offer.
func (q *wantedQuote) unanswerable(at time.Time) []fate {
	switch q.status(at) {
	case quoteDeclined, quoteWithdrawn, quoteIsDraft:
		return refused(*q, http.StatusConflict, "QUOTE_NOT_OFFERED", "")
	case quoteExpired:
		return refused(*q, http.StatusGone, "QUOTE_EXPIRED", "")
	}
	return q.closed()
}

// writeDraft is a PATCH.
func writeDraft(body string, edit func(t *model.QuoteTerms)) quoteCommand {
	return quoteCommand{method: http.MethodPatch, body: body, fates: func(q wantedQuote, _ time.Time) []fate {
		if closed := q.closed(); closed != nil {
			return closed
		}
		next := q.terms
		if q.draft != nil {
			next = *q.draft
		}
		edit(&next)
		q.draft = &next
		return []fate{{status: http.StatusOK, next: q}}
	}}
}

// bindQuote binds the quote to the account, or ends its binding.
func bindQuote(account bool) quoteCommand {
	body := `{"customer_id":null}`
	if account {
		body = fmt.Sprintf(`{"customer_id":%q}`, model.QuotesAccount)
	}
	written := writeDraft(body, func(t *model.QuoteTerms) { *t = t.For(account) })
	return quoteCommand{method: http.MethodPatch, body: body, fates: func(q wantedQuote, at time.Time) []fate {
		if closed := q.closed(); closed == nil && q.version > 0 && q.account != account {
			return refused(q, http.StatusConflict, "QUOTE_OFFERED", "")
		}
		all := written.fates(q, at)
		for i := range all {
			all[i].next.account = all[i].status == http.StatusOK && account || all[i].status != http.StatusOK && q.account
		}
		return all
	}}
}

// offerDraft is an offer with an expected total; -1 for none.
func offerDraft(expected int64) quoteCommand {
	body := "{}"
	if expected >= 0 {
		body = fmt.Sprintf(`{"expected_total_amount":%d}`, expected)
	}
	return quoteCommand{method: http.MethodPost, route: "/offer", body: body, fates: func(q wantedQuote, at time.Time) []fate {
		closed := q.closed()
		switch {
		case closed != nil:
			return closed
		case q.draft == nil && q.status(at) == quoteOffered:
			return []fate{{status: http.StatusOK, next: q}}
		case q.draft == nil:
			return refused(q, http.StatusConflict, "QUOTE_DRAFT_MISSING", "")
		case len(q.draft.Lines) == 0:
			return refused(q, http.StatusUnprocessableEntity, "", "lines")
		case !q.draft.Until.IsZero() && !q.draft.Until.After(at):
			return refused(q, http.StatusUnprocessableEntity, "", "valid_until")
		}
		before, d := q, *q.draft
		q.terms, q.draft, q.ended, q.reason, q.change = d.Priced(), nil, "", "", ""
		q.version++
		total := q.shown()
		if expected >= 0 && expected != total {
			return refused(before, http.StatusConflict, "CART_CHANGED", fmt.Sprintf(`"current_total":%d`, total))
		}
		q.note("offered", total, model.QuotesKeyName, d.Message)
		all := []fate{{status: http.StatusOK, next: q, events: []string{q.event("quote.offered")}}}
		if d.Hold && d.Pieces(model.QuotesScarce) > 0 {
			all = append(all, refused(before, http.StatusConflict, "OUT_OF_STOCK", model.QuotesScarce)...)
		}
		return all
	}}
}

// withdrawOffer is the merchant's end of an offer.
func withdrawOffer(reason string) quoteCommand {
	return quoteCommand{method: http.MethodPost, route: "/withdraw", body: fmt.Sprintf(`{"reason":%q}`, reason),
		fates: func(q wantedQuote, at time.Time) []fate {
			closed, status := q.closed(), q.status(at)
			switch {
			case closed != nil:
				return closed
			case status == quoteWithdrawn:
				return []fate{{status: http.StatusOK, next: q}}
			case status != quoteOffered && (status != quoteIsDraft || !q.asked):
				return refused(q, http.StatusConflict, "QUOTE_NOT_OFFERED", "")
			}
			q.ended, q.reason, q.change = quoteWithdrawn, reason, ""
			q.note("withdrawn", q.shown(), model.QuotesKeyName, reason)
			return []fate{{status: http.StatusOK, next: q, events: []string{q.event("quote.withdrawn")}}}
		}}
}

// dropDraft deletes the draft.
func dropDraft() quoteCommand {
	return quoteCommand{method: http.MethodDelete, route: "/draft", fates: func(q wantedQuote, _ time.Time) []fate {
		closed := q.closed()
		switch {
		case closed != nil:
			return closed
		case q.version > 0:
			q.draft = nil
		case q.asked:
			return refused(q, http.StatusConflict, "QUOTE_REQUESTED", "")
		default:
			q.ended = quoteGone
		}
		return []fate{{status: http.StatusNoContent, next: q}}
	}}
}

// askForChange is the customer's wish.
func askForChange(message string) quoteCommand {
	return quoteCommand{method: http.MethodPost, route: "/change-request", link: true, body: fmt.Sprintf(`{"message":%q}`, message),
		fates: func(q wantedQuote, at time.Time) []fate {
			if closed := q.unanswerable(at); closed != nil {
				return closed
			}
			q.change = message
			q.note("change_requested", q.shown(), "", message)
			return []fate{{status: http.StatusOK, next: q, events: []string{q.event("quote.change_requested")}}}
		}}
}

// declineOffer is the customer's refusal.
func declineOffer(reason string) quoteCommand {
	return quoteCommand{method: http.MethodPost, route: "/decline", link: true, body: fmt.Sprintf(`{"reason":%q}`, reason),
		fates: func(q wantedQuote, at time.Time) []fate {
			if closed := q.unanswerable(at); closed != nil {
				return closed
			}
			q.ended, q.reason = quoteDeclined, reason
			q.note("declined", q.shown(), "", reason)
			return []fate{{status: http.StatusOK, next: q, events: []string{q.event("quote.declined")}}}
		}}
}

// nearEnd is the time ahead of the end of an offer in which its hold may be over.
const nearEnd = time.Second

// acceptVersion accepts a version, 0 for a body without one, delivered in a country.
func acceptVersion(version int, country string) quoteCommand {
	fields := []string{`"shipping_address":{"name":"B","street":"Dam 1","postal_code":"1012","city":"Amsterdam","country":"` + country + `"}`}
	if version > 0 {
		fields = append(fields, fmt.Sprintf(`"version":%d`, version))
	}
	return quoteCommand{method: http.MethodPost, route: "/accept", link: true, body: "{" + strings.Join(fields, ",") + "}",
		fates: func(q wantedQuote, at time.Time) []fate {
			if closed := q.unanswerable(at); closed != nil {
				return closed
			}
			if max(version, 1) != q.version {
				return refused(q, http.StatusConflict, "QUOTE_CHANGED", fmt.Sprintf(`"current_version":%d`, q.version))
			}
			before := q
			q.ended = quoteAccepted
			q.note("accepted", q.shown(), "", "")
			done := fate{status: http.StatusCreated, next: q, events: []string{q.event("quote.accepted")}, taken: map[string]int64{}}
			for _, product := range model.QuotesProducts[:2] {
				done.taken[product] = q.terms.Pieces(product)
			}
			held := q.terms.Hold && (q.terms.Until.IsZero() || q.terms.Until.Sub(at) > nearEnd)
			if done.taken[model.QuotesScarce] == 0 || held {
				return []fate{done}
			}
			return append(refused(before, http.StatusConflict, "OUT_OF_STOCK", model.QuotesScarce), done)
		}}
}

// text is the quote as the merchant reads it at a time.
func (q *wantedQuote) text(at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nhistory %q", q.termsText(at), q.history)
	if q.draft != nil {
		sums := q.draft.Sums()
		fmt.Fprintf(&b, "\ndraft %s hold %v message %q", termsText(q.draft, &sums), q.draft.Hold, q.draft.Message)
	}
	return b.String()
}

// termsText is the quote as its link shows it at a time.
func (q *wantedQuote) termsText(at time.Time) string {
	sums := q.terms.Sums()
	message := ""
	if q.version > 0 {
		message = q.terms.Message
	}
	return fmt.Sprintf("%s account %v version %d %s message %q change %q reason %q order %q", q.status(at), q.account, q.version,
		termsText(&q.terms, &sums), message, q.change, q.reason, q.order)
}

// termsText are the lines, totals and taxes of terms.
func termsText(t *model.QuoteTerms, sums *model.QuoteSums) string {
	var lines []string
	for i := range t.Lines {
		l := &t.Lines[i]
		lines = append(lines, lineText(l.ID, l.Product, l.Quantity, l.Price(), sums.Lines[i]))
	}
	order := int64(-1)
	if t.Delivery >= 0 {
		order = sums.Order
	}
	return fmt.Sprintf("%v total %d %v order %d", lines, sums.Goods, sums.Taxes, order)
}

func lineText(id, product string, quantity, price, total int64) string {
	return fmt.Sprintf("%.8s %s %d × %d = %d", id, product, quantity, price, total)
}
