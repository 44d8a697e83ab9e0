//go:build long

package front

import (
	"net"
	"testing"
	"time"
)

// A client that does not take an event within five seconds is too slow.
func TestLongClientDoesNotTakeAnEventInTime(t *testing.T) {
	t.Parallel()
	s := onTCP(t)
	c, _, st := s.open()
	defer c.Close()
	began := time.Now()
	st.Send(large)
	s.wantEnd(StreamSlow)
	if took := time.Since(began); took < eventTimeout-time.Second/10 {
		t.Errorf("the stream ended after %v", took)
	}
	if late := s.server.streams.late.Load(); late != 0 {
		t.Errorf("%d bytes count as late", late)
	}
}

// The server notices within a second that a client has left.
func TestLongClientLeaves(t *testing.T) {
	s := onTCP(t)
	for _, leave := range []func(net.Conn){
		func(c net.Conn) { c.Close() },
		func(c net.Conn) { c.(*net.TCPConn).SetLinger(0); c.Close() }, // a reset
	} {
		c, _, _ := s.open()
		leave(c)
		s.wantEnd(StreamLeft)
	}
}
