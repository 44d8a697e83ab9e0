package front

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http/httputil"
	"net/netip"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"
)

const (
	// FirstBody is the size of the buffer that every Body has, in bytes. It is enough for a line add.
	FirstBody = 1 << 10
	// prefetched is the number of body bytes that fasthttp reads ahead of the handler. fasthttp
	// treats 0 as 4 MiB.
	prefetched = 1
)

// Body is the body of a request, as far as it was read. It may be used again after Free.
type Body struct {
	// Bytes starts in the buffer first.
	Bytes []byte
	first []byte
	// Unread is true until the whole body is read.
	Unread bool
	// store is the store whose memory the body takes beyond the buffer first. counted are the bytes in
	// the budget of bodies, large those in the budget of large bodies.
	store          uuid.UUID
	counted, large int
	// placed are the bytes that the body takes of the share of client; 0 for none.
	placed int
	client netip.Prefix
}

// Begin prepares a Body for a request.
func (b *Body) Begin(ctx *fasthttp.RequestCtx) {
	if b.first == nil {
		b.first = make([]byte, 0, FirstBody)
	}
	*b = Body{Bytes: b.first, first: b.first, Unread: ctx.RequestBodyStream() != nil}
}

// BodyPlan is how much of a body is read. Limit is its maximum size. Without Keep it is read and
// dropped. If Owner is set, a body beyond FirstBody takes memory of its store, and bytes of its client's
// share; the rest of a body without a store is not read.
type BodyPlan struct {
	Limit int
	Keep  bool
	Owner interface {
		// BodyStore returns uuid.Nil if the request is refused whatever its body says.
		BodyStore() (uuid.UUID, error)
		// BodyClient is the network that the body comes from.
		BodyClient() netip.Prefix
	}
	// Large is true if a body beyond smallBody takes its Limit in the budget of large bodies.
	Large bool
}

// smallBody is the size up to which a body of every route counts in the budget of bodies.
const smallBody = 64 << 10

// The errors of ReadBody, beside those of the owner. ErrBroken wraps the reason why a body broke off;
// that is os.ErrDeadlineExceeded if it did not arrive in time.
var (
	ErrBodyTooLarge  = errors.New("the body is too large")
	ErrNoRoomForBody = errors.New("no room for the body")
	ErrBroken        = errors.New("the body broke off")
)

// errLate is the reason of a body that did not arrive in time.
var errLate = fmt.Errorf("%w: %w", ErrBroken, os.ErrDeadlineExceeded)

// ReadBody reads the request's body by the plan. The buffer grows with the bytes that arrive.
func (s *Server) ReadBody(ctx *fasthttp.RequestCtx, b *Body, plan BodyPlan) error {
	stream := ctx.RequestBodyStream()
	if stream == nil {
		return nil
	}
	c, is := ctx.Conn().(*Conn)
	if !is {
		c = new(Conn)
	}
	refused := false
	defer func() {
		c.pace.due = time.Time{}
		s.leaveClient(b, refused)
	}()
	length := ctx.Request.Header.ContentLength()
	most := min(length, plan.Limit)
	if length == chunked {
		stream, most = newChunkedBody(stream), plan.Limit
	}
	for total := 0; ; {
		n, err := stream.Read(b.Bytes[len(b.Bytes):cap(b.Bytes)])
		if c.pace.late {
			return errLate
		}
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
			if !s.letIn(c, b, plan.Owner.BodyClient(), plan.counted(most)) {
				return errLate
			}
		}
		if !s.growBody(b, plan, most, length) {
			refused = true
			return ErrNoRoomForBody
		}
	}
}

// counted is the part of a body of a size that counts in the budget of bodies.
func (p *BodyPlan) counted(size int) int {
	if p.Large {
		return min(size, smallBody)
	}
	return size
}

// letIn waits until the client has room for a body of a size, at most until the request's time-out. The pace
// of the body begins anew.
func (s *Server) letIn(c *Conn, b *Body, client netip.Prefix, size int) bool {
	until := c.reading.wanted
	if until.IsZero() {
		until = time.Now().Add(s.cfg.ReadTimeout)
	}
	size = max(size, s.clients.share/s.cfg.ClientBodies, 1) // so that their number is bounded, too
	if !s.clients.enter(client, size, until) {
		return false
	}
	b.client, b.placed = client, size
	c.pace.begin(time.Now().Add(s.cfg.BodyTime))
	return true
}

// leaveClient frees the body's part of its client's share. A refused body keeps it for as long as its next
// bytes could have taken: its client's next body must not come into memory that others wait for.
func (s *Server) leaveClient(b *Body, refused bool) {
	client, size := b.client, b.placed
	b.placed = 0
	switch {
	case size == 0:
	case refused:
		time.AfterFunc(s.cfg.BodyTime, func() { s.clients.leave(client, size) })
	default:
		s.clients.leave(client, size)
	}
}

