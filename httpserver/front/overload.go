package front

import (
	"net"
	"time"
)

// maxRefusals is the maximum number of refused connections that wait for their request. Each of them
// uses a file descriptor.
const maxRefusals = 64

func (s *Server) newListener(ln net.Listener) *listener {
	waiting := make(chan struct{}, maxRefusals)
	refuse := func(c net.Conn) {
		select {
		case waiting <- struct{}{}:
			go func() {
				s.refuse(c)
				<-waiting
			}()
		default: // a flood: do not wait
			s.writeRefusal(c)
			c.Close()
		}
	}
	return &listener{
		Listener: ln, log: s.cfg.Log, answers: s.Answers, refuse: refuse, limit: s.cfg.Connections,
		readTimeout: s.cfg.ReadTimeout, bodyTime: s.cfg.BodyTime,
		silent: map[*Conn]struct{}{}, closed: make(chan struct{}),
	}
}

// refuse answers 503 on a connection beyond the limit. It waits for the request first: a client
// that gets an answer without a request reports an error.
func (s *Server) refuse(c net.Conn) {
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(refusalWait))
	c.Read(make([]byte, 1<<10)) // the request has no effect
	s.writeRefusal(c)
	linger(c, time.Now().Add(refusalWait))
}

// writeRefusal does not wait: the answer fits into the buffer of a new connection.
func (s *Server) writeRefusal(c net.Conn) {
	c.SetWriteDeadline(time.Now().Add(refusalWait))
	c.Write(s.cfg.Refusal(c.RemoteAddr()))
}
