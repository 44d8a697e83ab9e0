//go:build unix

package front

import (
	"net"
	"syscall"
)

// writeNow writes as many bytes as the socket takes without waiting.
func writeNow(c net.Conn, raw syscall.RawConn, b []byte) (n int, err error) {
	if raw == nil {
		return writeSoon(c, b)
	}
	called := raw.Write(func(fd uintptr) bool {
		for {
			n, err = syscall.Write(int(fd), b)
			if err != syscall.EINTR {
				return true
			}
		}
	})
	switch {
	case called != nil:
		return 0, called
	case err == syscall.EAGAIN:
		return 0, nil
	}
	return max(0, n), err
}

// hasLeft reports whether the client has closed the connection. Bytes that it sent stay unread.
func hasLeft(raw syscall.RawConn) (left bool) {
	if raw == nil {
		return false
	}
	var one [1]byte
	called := raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		left = n == 0 && err == nil || err != nil && err != syscall.EAGAIN && err != syscall.EINTR
	})
	return left || called != nil
}
