package front

import (
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

const (
	// FirstBody is the size of the buffer inside a Body, in bytes. It is enough for a line add.
	FirstBody = 1 << 10
	// prefetched is the number of body bytes that fasthttp reads ahead of the handler. fasthttp
	// treats 0 as 4 MiB.
	prefetched = 1
)

// Body is the body of a request, as far as it was read. It may be used again after Free.
type Body struct {
	// Bytes starts in the buffer first.
	Bytes []byte
	first [FirstBody]byte
	// Unread is true until the whole body is read.
	Unread bool
	// store is the store whose memory the body takes beyond the buffer first.
	store uuid.UUID
}

// Begin prepares a Body for a request.
func (b *Body) Begin(ctx *fasthttp.RequestCtx) {
	b.Bytes, b.Unread, b.store = b.first[:0], ctx.RequestBodyStream() != nil, uuid.Nil
}

// BodyPlan is how much of a body is read. Limit is its maximum size. Without Keep it is read and
// dropped. If Owner is set, a body beyond FirstBody takes memory of its store; the rest of a body
// without a store is not read.
type BodyPlan struct {
	Limit int
	Keep  bool
	Owner interface{ BodyStore() (uuid.UUID, error) }
}

// The errors of ReadBody, beside those of the owner. ErrBroken wraps the reason why a body broke off.
var (
	ErrBodyTooLarge  = errors.New("the body is too large")
	ErrNoRoomForBody = errors.New("no room for the body")
	ErrBroken        = errors.New("the body broke off")
)

// ReadBody reads the request's body by the plan. The buffer grows with the bytes that arrive.
func (s *Server) ReadBody(ctx *fasthttp.RequestCtx, b *Body, plan BodyPlan) error {
	stream := ctx.RequestBodyStream()
	if stream == nil {
		return nil
	}
	length := ctx.Request.Header.ContentLength()
	if length == chunked {
		stream = newChunkedBody(stream)
	}
	for total := 0; ; {
		n, err := stream.Read(b.Bytes[len(b.Bytes):cap(b.Bytes)])
		if total += n; plan.Keep {
			b.Bytes = b.Bytes[:len(b.Bytes)+n]
		}
		switch {
		case total > plan.Limit:
			return ErrBodyTooLarge
		case errors.Is(err, io.EOF) && (total == length || length == chunked):
			b.Unread = false
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%w: %w", ErrBroken, io.ErrUnexpectedEOF)
		case err != nil:
			return fmt.Errorf("%w: %w", ErrBroken, err)
		case len(b.Bytes) < cap(b.Bytes):
			continue
		}
		if plan.Owner != nil && b.store == uuid.Nil {
			if b.store, err = plan.Owner.BodyStore(); err != nil || b.store == uuid.Nil {
				return err
			}
		}
		if !s.growBody(b, plan.Limit) {
			return ErrNoRoomForBody
		}
	}
}

// growBody doubles the buffer of the body, or returns false if the budget is used up. One byte
// beyond the limit is enough to detect a chunked body that is too large.
func (s *Server) growBody(b *Body, limit int) bool {
	size := min(2*cap(b.Bytes), limit+1)
	if size > cap(b.Bytes) && !s.Bodies.Reserve(b.store, size-cap(b.Bytes)) {
		return false
	}
	b.Bytes = append(make([]byte, 0, size), b.Bytes...)
	return true
}

// FreeBody frees the request's body. If the rest of the body may still come, the connection closes
// after the answer.
func (s *Server) FreeBody(ctx *fasthttp.RequestCtx, b *Body) {
	if grown := cap(b.Bytes) - FirstBody; grown > 0 {
		s.Bodies.Release(b.store, grown)
	}
	b.Bytes, b.store = nil, uuid.Nil
	if !b.Unread {
		return
	}
	ctx.SetConnectionClose()
	if c, is := ctx.Conn().(*Conn); is {
		c.unread.Store(true)
	}
}
