package httpserver

import (
	"bufio"
	"bytes"
	"net"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	// maxRefusals is how many connections without a place wait for their request at a
	// time: each has a file descriptor all the same.
	maxRefusals = 64
	// refusalWait is how long such a request is waited for, and how long its client may
	// then take to read the answer.
	refusalWait = 500 * time.Millisecond
)

func (s *Server) newListener(ln net.Listener) *listener {
	places := make(chan struct{}, maxRefusals)
	refuse := func(c net.Conn) {
		select {
		case places <- struct{}{}:
			go func() {
				s.refuse(c)
				<-places
			}()
		default: // a flood: nothing is waited for
			s.writeRefusal(c)
			c.Close()
		}
	}
	return &listener{
		Listener: ln, log: s.log, refuse: refuse, limit: s.maxConnections,
		silent: map[*conn]struct{}{}, closed: make(chan struct{}),
	}
}

// refuse answers a connection that there is no place for. The request is waited for,
// because clients take an answer to none for a fault.
func (s *Server) refuse(c net.Conn) {
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(refusalWait))
	c.Read(make([]byte, 1<<10)) // whatever it is
	s.writeRefusal(c)
	linger(c, time.Now().Add(refusalWait))
}

// writeRefusal fits into the buffer of a new connection, and so does not wait.
func (s *Server) writeRefusal(c net.Conn) {
	c.SetWriteDeadline(time.Now().Add(refusalWait))
	c.Write(s.refusal())
}

// refusal is the answer to a request that is not looked at.
func (s *Server) refusal() []byte {
	var ctx fasthttp.RequestCtx
	x := s.begin(&ctx, time.Now())
	x.setCommonHeaders()
	ctx.SetConnectionClose()
	s.metrics.refusedConns.Add(1)
	s.fail(x, noConnection)
	s.finish(x)
	var answer bytes.Buffer
	w := bufio.NewWriter(&answer)
	ctx.Response.Write(w) // into memory
	w.Flush()
	return answer.Bytes()
}
