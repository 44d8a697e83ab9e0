package httpserver

import (
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// admit has the request counted and its key looked up, and lets the guards judge.
func (s *Server) admit(x *exchange) error {
	s.ask(x)
	x.ask.Presume = x.presumable()
	return s.admitAsked(x)
}

// confirm admits a request again whose presumed admission did not carry its answer.
// counted is what the request limit said, if it has counted the request.
func (s *Server) confirm(x *exchange, counted commerce.Budget) error {
	x.ask.Presume = false
	if counted.Limit > 0 {
		x.ask.Counted = &counted
	}
	return s.admitAsked(x)
}

func (s *Server) admitAsked(x *exchange) error {
	if err := s.engine.Admit(&x.ask, x.admission); err != nil {
		return err
	}
	refusal := judge(x.route, x.admission)
	if x.admission.Presumed != nil {
		if refusal != nil { // the request limit comes first, and only Redis knows it
			return s.confirm(x, commerce.Budget{})
		}
		return nil
	}
	x.setBudget(&x.admission.Budget)
	if refusal != nil {
		return refusal
	}
	return nil
}

// presumable reports whether the commit of a write can be its only round trip: no
// customer token or Idempotency-Key has to be read first.
func (x *exchange) presumable() bool {
	return x.route.oneTrip && x.ask.Key != nil && x.ask.Token == nil &&
		x.sent.idempotencyKey.lines == 0 &&
		(x.route.record == noRecord || x.ask.Cart != uuid.Nil)
}

// ask fills in what is asked of admission.
func (s *Server) ask(x *exchange) {
	ask := &x.ask
	x.caller = s.proxies.caller(x.ctx.RemoteAddr(), &x.ctx.Request.Header)
	ask.Client = x.caller.Addr
	ask.Began, ask.Deadline = x.began, x.began.Add(s.requestTimeout)
	ask.Fallback = x.route.fallback
	if key, ok := bearer(&x.sent.authorization); ok {
		x.apiKey = commerce.HashSecret(key)
		ask.Key = &x.apiKey
	}
	if token := x.sent.token.first; len(token) > 0 {
		hash := commerce.HashSecret(token)
		ask.Token = &hash
	}
	switch x.route.record {
	case cartRecord:
		ask.Cart, x.isCart = commerce.ParseID(x.param("id")) // none: nothing to look up, and a 404 behind the guards
		ask.Once = x.once(ask.Cart)
	case contactRecord:
		ask.Contact = true
		ask.Once = x.once() // who the contact is stands in Redis only, and is added there
	}
}

// once reads the Idempotency-Key of a write on a record; nil: nothing to look up.
func (x *exchange) once(scope ...uuid.UUID) *[16]byte {
	if x.route.method == fasthttp.MethodGet || x.route.secret {
		return nil
	}
	if x.key, x.keyFault = x.idempotency(scope...); x.key == nil {
		return nil
	}
	return &x.key.Name
}

// setBudget writes the headers of the request limit.
// Spec: Limits, Rate-limit headers.
func (x *exchange) setBudget(b *commerce.Budget) {
	x.setNumber(headerLimit, int64(b.Limit))
	x.setNumber(headerRemaining, int64(max(0, b.Remaining)))
	if !b.Granted {
		x.setNumber(headerRetryAfter, max(1, wholeSeconds(b.RetryAfter)))
		x.setNumber(headerReset, unixSeconds(b.Reset))
	}
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// unixSeconds rounds up.
func unixSeconds(t time.Time) int64 { return t.Add(time.Second - 1).Unix() }

// nestBudget shows a further limit that the request is under, where it leaves less
// than the first; one that was not granted says when to come back.
func (x *exchange) nestBudget(b *commerce.Budget) {
	if b.Limit > 0 && (!b.Granted || b.Remaining < x.admission.Budget.Remaining) {
		x.setBudget(b)
	}
}
