package httpserver

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
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
