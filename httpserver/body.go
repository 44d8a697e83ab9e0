package httpserver

import (
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

const (
	// firstBody is the size of the buffer inside the exchange, in bytes. It is enough for a line
	// add.
	firstBody = 1 << 10
	// maxBodies is the memory for the bodies of all requests, beyond firstBody of each, in bytes.
	maxBodies = 64 << 20
	// bodyParts is the number of equal parts of maxBodies of which a store has one.
	bodyParts = 8
	// prefetched is the number of body bytes that fasthttp reads ahead of the handler. fasthttp
	// treats 0 as 4 MiB.
	prefetched = 1
)

// readBody reads the request's body up to the limit of its route. The buffer grows with the bytes
// that arrive. The body of a route that uses none is read and dropped. Of a body without a valid API
// key at most firstBody is kept; the rest is not read, and the admission refuses the request.
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
		case errors.Is(err, io.EOF) && (total == length || length == chunked):
			x.unread = false
			x.began = time.Now() // the deadline counts from the last byte
			return nil
		case errors.Is(err, io.EOF):
			return x.unreadable(io.ErrUnexpectedEOF)
		case err != nil:
			return x.unreadable(err)
		case len(x.in) < cap(x.in):
			continue
		}
		if x.route.guards != nil && x.bodyStore == uuid.Nil {
			if found, err := s.findBodyStore(x); err != nil || !found {
				return err
			}
		}
		if !s.growBody(x, limit) {
			return noRoomForBody
		}
	}
}

// findBodyStore finds the store whose memory the body takes, by the API key in the head. It returns
// false if there is no such key.
func (s *Server) findBodyStore(x *exchange) (found bool, err error) {
	key, ok := bearer(&x.sent.authorization)
	if !ok {
		return false, nil
	}
	r := &x.request
	r.KeyHash, r.Began, r.Deadline = commerce.HashSecret(key), x.began, time.Now().Add(s.requestTimeout)
	x.bodyStore, err = s.engine.StoreOf(r)
	return x.bodyStore != uuid.Nil, err
}

// growBody doubles the buffer of the body, or returns false if the budget is used up. One byte
// beyond the limit is enough to detect a chunked body that is too large.
func (s *Server) growBody(x *exchange, limit int) bool {
	size := min(2*cap(x.in), limit+1)
	if size > cap(x.in) && !s.bodies.reserve(x.bodyStore, size-cap(x.in)) {
		return false
	}
	x.in = append(make([]byte, 0, size), x.in...)
	return true
}

// dropBody frees the request's body. If the rest of the body may still come, the connection closes
// after the answer.
func (s *Server) dropBody(x *exchange) {
	if grown := cap(x.in) - firstBody; grown > 0 {
		s.bodies.release(x.bodyStore, grown)
	}
	x.in, x.bodyStore = nil, uuid.Nil
	if !x.unread {
		return
	}
	x.ctx.SetConnectionClose()
	if c, is := x.ctx.Conn().(*conn); is {
		c.unread.Store(true)
	}
}
