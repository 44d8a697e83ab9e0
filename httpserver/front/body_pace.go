package front

import (
	"errors"
	"os"
	"time"
)

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