// growBody doubles the buffer of the body, up to the most that may come, or returns false if the budget is
// used up. One byte beyond that is enough to detect a chunked body that is too large. A body that is, or may
// become, larger than smallBody leaves the last part of its store's share to smaller ones.
func (s *Server) growBody(b *Body, plan BodyPlan, most, length int) bool {
	size := min(2*cap(b.Bytes), most)
	if size <= cap(b.Bytes) {
		size = most + 1
	}
	switch grown := size - cap(b.Bytes); {
	case grown <= 0:
	case plan.Large && size > smallBody:
		if !s.ReserveLarge(b, b.store, plan.Limit) {
			return false
		}
	case plan.counted(length) > smallBody || plan.counted(size) > smallBody+1:
		if !s.Bodies.reserveBut(b.store, grown, s.smallShare()) {
			return false
		}
		b.counted += grown
	case !s.Bodies.Reserve(b.store, grown):
		return false
	default:
		b.counted += grown
	}
	b.Bytes = append(make([]byte, 0, size), b.Bytes...)
	return true
}

// ReserveLarge reserves the memory of one large body, unless the body has it already: of its store, or
// of the given one if it has taken no memory yet. It returns false if the store has another one in
// memory, or the node as many as fit into the budget.
func (s *Server) ReserveLarge(b *Body, store uuid.UUID, size int) bool {
	if b.large > 0 {
		return true
	}
	if b.store == uuid.Nil {
		b.store = store
	}
	if !s.LargeBodies.Reserve(b.store, size) {
		return false
	}
	b.large = size
	return true
}

// FreeBody frees the request's body. If the rest of the body may still come, the connection closes
// after the answer.
func (s *Server) FreeBody(ctx *fasthttp.RequestCtx, b *Body) {
	if b.counted > 0 {
		s.Bodies.Release(b.store, b.counted)
	}
	if b.large > 0 {
		s.LargeBodies.Release(b.store, b.large)
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

// bodyStep is the number of bytes of a body, or its rest, that arrive within each span of a pace.
const bodyStep = 16 << 10

// pace bounds the time in which a body arrives. A body that only trickles would keep its memory, and
// its client's place, until the time-out of the whole request.
type pace struct {
	// due is the end of the present span; zero if no body is being read. left are the bytes that still
	// have to arrive until then.
	due  time.Time
	left int
	// late is true after a span has passed without them, or the request's time.
	late bool
}

// begin begins a span.
func (p *pace) begin(due time.Time) { p.due, p.left = due, bodyStep }

// arrived counts bytes that were read.
func (p *pace) arrived(n int, span time.Duration) {
	if p.left -= n; p.left <= 0 {
		p.begin(time.Now().Add(span))
	}
}

// readBody is Read while a body is being read. At a time-out it returns a byte that the client has
// not sent, so that fasthttp, which reads the first byte of a body itself, still calls the handler:
// only the handler can count the request. ReadBody looks at late ahead of every byte.
func (c *Conn) readBody(b []byte) (int, error) {
	until := c.pace.due
	if wanted := c.reading.wanted; !wanted.IsZero() && wanted.Before(until) {
		until = wanted
	}
	if c.reading.armed != until {
		c.reading.armed = until
		if err := c.Conn.SetReadDeadline(until); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Read(b)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && len(b) > 0 {
		c.pace.late = true
		return 1, nil
	}
	c.pace.arrived(n, c.from.bodyTime)
	return n, err
}

// chunked is the Content-Length that markChunked sets on a chunked request, so that fasthttp passes
// the body on undecoded. fasthttp's own decoder accepts a body that breaks off between two chunks,
// and adds trailers to the headers.
const chunked = math.MaxInt

// markChunked closes the connection after a chunked request. fasthttp accepts a Content-Length
// beside the chunks, and proxies that accept both disagree about the start of the next request.
func markChunked(header *fasthttp.RequestHeader) {
	header.SetConnectionClose()
	header.SetContentLength(chunked)
}

const (
	// maxChunkLine is the maximum length of a line between two chunks, in bytes.
	maxChunkLine = 1 << 10
	// maxTrailers is the maximum number of lines after the last chunk.
	maxTrailers = 64
)

// chunkedBody decodes a chunked body. It drops the trailers, because a proxy that checks headers
// does not check trailers.
type chunkedBody struct {
	wire   *bufio.Reader
	chunks io.Reader
}

func newChunkedBody(stream io.Reader) *chunkedBody {
	wire := bufio.NewReaderSize(stream, maxChunkLine)
	return &chunkedBody{wire: wire, chunks: httputil.NewChunkedReader(wire)}
}

// Read returns io.EOF after the whole body has arrived, trailers included.
func (b *chunkedBody) Read(p []byte) (int, error) {
	n, err := b.chunks.Read(p)
	if errors.Is(err, io.EOF) {
		err = b.readTrailers()
	}
	return n, err
}

var errTrailers = errors.New("too many trailers")

func (b *chunkedBody) readTrailers() error {
	for range maxTrailers {
		line, err := b.wire.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case string(line) == "\r\n" || string(line) == "\n":
			return io.EOF
		}
	}
	return errTrailers
}
