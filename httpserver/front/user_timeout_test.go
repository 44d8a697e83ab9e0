//go:build linux

package front

import (
	"net"
	"syscall"
	"testing"
)

// The kernel ends a connection whose client does not read, after the time of a write.
func TestUnreadBytesEndAConnectionInTheKernel(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own := quiet().newListener(ln)
	defer own.Close()
	client, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c, err := own.Accept()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := c.(*Conn).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		if ms, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout); err != nil || int64(ms) != writeTimeout.Milliseconds() {
			t.Errorf("TCP_USER_TIMEOUT is %d, %v; want %v", ms, err, writeTimeout)
		}
	})
}
