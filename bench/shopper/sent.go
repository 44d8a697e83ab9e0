package shopper

import (
	"bufio"
	"net"
	"time"

	"github.com/valyala/fasthttp"
)

// Sent is a request that was written on a connection of its own. Its answer is not read yet.
type Sent struct {
	conn net.Conn
	head bool
}

// Begin writes a request on a new connection. A server may refuse a large body in the middle; then
// its answer counts, not the failed write.
func (c *Client) Begin(r *Request) (*Sent, error) {
	conn, err := c.dial(c.host.Addr)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(c.timeout)) // a closed connection shows in the answer
	request := fasthttp.AcquireRequest()
	defer fasthttp.ReleaseRequest(request)
	r.fill(request, c.Base)
	w := bufio.NewWriter(conn)
	if request.Write(w) == nil {
		_ = w.Flush()
	}
	return &Sent{conn: conn, head: r.Method == "HEAD"}, nil
}

// Answer reads the answer and closes the connection.
func (s *Sent) Answer() (Answer, error) {
	defer s.conn.Close()
	response := fasthttp.AcquireResponse()
	defer fasthttp.ReleaseResponse(response)
	response.SkipBody = s.head
	if err := response.Read(bufio.NewReader(s.conn)); err != nil {
		return Answer{}, err
	}
	return answerOf(response), nil
}

// HangUp closes the connection; its answer is lost.
func (s *Sent) HangUp() { _ = s.conn.Close() }
