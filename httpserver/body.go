package httpserver

import (
	"io"
	"sync/atomic"
	"time"

	"cartd/commerce"
)

const (
	// firstBody is the size of the buffer inside the exchange, in bytes. It is enough for a line
	// add.
	firstBody = 1 << 10
	// maxBodies is the memory for the bodies of all requests, beyond firstBody of each, in bytes.
	maxBodies = 64 << 20
	// prefetched is the number of body bytes that fasthttp reads ahead of the handler. fasthttp
	// treats 0 as 4 MiB.
	prefetched = 1
)

// bodyBudget counts the bytes of request bodies beyond firstBody. A body counts until its request
// is answered.
type bodyBudget struct {
	reserved atomic.Int64
	limit    int64
}

// reserve counts n more bytes. If they exceed the limit, it counts nothing and returns false.
func (b *bodyBudget) reserve(n int) bool {
	if b.reserved.Add(int64(n)) <= b.limit {
		return true
	}
	b.release(n)
	return false
}

func (b *bodyBudget) release(n int) { b.reserved.Add(-int64(n)) }

// readBody reads the request's body up to the limit of its route. The buffer grows with the bytes
// that arrive. The body of a route that uses none is read and dropped.
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
			x.began = time.Now() // the deadline counts from the last byte
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

// growBody doubles the buffer of the body, or returns false if the budget is used up. One byte
// beyond the limit is enough to detect a chunked body that is too large.
func (s *Server) growBody(x *exchange, limit int) bool {
	size := min(2*cap(x.in), limit+1)
	if !s.bodies.reserve(size - cap(x.in)) {
		return false
	}
	x.in = append(make([]byte, 0, size), x.in...)
	return true
}

// dropBody frees the request's body. If the rest of the body may still come, the connection closes
// after the answer.
func (s *Server) dropBody(x *exchange) {
	if grown := cap(x.in) - firstBody; grown > 0 {
		s.bodies.release(grown)
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
