package httpserver

import (
	"errors"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// answerRefusals are the refusals of a decline, acceptRefusals those of an accept.
var (
	answerRefusals = []*commerce.Refusal{commerce.AlreadyConverted, commerce.QuoteNotOffered, commerce.QuoteExpired}
	acceptRefusals = append([]*commerce.Refusal{
		commerce.QuoteChanged, commerce.SignatureRequired, commerce.SignatureInvalid, commerce.TotalChanged, commerce.OutOfStock, commerce.TotalLimitReached,
		commerce.CartTooLarge,
	}, answerRefusals...)
)

// handleQuoteRequest makes a quote of the cart, and shows its token. docs/api/quotes.md#the-request.
func handleQuoteRequest(s *Server, x *exchange) error {
	form, fault := bodies.QuoteRequest.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	request, err := x.cartChange(&commerce.RequestQuote{QuoteID: id, QuoteForm: form}, fault)
	if err != nil {
		return err
	}
	reply, err := s.engine.RequestQuote(request)
	if err != nil {
		return x.answerWrite(reply, err)
	}
	x.useFacts(reply.Facts)
	if err = x.makesRecord(reply.Size); err != nil {
		return err
	}
	x.out = answers.QuoteAnswer.Append(x.out, x.ownQuote(reply.Quote))
	return x.answerReply(&reply, nil)
}

// ownQuote is a quote for its customer, with its token.
func (x *exchange) ownQuote(q *commerce.Quote) answers.QuoteView {
	v := answers.QuoteAt(q, x.facts.Now)
	if q.Version > 0 {
		v.Token = x.facts.Store.QuoteToken(q.ID)
	}
	return v
}

// handleQuoteRead shows a quote: docs/api/quotes.md#by-token.
func handleQuoteRead(s *Server, x *exchange) error {
	quote, err := s.engine.ReadQuote(&x.request)
	if err != nil {
		return err
	}
	if err = x.makesRecord(quote.Size); err != nil {
		return err
	}
	x.out = answers.Quote.Append(x.out, answers.QuoteAt(quote.State, x.facts.Now))
	return x.answerVersion(quote.Stamp.Version(0), nil)
}

// handleQuoteList shows the visitor's quotes, newest first. Those that are gone are left out, so that
// a page may be shorter.
func handleQuoteList(s *Server, x *exchange) error {
	var p page
	found, err := s.engine.ReadQuotes(&x.request, &engine.QuoteQuery{Room: x.room, Page: func(total int) (from, to int) {
		p = x.page(quoteRows, total)
		return p.bounds()
	}})
	if err != nil {
		return err
	}
	return writePage(x, answers.QuoteList, p, func(yield func(answers.QuoteView) bool) {
		for i := range found.Quotes {
			if !yield(answers.QuoteRowAt(&found.Quotes[i], x.facts.Now)) {
				return
			}
		}
	})
}

// handleOwnQuote shows one of the visitor's quotes with its token.
func handleOwnQuote(s *Server, x *exchange) error {
	quote, err := s.engine.ReadOwnQuote(&x.request, x.param("id"))
	if err != nil {
		return err
	}
	if err = x.makesRecord(quote.Size); err != nil {
		return err
	}
	x.out = answers.Quote.Append(x.out, x.ownQuote(quote.State))
	return x.answerVersion(quote.Stamp.Version(0), nil)
}

// handleQuoteAccept makes an order of a quote.
func handleQuoteAccept(s *Server, x *exchange) error {
	form, fault := bodies.QuoteAccept.Read(x.body)
	id, err := newID()
	if err != nil {
		return err
	}
	reply, err := s.answerQuote(x, &commerce.AcceptQuote{OrderID: id, AcceptForm: form}, fault)
	if err != nil {
		return err
	}
	s.metrics.business.sold(x, &reply, reply.Order)
	if err = x.makesRecord(2 * reply.Size); err != nil { // the quote and its order
		return err
	}
	x.out = answers.QuoteAccepted.Append(x.out, answers.AcceptedView{Quote: answers.QuoteAt(reply.Quote, x.facts.Now), Order: reply.Order})
	x.setOrderToken(reply.Order)
	return x.answerReply(&reply, nil)
}

// handleQuoteDecline declines a quote.
func handleQuoteDecline(s *Server, x *exchange) error {
	command, fault := bodies.QuoteDecline.Read(x.body)
	return s.answerShownQuote(x, command, fault)
}

// answerQuote passes a command to the engine, together with the fault of its body. If-Match has no
// effect.
func (s *Server) answerQuote(x *exchange, command commerce.Command[*commerce.Quote], fault *commerce.Refusal) (engine.Reply, error) {
	x.complete(&x.request, fault)
	x.request.Command, x.request.Match = command, nil
	reply, err := s.engine.AnswerQuote(&x.request)
	x.useFacts(reply.Facts)
	x.setNestedBudget(causeQuotes, &reply.Nested)
	return reply, err
}

// answerShownQuote is answerQuote with the quote as the answer.
func (s *Server) answerShownQuote(x *exchange, command commerce.Command[*commerce.Quote], fault *commerce.Refusal) error {
	reply, err := s.answerQuote(x, command, fault)
	if err != nil {
		return err
	}
	if err = x.makesRecord(reply.Size); err != nil {
		return err
	}
	x.out = answers.Quote.Append(x.out, answers.QuoteAt(reply.Quote, x.facts.Now))
	return x.answerReply(&reply, nil)
}

// The routes of the merchant's quotes: docs/api/quotes.md#the-merchants-side.

// writeQuoteRefusals are the refusals of a draft's writes, offerRefusals those of an offer.
var (
	writeQuoteRefusals = []*commerce.Refusal{
		commerce.QuoteIsOffered, commerce.CartTooLarge, faultOf("lines.0.unit_price_amount", commerce.MsgRequired("lines.0.unit_price_amount")),
	}
	offerRefusals = []*commerce.Refusal{
		commerce.AlreadyConverted, commerce.QuoteDraftMissing, faultOf("lines.0.unit_price_amount", commerce.MsgRequired("lines.0.unit_price_amount")),
		commerce.PriceBasisChanged, commerce.TotalLimitReached, commerce.TotalChanged, commerce.CartTooLarge, commerce.OutOfStock,
	}
)

// handleQuoteCreate makes a quote of the merchant's own.
func handleQuoteCreate(s *Server, x *exchange) error {
	write, fault := bodies.QuoteCreate.Read(x.body)
	x.request.Idempotency, x.keyFault = x.idempotency(x.storeScope()...)
	if x.keyFault != nil {
		fault = x.keyFault
	}
	x.request.Fault = fault
	if write.Faults.Has("from") { // no other field can be judged
		x.request.Fault = write.Faults.Refusal()
	}
	quote, replayed, err := s.engine.MakeQuote(&x.request, &commerce.WriteQuote{Seed: uuid.New(), QuoteWrite: write})
	if err != nil {
		return err
	}
	x.setReplayed(replayed)
	return x.answerStoreQuote(quote.State, quote.Size, quote.Stamp.Version(0), nil)
}

// handleStoreQuoteRead shows any quote of the store.
func handleStoreQuoteRead(s *Server, x *exchange) error {
	if !x.isID {
		return x.quoteNotFound()
	}
	quote, err := s.engine.ReadStoreQuote(&x.request)
	if err != nil {
		return err
	}
	return x.answerStoreQuote(quote.State, quote.Size, quote.Stamp.Version(0), nil)
}

// quoteNotFound answers for an id in the path that is no UUID.
func (x *exchange) quoteNotFound() error { return commerce.NotFound("Quote", x.param("id")) }

// handleQuoteWrite changes a quote and its draft, handleQuoteOffer offers the draft, handleQuoteWithdraw ends the
// offer, and handleDraftDrop deletes the draft.
func handleQuoteWrite(s *Server, x *exchange) error {
	write, fault := bodies.QuoteWrite.Read(x.body)
	return s.changeQuote(x, &commerce.WriteQuote{Seed: uuid.New(), QuoteWrite: write}, fault)
}

func handleQuoteOffer(s *Server, x *exchange) error {
	command, fault := bodies.QuoteOffer.Read(x.body)
	return s.changeQuote(x, &command, fault)
}

func handleQuoteWithdraw(s *Server, x *exchange) error {
	command, fault := bodies.QuoteWithdraw.Read(x.body)
	return s.changeQuote(x, command, fault)
}

func handleDraftDrop(s *Server, x *exchange) error {
	return s.changeQuote(x, commerce.DropDraft{}, nil)
}

// changeQuote passes a command to the engine, together with the fault of its body.
func (s *Server) changeQuote(x *exchange, command commerce.Command[*commerce.Quote], fault *commerce.Refusal) error {
	if !x.isID {
		return x.quoteNotFound()
	}
	x.request.Command = command
	x.complete(&x.request, fault)
	reply, err := s.engine.ChangeQuote(&x.request)
	x.useFacts(reply.Facts)
	if err != nil && (!errors.Is(err, commerce.QuoteStale) || reply.Quote == nil) {
		return err
	}
	if x.route.status == 204 && err == nil {
		return x.answerReply(&reply, nil)
	}
	x.setReplayed(reply.Replayed)
	return x.answerStoreQuote(reply.Quote, reply.Size, reply.Version(), err)
}

// answerStoreQuote shows a quote to the merchant.
func (x *exchange) answerStoreQuote(q *commerce.Quote, size int, version engine.Version, err error) error {
	sums, failed := x.server.engine.DraftSums(&x.request, q)
	if failed != nil {
		return failed
	}
	if failed = x.makesRecord(size); failed != nil {
		return failed
	}
	x.out = answers.StoreQuote.Append(x.out, answers.StoreQuoteAt(x.facts.Store, q, sums, x.facts.Now))
	return x.answerVersion(version, err)
}

// handleChangeRequest keeps the customer's wish for a change.
func handleChangeRequest(s *Server, x *exchange) error {
	command, fault := bodies.QuoteChange.Read(x.body)
	return s.answerShownQuote(x, command, fault)
}

// storeQuoteParameters are the parameters that decodeStoreQuoteQuery reads.
var storeQuoteParameters = []openapi.Parameter{
	queryOf("state", openapi.Names(engine.AllQuotes, engine.WaitingQuotes, engine.OfferedQuotes),
		"waiting: drafts that were never offered, and open change requests, the oldest first. offered: the first to expire first. all, the default: those "+
			"that were ever offered, the newest number first."),
	queryOf("number", openapi.Integer.Min(1), "The quote with this number."),
	queryOf("customer_id", openapi.UUID, "Leaves other quotes out."),
	queryOf("email", openapi.Text, "The account's quotes, else those of the guest with this address."),
	queryOf("before", openapi.Text, "`meta.next_before` of the page before."),
	queryOf("per_page", openapi.Integer.Min(1).Max(quoteRows.max).Default(quoteRows.standard), "Quotes on a page. A number out of range is clamped."),
}

// decodeStoreQuoteQuery reads the parameters of the list of the store's quotes.
func decodeStoreQuoteQuery(x *exchange) (q engine.StoreQuoteQuery, refusal *commerce.Refusal) {
	var faults commerce.Faults
	q.List, q.Before = engine.AllQuotes, commerce.Trim(lastArg(x, "before"))
	switch state := commerce.Trim(lastArg(x, "state")); state {
	case "":
	case engine.AllQuotes, engine.WaitingQuotes, engine.OfferedQuotes:
		q.List = state
	default:
		faults.Add("state", commerce.MsgIn("state"))
	}
	if text := commerce.Trim(lastArg(x, "number")); text != "" {
		q.Number = faults.Within("number", text, 1, int64(commerce.MaxAmount))
	}
	if text := commerce.Trim(lastArg(x, "customer_id")); text != "" {
		var ok bool
		if q.Customer, ok = commerce.ParseID(text); !ok {
			faults.Add("customer_id", commerce.MsgUUID("customer_id"))
		}
	}
	if text := commerce.Trim(lastArg(x, "email")); text != "" {
		q.Email = faults.Email("email", text)
	}
	q.Size = x.page(quoteRows, 0).size
	return q, faults.Refusal()
}

// handleStoreQuoteList shows the store's quotes.
func handleStoreQuoteList(s *Server, x *exchange) error {
	query, fault := decodeStoreQuoteQuery(x)
	if fault != nil {
		return fault
	}
	room, release := x.countedRoom()
	defer release()
	query.Room = room
	page, err := s.engine.ReadStoreQuotes(&x.request, &query)
	switch {
	case errors.Is(err, engine.ErrBefore):
		return commerce.FaultOf("before", commerce.MsgIn("before"))
	case err != nil:
		return err
	}
	if err = x.makesList(len(page.Quotes) + x.linkRows()); err != nil {
		return err
	}
	return appendPage(x, answers.StoreQuoteList, x.quotePages(&query, &page), func(yield func(answers.StoreQuoteView) bool) {
		for i := range page.Quotes {
			row := &page.Quotes[i]
			if !yield(answers.StoreQuoteAt(x.facts.Store, row.Quote, row.Sums, x.facts.Now)) {
				return
			}
		}
	})
}

// quotePages returns the links and the place of a page of the store's quotes.
func (x *exchange) quotePages(q *engine.StoreQuoteQuery, p *engine.StoreQuotePage) *answers.Pages {
	path := x.server.scheme(x.ctx) + "://" + x.hostAndPath()
	link := pageLink(path, x.ctx.URI().QueryString(), "before", "page")
	all := &answers.Pages{
		First: strings.TrimRight(strings.TrimSuffix(string(link), "before="), "?&"), Number: 1, LastNumber: 1, Path: path, Size: q.Size, Total: p.Total,
		NextQuote: p.NextBefore,
	}
	all.Last = all.First
	if p.NextBefore != "" {
		all.Next = string(link) + p.NextBefore
	}
	all.Links = []answers.PageLink{{Label: previousLabel}, {URL: all.Next, Label: nextLabel}}
	return all
}
