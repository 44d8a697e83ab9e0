//go:build linux

package httpserver

import (
	"net"
	"syscall"
	"testing"
)

// The kernel ends a connection whose client does not read, after the time of a write.
func TestUnreadBytesEndAConnectionInTheKernel(t *testing.T) {
	h, _ := onTCP(t, 10)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own := h.server.newListener(ln)
	defer own.Close()
	dial(t, ln.Addr().String())
	c, err := own.Accept()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := c.(*conn).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		if ms, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout); err != nil || int64(ms) != writeTimeout.Milliseconds() {
			t.Errorf("TCP_USER_TIMEOUT is %d, %v; want %v", ms, err, writeTimeout)
		}
	})
}
