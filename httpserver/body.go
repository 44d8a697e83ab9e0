package httpserver

import (
	"io"
	"sync/atomic"
	"time"

	"cartd/commerce"
)

const (
	// firstBody is how many bytes of a body fit into the exchange itself; a line add needs
	// no more.
	firstBody = 1 << 10
	// maxBodies is how many bytes the bodies of all requests may hold beyond firstBody.
	maxBodies = 64 << 20
	// prefetched is how many bytes of a body fasthttp reads before it calls the handler.
	// fasthttp understands 0 as 4 MiB.
	prefetched = 1
)

// bodyBudget counts the bytes that bodies hold beyond firstBody, from their arrival until
// their requests are answered.
type bodyBudget struct {
	held  atomic.Int64
	limit int64
}

// take reports whether n bytes more may be held.
func (b *bodyBudget) take(n int) bool {
	if b.held.Add(int64(n)) <= b.limit {
		return true
	}
	b.give(n)
	return false
}

func (b *bodyBudget) give(n int) { b.held.Add(-int64(n)) }

// readBody reads the request's body up to the limit of its route. Memory grows with the
// bytes that come. A body that the route does not use is dropped as it comes.
func (s *Server) readBody(x *exchange) error {
	stream := x.ctx.RequestBodyStream()
	if stream == nil {
		return nil
	}
	if x.sent.oversized {
		return commerce.BodyTooLarge
	}
	length := x.ctx.Request.Header.ContentLength()
	if length == chunked {
		stream = newChunkedBody(stream)
	}
	for total, limit := 0, x.route.maxBody(); ; {
		n, err := stream.Read(x.in[len(x.in):cap(x.in)])
		if total += n; x.route.keepsBody() {
			x.in = x.in[:len(x.in)+n]
		}
		switch {
		case total > limit:
			return commerce.BodyTooLarge
		case err == io.EOF && (total == length || length == chunked):
			x.unread = false
			x.began = time.Now() // deadlines count from the last byte
			return nil
		case err == io.EOF:
			return x.unreadable(io.ErrUnexpectedEOF)
		case err != nil:
			return x.unreadable(err)
		case len(x.in) == cap(x.in) && !s.growBody(x, limit):
			return noRoomForBody
		}
	}
}

// growBody doubles the buffer of the body, or returns false if the budget is used up. One
// byte beyond the limit is enough to see that a chunked body is too large.
func (s *Server) growBody(x *exchange, limit int) bool {
	size := min(2*cap(x.in), limit+1)
	if !s.bodies.take(size - cap(x.in)) {
		return false
	}
	x.in = append(make([]byte, 0, size), x.in...)
	return true
}

// dropBody ends the use of the request's body. If the rest of the body may still come, the
// connection has no next request.
func (s *Server) dropBody(x *exchange) {
	if held := cap(x.in) - firstBody; held > 0 {
		s.bodies.give(held)
	}
	x.in = nil
	if !x.unread {
		return
	}
	x.ctx.SetConnectionClose()
	if c, is := x.ctx.Conn().(*conn); is {
		c.unread.Store(true)
	}
}
