package httpserver

import (
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"cartd/commerce"
)

// admit has the request counted and its key looked up, and lets the guards judge.
func (s *Server) admit(x *exchange) error {
	admission, err := s.engine.Admit(s.ask(x))
	if err != nil {
		return err
	}
	x.admission = admission
	x.setBudget(&admission.Budget)
	if refusal := judge(x.route, &x.admission); refusal != nil {
		return refusal
	}
	return nil
}

func (s *Server) ask(x *exchange) commerce.Ask {
	header := &x.ctx.Request.Header
	ask := commerce.Ask{
		Client:   s.proxies.client(x.ctx.RemoteAddr(), header),
		Began:    x.began,
		Deadline: x.began.Add(s.requestTimeout),
		Fallback: x.route.fallback,
	}
	if key, ok := bearer(header); ok {
		ask.Key = hashOf(key)
	}
	if token := header.Peek(headerToken); len(token) > 0 {
		ask.Token = hashOf(token)
	}
	if x.route.record == cartRecord {
		ask.Cart, _ = x.cartID() // none: nothing to look up, and a 404 behind the guards
		if x.route.method != fasthttp.MethodGet {
			if x.key, x.keyFault = x.idempotency(ask.Cart); x.key != nil {
				ask.Once = &x.key.Name
			}
		}
	}
	return ask
}

func hashOf(secret []byte) *commerce.KeyHash {
	hash := commerce.HashSecret(secret)
	return &hash
}

// cartID reads the path's cart id; false: it is no UUID.
func (x *exchange) cartID() (uuid.UUID, bool) { return commerce.ParseID(x.param("id")) }

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
